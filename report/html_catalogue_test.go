package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/agntn/conform/report/browser"
	"github.com/agntn/conform/scenarios"
)

func catalogueOf(t *testing.T, o HTMLOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteCatalogueHTML(&b, Tool{"conform", "1.2.3"}, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCatalogueHTMLHoldsEveryCheck(t *testing.T) {
	t.Parallel()
	_, o := sampleReport(t)
	d := parsed(t, catalogueOf(t, o))
	for id, text := range o.Texts {
		article := d.ids[id]
		if article == nil {
			t.Errorf("%s is not there", id)
			continue
		}
		got := textOf(article)
		for _, want := range []string{text.Claim, text.Why, text.Remedy, "level: " + string(text.Level)} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not there", id, want)
			}
		}
		for name, code := range text.Code {
			if !strings.Contains(got, name) || !strings.Contains(got, strings.ReplaceAll(code, "\t", "    ")) {
				t.Errorf("%s: the code for %s is not there", id, name)
			}
		}
	}
	if title := textOf(d.ids["unknown-tool"]); !strings.HasPrefix(title, "unknown tools") {
		t.Errorf("the scenario's title is %q", title)
	}
	checkLinks(t, d)
}

func TestCatalogueHTMLIsInert(t *testing.T) {
	t.Parallel()
	o := HTMLOptions{Texts: Texts{}}
	for _, a := range attacks {
		o.Texts["x/"+Bound(a, 20)] = CheckText{Claim: a, Why: a, Remedy: a, Level: scenarios.Level(a), Right: a, Wrong: a, Basis: []string{a}, Code: map[string]string{a: a}}
	}
	page := catalogueOf(t, o)
	d := parsed(t, page)
	if len(d.byTag("script")) != 1 || len(d.byTag("img"))+len(d.byTag("iframe")) != 0 {
		t.Error("an element came in")
	}
	for _, a := range d.byTag("a") {
		if to := attr(a, "href"); !strings.HasPrefix(to, "#") && !strings.HasPrefix(to, "https://modelcontextprotocol.io/") {
			t.Errorf("a link to %q", to)
		}
	}
	checkNoHidden(t, 0, string(page))
}

func TestCatalogueHTMLInBrowser(t *testing.T) {
	_, o := sampleReport(t)
	chromium := browser.Start(t, chromedp.Flag("hide-scrollbars", true))
	axe := axeSource(t)
	p := open(t, chromium, catalogueOf(t, o), look{width: 360, height: 740})
	eval[bool](p, openEverything)
	p.axe(axe)
	if got := eval[int64](p, `document.documentElement.scrollWidth`); got > 360 {
		t.Errorf("at 360 px the page is %d px wide", got)
	}
	got := eval[int](p, `(async () => {
		const e = document.getElementById('f-verdict'); e.value = 'must';
		e.dispatchEvent(new Event('input', {bubbles: true}));
		await new Promise((ok) => setTimeout(ok, 200));
		return [...document.querySelectorAll('.finding')].filter((f) => !f.hidden).length;
	})()`)
	want := 0
	for _, text := range o.Texts {
		if text.Level == scenarios.Must {
			want++
		}
	}
	if got != want {
		t.Errorf("%d checks of level must are shown, want %d", got, want)
	}
	p.calm()
}
