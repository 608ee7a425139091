package report

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/agntn/conform/report/browser"
)

// look is how a page is opened.
type look struct {
	width, height int64
	dark          bool
	media         string
	noScript      bool
}

// tab is one page in the browser with what it did meanwhile.
type tab struct {
	t   *testing.T
	ctx context.Context

	heard browser.Heard
}

// open writes the page to a file and opens it.
func open(t *testing.T, chromium context.Context, html []byte, l look) *tab {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, html, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(chromium)
	t.Cleanup(cancel)
	p := &tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, p.heard.Hear); err != nil {
		t.Fatal(err)
	}
	media := emulation.SetEmulatedMediaParams{Media: l.media}
	if l.dark {
		media.Features = []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}
	}
	p.do(chromedp.EmulateViewport(l.width, l.height))
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
		t.Fatal(err)
	}
	if l.noScript {
		if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
			t.Fatal(err)
		}
	}
	p.do(chromedp.Navigate("file://" + path))
	return p
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// eval returns the value of an expression in the page.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%.80s: %v", expression, err)
	}
	return v
}

// calm checks that the page asked for nothing but itself and complained of nothing.
func (p *tab) calm() {
	p.t.Helper()
	trouble, requests := p.heard.Told()
	for _, s := range trouble {
		p.t.Errorf("the page is not calm: %s", s)
	}
	for _, u := range requests {
		if !strings.HasPrefix(u, "file://") || !strings.HasSuffix(u, "/report.html") {
			if !strings.HasPrefix(u, "data:") {
				p.t.Errorf("the page asked for %.200s", u)
			}
		}
	}
	if len(requests) == 0 {
		p.t.Error("no request was seen, not even for the page: the test hears nothing")
	}
}

// axe runs the accessibility rules over the page as it is.
func (p *tab) axe(source string) {
	p.t.Helper()
	eval[bool](p, source+"\n;true")
	got := eval[struct {
		Ran   int      `json:"ran"`
		Found []string `json:"found"`
	}](p, `axe.run(document, {rules: {'target-size': {enabled: true}}}).then((r) => ({ran: r.passes.length, found: r.violations.flatMap((v) =>
		v.nodes.slice(0, 3).map((n) => v.id + ": " + n.html.slice(0, 200) + " | " + n.failureSummary))}))`)
	for _, f := range got.Found {
		p.t.Errorf("axe: %s", f)
	}
	if got.Ran < 20 {
		p.t.Errorf("only %d rules of axe found anything to check", got.Ran)
	}
}

func axeSource(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("testdata/npm/node_modules/axe-core/axe.min.js")
	if err != nil {
		browser.Missing(t, "axe-core (run npm ci in report/testdata/npm)")
	}
	return string(b)
}

const openEverything = `(() => { for (const d of document.querySelectorAll('details')) d.open = true; return true; })()`

func TestHTMLInBrowser(t *testing.T) {
	chromium := browser.Start(t, chromedp.Flag("hide-scrollbars", true))
	axe := axeSource(t)
	r, o := sampleReport(t)
	sample := htmlOf(t, r, o)
	wide, narrow := look{width: 1280, height: 900}, look{width: 360, height: 740}

	t.Run("accessible", func(t *testing.T) {
		for name, l := range map[string]look{
			"light": wide, "dark": {width: 1280, height: 900, dark: true},
			"narrow": narrow, "narrow and dark": {width: 360, height: 740, dark: true},
		} {
			t.Run(name, func(t *testing.T) {
				p := open(t, chromium, sample, l)
				p.axe(axe)
				eval[bool](p, openEverything)
				p.axe(axe)
				p.calm()
			})
		}
	})
	t.Run("help is accessible", func(t *testing.T) {
		p := open(t, chromium, sample, wide)
		eval[bool](p, `document.getElementById('help').showModal(), true`)
		p.axe(axe)
		eval[bool](p, `document.getElementById('help').append(document.createElement('img')), true`)
		if got := eval[string](p, `axe.run(document).then((r) => r.violations.map((v) => v.id).join())`); !strings.Contains(got, "image-alt") {
			t.Errorf("axe does not see a planted fault: %q", got)
		}
	})
	t.Run("several servers are accessible", func(t *testing.T) {
		other := r
		other.Target.Name = "second"
		p := open(t, chromium, htmlOf(t, Report{Schema: Schema, Tool: r.Tool, Servers: []Report{r, other}}, o), wide)
		p.axe(axe)
		p.calm()
	})
	t.Run("fits", func(t *testing.T) {
		for _, width := range []int64{320, 360, 768, 1280} {
			p := open(t, chromium, sample, look{width: width, height: 740})
			eval[bool](p, openEverything)
			if got := eval[int64](p, `document.documentElement.scrollWidth`); got > width {
				t.Errorf("at %d px the page is %d px wide", width, got)
			}
		}
	})
	t.Run("whole without script", func(t *testing.T) { wholeWithoutScript(t, chromium, sample, r) })
	t.Run("hostile", func(t *testing.T) {
		for n := 0; n < len(attacks); n += 5 { // each report holds every attack, in other places
			r, o := hostileReport(n)
			p := open(t, chromium, htmlOf(t, r, o), look{width: 360, height: 740})
			eval[bool](p, openEverything)
			if got := eval[int64](p, `document.documentElement.scrollWidth`); got > 360 {
				t.Errorf("attack %d: at 360 px the page is %d px wide", n, got)
			}
			if eval[bool](p, `document.querySelectorAll('img, iframe, object, embed, [onload], [onerror]').length > 0`) {
				t.Errorf("attack %d: an element came in", n)
			}
			p.calm()
		}
	})
	t.Run("prints", func(t *testing.T) {
		p := open(t, chromium, sample, look{width: 1000, height: 900, media: "print"})
		if eval[bool](p, `[...document.querySelectorAll('.bar, .copy')].some((e) => e.checkVisibility())`) {
			t.Error("a control is printed")
		}
		if eval[bool](p, `[...document.querySelectorAll('.group .wire')].some((e) => !e.checkVisibility({contentVisibilityAuto: true}))`) {
			t.Error("a wire log is folded on paper")
		}
	})
}

func wholeWithoutScript(t *testing.T, chromium context.Context, sample []byte, r Report) {
	p := open(t, chromium, sample, look{width: 1280, height: 900, noScript: true})
	if eval[bool](p, `[...document.querySelectorAll('.needs-script')].some((e) => e.checkVisibility())`) {
		t.Error("a control that needs the script is shown without it")
	}
	for _, g := range Groups(r) {
		if g.Verdict != "fail" {
			continue
		}
		if !eval[bool](p, fmt.Sprintf(`document.getElementById(%q).querySelector('.wire').checkVisibility()`, g.ID)) {
			t.Errorf("%s: its wire log cannot be seen without script", g.ID)
		}
	}
	shown := func(n int) bool {
		return eval[bool](p, fmt.Sprintf(`document.querySelectorAll('.tabs')[0].querySelectorAll('.tab')[%d].checkVisibility()`, n))
	}
	if !shown(0) || shown(1) {
		t.Error("the first tab is not the one shown")
	}
	p.do(chromedp.Click(chromedp.CSS(".tabs .names label:nth-child(2)")))
	if shown(0) || !shown(1) {
		t.Error("the tabs do not work without script")
	}
	p.calm()
}
