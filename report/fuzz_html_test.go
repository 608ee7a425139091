package report

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// FuzzHTML puts one text in every place of a report and holds the page to what
// every page promises: the elements that it is made of and no others, nothing
// that acts or asks, nothing unseen, and the text where a reader can find it.
func FuzzHTML(f *testing.F) {
	for _, s := range attacks {
		if len(s) < 1000 {
			f.Add(s)
			f.Add(s + `'"` + s)
		}
	}
	for _, s := range []string{"", "plain", "a b", "#x", "https://modelcontextprotocol.io/", "tools/list", "\xff", "&lt;", "]]>", "=1+1", "✓"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		t.Parallel()
		if len(s) > 4000 {
			t.Skip()
		}
		r := reportOf(s)
		page := string(htmlOf(t, r, HTMLOptions{
			Texts:     Texts{r.Outcomes[0].Check: {Claim: s, Why: s, Remedy: s, Hosts: []string{s}, Basis: []string{s}, Right: s, Wrong: s, Code: map[string]string{s: s, "Go": s}}},
			Scenarios: map[string]string{"a": s, s: s},
		}))
		d := parsed(t, []byte(page))
		if n := len(d.byTag("script")); n != 1 {
			t.Errorf("%d scripts", n)
		}
		for _, e := range d.all {
			if !strings.Contains(allowed, " "+e.Data+" ") {
				t.Errorf("an element <%s> came in", e.Data)
			}
			for _, a := range e.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || a.Key == "autofocus" {
					t.Errorf("<%s %s=%q>", e.Data, a.Key, a.Val)
				}
				if a.Key == "href" && e.Data == "a" && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "https://modelcontextprotocol.io/") {
					t.Errorf("a link to %q", a.Val)
				}
			}
		}
		for c := range d.root.Descendants() {
			if c.Type == html.CommentNode {
				t.Errorf("a comment came in: %.80q", c.Data)
			}
		}
		checkNoHidden(t, 0, page)
	})
}
