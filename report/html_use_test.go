package report

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/agntn/conform/report/browser"
)

// TestHTMLInUse works with the page as a reader would.
func TestHTMLInUse(t *testing.T) {
	chromium := browser.Start(t, chromedp.Flag("hide-scrollbars", true))
	r, o := sampleReport(t)
	sample := htmlOf(t, r, o)
	fresh := func(t *testing.T) *tab { return open(t, chromium, sample, look{width: 1280, height: 900}) }
	const shown = `[...document.querySelectorAll('.finding')].filter((f) => !f.hidden).map((f) => f.id)`

	t.Run("filter and search", func(t *testing.T) {
		p := fresh(t)
		set := func(id, value string) []string {
			return eval[[]string](p, `(async () => {
				const e = document.getElementById('`+id+`'); e.value = '`+value+`';
				e.dispatchEvent(new Event('input', {bubbles: true}));
				await new Promise((ok) => setTimeout(ok, 200));
				return `+shown+`;
			})()`)
		}
		all := eval[[]string](p, shown)
		if len(all) != 21 {
			t.Fatalf("%d findings at first", len(all))
		}
		if got, want := set("f-client", "cursor"), []string{"host-cursor/name-length-with-prefix@cursor@2025-11-25@stdio"}; !slices.Equal(got, want) {
			t.Errorf("findings of Cursor: %q", got)
		}
		set("f-client", "")
		if got := set("f-verdict", "fail"); len(got) != 6 {
			t.Errorf("%d failures: %q", len(got), got)
		}
		if got := set("f-scenario", "http"); len(got) != 2 {
			t.Errorf("failures over http: %q", got)
		}
		if got := set("q", "origin 403"); len(got) != 1 {
			t.Errorf("failures over http that say origin and 403: %q", got)
		}
		if got := set("q", "no such words"); len(got) != 0 {
			t.Errorf("found %q", got)
		}
		if !eval[bool](p, `document.querySelector('.none-match').checkVisibility()`) {
			t.Error("nothing says that nothing matches")
		}
		p.do(chromedp.Click(chromedp.CSS(".none-match .clear")), chromedp.Sleep(200*time.Millisecond))
		if got := eval[[]string](p, shown); len(got) != len(all) {
			t.Errorf("%d findings after clearing", len(got))
		}
		p.calm()
	})

	t.Run("permalinks", func(t *testing.T) {
		p := fresh(t)
		visible := func(id string) bool {
			return eval[bool](p, `(async () => {
				location.hash = '`+id+`';
				await new Promise((ok) => setTimeout(ok, 300));
				const e = document.getElementById('`+id+`'), box = e.getBoundingClientRect();
				return e.checkVisibility() && box.top >= -1 && box.top < innerHeight && (e.tagName !== 'ARTICLE' || e.firstElementChild.open);
			})()`)
		}
		for _, id := range []string{
			"listing/cursor-rejected@any@2025-11-25@stdio",             // a folded finding
			"unknown-tool/prototype-name@any@2025-06-18@http",          // another cell of one
			"unknown-tool/wording@any@2025-11-25@stdio",                // a finding in a folded part
			"envelope/id-echo@any@2025-11-25@stdio",                    // passed
			"prompts/get@any@2025-11-25@stdio",                         // does not apply
			"output-schema/structured-matches@sdk-v1@2025-11-25@stdio", // a cell of an open finding
		} {
			if !visible(id) {
				t.Errorf("#%s does not show it", id)
			}
		}
		if got := eval[string](p, `document.querySelector('.more .wire')?.textContent ?? ''`); got == "" {
			t.Error("a cell does not show its own frames")
		}
		p.calm()
	})

	t.Run("keys", func(t *testing.T) {
		p := fresh(t)
		focused := func(key string) string {
			p.press(key)
			return eval[string](p, `document.activeElement.closest('.finding')?.id ?? document.activeElement.id`)
		}
		first := eval[[]string](p, shown)
		for i, step := range []struct{ key, want string }{{"j", first[0]}, {"j", first[1]}, {"k", first[0]}, {"k", first[0]}, {"/", "q"}} {
			if got := focused(step.key); got != step.want {
				t.Errorf("step %d, %s: focus on %q, want %q", i, step.key, got, step.want)
			}
		}
		if got, typed := focused("j"), eval[string](p, `document.getElementById('q').value`); got != "q" || typed != "j" {
			t.Errorf("a letter in the search box: focus on %q, text %q", got, typed)
		}
		p.press("Escape")
		p.press("?")
		if !eval[bool](p, `document.getElementById('help').open`) {
			t.Error("? does not open the help")
		}
		eval[bool](p, `document.getElementById('keys-on').click(), document.getElementById('help').close(), document.activeElement.blur(), true`)
		p.press("j")
		if eval[bool](p, `!!document.activeElement.closest('.finding')`) {
			t.Error("the keys cannot be switched off")
		}
		p.calm()
	})

	t.Run("copy", func(t *testing.T) {
		p := fresh(t)
		p.do(chromedp.Click(chromedp.CSS(".repeat .copy")), chromedp.Sleep(100*time.Millisecond))
		if got := eval[string](p, `document.querySelector('.repeat .copy').textContent`); got != "Copied" {
			t.Errorf("the button says %q", got)
		}
		p.calm()
	})

	t.Run("many outcomes", func(t *testing.T) { manyOutcomes(t, chromium) })
}

// press sends a key as a keyboard does: its text goes with the key, so that a page
// which takes the key stops the text too.
func (p *tab) press(key string) {
	p.t.Helper()
	down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key}
	if len(key) == 1 {
		down.Text = key
	}
	up := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: key}
	for _, event := range []input.DispatchKeyEventParams{down, up} {
		if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, event); err != nil {
			p.t.Fatal(err)
		}
	}
}

// manyOutcomes opens pages of 5,000 outcomes and 300 tools.
func manyOutcomes(t *testing.T, chromium context.Context) {
	for name, r := range map[string]Report{"few causes": bigReport(10, false), "every cell its own cause": bigReport(1, true)} {
		page := htmlOf(t, r, HTMLOptions{})
		best := 1e9
		var p *tab
		for range 3 { // the machine may be busy with other things once
			p = open(t, chromium, page, look{width: 1280, height: 900})
			best = min(best, eval[float64](p, `new Promise((ok) => new PerformanceObserver((l) => ok(l.getEntries()[0].startTime))
				.observe({type: 'paint', buffered: true}))`))
		}
		t.Logf("%s: first paint after %.0f ms", name, best)
		if best > 1000 {
			t.Errorf("%s: first paint after %.0f ms", name, best)
		}
		// A passed or folded outcome shows its frames from the compressed part.
		got := eval[string](p, `(async () => {
			location.hash = 'scenario-24/check-249@client-9@2026-07-28@stdio';
			for (let i = 0; i < 50 && !document.querySelector('.more'); i++) await new Promise((ok) => setTimeout(ok, 100));
			return document.querySelector('.more')?.textContent ?? '';
		})()`)
		if len(got) < 100 {
			t.Errorf("%s: the details say %q", name, got)
		}
		p.calm()
	}
}
