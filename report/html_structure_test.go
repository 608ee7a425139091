package report

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/agntn/conform/scenarios"
)

// dom is a parsed page with what the tests ask of it.
type dom struct {
	root *html.Node
	all  []*html.Node
	ids  map[string]*html.Node
}

func parsed(t *testing.T, page []byte) dom {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	d := dom{root: root, ids: map[string]*html.Node{}}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		d.all = append(d.all, n)
		if id := attr(n, "id"); id != "" {
			if d.ids[id] != nil {
				t.Errorf("the id %q is there twice", id)
			}
			d.ids[id] = n
		}
	}
	return d
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func (d dom) byTag(tag string) []*html.Node {
	var out []*html.Node
	for _, n := range d.all {
		if n.Data == tag {
			out = append(out, n)
		}
	}
	return out
}

func (d dom) byClass(class string) []*html.Node {
	var out []*html.Node
	for _, n := range d.all {
		for _, c := range strings.Fields(attr(n, "class")) {
			if c == class {
				out = append(out, n)
			}
		}
	}
	return out
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// bodyText is what a reader sees: no style, no script.
func (d dom) bodyText() string {
	var b strings.Builder
	for n := range d.root.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "style" && n.Parent.Data != "script" && n.Parent.Data != "title" {
			b.WriteString(n.Data)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func TestHTMLIsSelfContained(t *testing.T) {
	t.Parallel()
	r, o := sampleReport(t)
	d := parsed(t, htmlOf(t, r, o))

	var policy string
	for _, m := range d.byTag("meta") {
		if attr(m, "http-equiv") == "Content-Security-Policy" {
			policy = attr(m, "content")
		}
	}
	styles, scripts := d.byTag("style"), d.byTag("script")
	if len(styles) != 1 || len(scripts) != 1 {
		t.Fatalf("the page has %d styles and %d scripts, want one of each", len(styles), len(scripts))
	}
	want := "default-src 'none'; img-src data:; style-src '" + digest(textOf(styles[0])) +
		"'; script-src '" + digest(textOf(scripts[0])) + "'; base-uri 'none'; form-action 'none'"
	if diff := cmp.Diff(want, policy); diff != "" {
		t.Errorf("policy (-want +got):\n%s", diff)
	}

	for _, n := range d.all {
		for _, a := range n.Attr {
			switch {
			case a.Key == "style" || strings.HasPrefix(a.Key, "on"):
				t.Errorf("<%s> carries %s, which the policy forbids", n.Data, a.Key)
			case a.Key == "src" || a.Key == "srcset" || a.Key == "action" || a.Key == "poster":
				t.Errorf("<%s %s=%q> asks for a resource", n.Data, a.Key, a.Val)
			case a.Key == "href" && n.Data == "a" && !strings.HasPrefix(a.Val, "#"):
				if u, err := url.Parse(a.Val); err != nil || u.Scheme != "https" || u.Host != "modelcontextprotocol.io" {
					t.Errorf("a link leads to %q", a.Val)
				}
			case a.Key == "href" && n.Data == "link" && !strings.HasPrefix(a.Val, "data:"):
				t.Errorf("a link element asks for %q", a.Val)
			}
		}
	}
}

func TestHTMLLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	r, o := sampleReport(t)
	checkLinks(t, parsed(t, htmlOf(t, Report{Servers: []Report{r, r}}, o)))
	d := parsed(t, htmlOf(t, r, o))
	checkLinks(t, d)
	for _, out := range r.Outcomes {
		if d.ids[out.ID] == nil {
			t.Errorf("outcome %s has no permalink", out.ID)
		}
	}
}

// checkLinks checks that what points into the page points at something.
func checkLinks(t *testing.T, d dom) {
	t.Helper()
	for _, n := range d.all {
		href := attr(n, "href")
		if target, ok := strings.CutPrefix(href, "#"); ok {
			id, err := url.PathUnescape(target)
			if err != nil || d.ids[id] == nil {
				t.Errorf("<%s href=%q> leads nowhere", n.Data, href)
			}
		}
		for _, name := range []string{"aria-labelledby", "for"} {
			for _, id := range strings.Fields(attr(n, name)) {
				if d.ids[id] == nil {
					t.Errorf("<%s %s=%q> names nothing", n.Data, name, id)
				}
			}
		}
	}
}

func TestHTMLSaysEverythingWithoutScript(t *testing.T) {
	t.Parallel()
	r, o := sampleReport(t)
	d := parsed(t, htmlOf(t, r, o))
	for _, n := range d.byClass("needs-script") {
		found := false
		for _, a := range n.Attr {
			found = found || a.Key == "hidden"
		}
		if !found {
			t.Errorf("<%s> does nothing without script and is not hidden", n.Data)
		}
	}
	for _, g := range Groups(r) {
		if g.Verdict == scenarios.Unseen {
			continue
		}
		article := d.ids[g.ID]
		if article == nil || article.Data != "article" {
			t.Errorf("%s is no finding of the page", g.ID)
			continue
		}
		text := textOf(article)
		for name, want := range map[string]string{
			"claim": o.Texts[g.Check].Claim, "reason": o.Texts[g.Check].Why, "remedy": g.Lead.Remedy,
			"repro": g.Lead.Repro, "waiver": g.Lead.Waived, "expectation": flat(shown(g.Lead.Expected, longText)),
			"observation": flat(shown(g.Lead.Observed, longText)),
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the %s %q is not there", g.ID, name, want)
			}
		}
		if want := flat(shown(g.Lead.Message, briefText)); !strings.Contains(text, want) {
			t.Errorf("%s: the message %q is not there", g.ID, want)
		}
		if got := strings.Count(text, "to the server") + strings.Count(text, "from the server"); got == 0 && g.Verdict == scenarios.Fail {
			t.Errorf("%s: no wire log", g.ID)
		}
		for _, c := range g.Cells {
			if n := d.ids[c.ID]; n == nil {
				t.Errorf("%s: its cell %s is not there", g.ID, c.ID)
			}
		}
	}
	text := d.bodyText()
	for _, want := range append(append([]string{r.Command, r.Clients[0].Says, r.Clients[0].Seen}, r.NotProven...), r.Stale...) {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestHTMLGivesNoGrade(t *testing.T) {
	t.Parallel()
	r, o := sampleReport(t)
	text := parsed(t, htmlOf(t, r, o)).bodyText()
	if found := regexp.MustCompile(`\d\s*%|\bscore\b|\bgrade [A-F]\b`).FindString(text); found != "" {
		t.Errorf("the page says %q", found)
	}
}

func TestHTMLHeadingsNest(t *testing.T) {
	t.Parallel()
	one, o := sampleReport(t)
	two := one
	two.Target.Name = "second"
	several := Report{Schema: Schema, Tool: one.Tool, Servers: []Report{one, two}}
	for name, r := range map[string]Report{"one server": one, "two servers": several} {
		last, firsts := 0, 0
		for _, n := range parsed(t, htmlOf(t, r, o)).all {
			if len(n.Data) != 2 || n.Data[0] != 'h' || n.Data[1] < '1' || n.Data[1] > '6' {
				continue
			}
			level := int(n.Data[1] - '0')
			if level > last+1 {
				t.Errorf("%s: <%s> %q follows a heading of level %d", name, n.Data, textOf(n), last)
			}
			if level == 1 {
				firsts++
			}
			last = level
		}
		if firsts != 1 {
			t.Errorf("%s: %d headings of the first level, want one", name, firsts)
		}
	}
}

func TestHTMLSeveralServers(t *testing.T) {
	t.Parallel()
	one, o := sampleReport(t)
	two := one
	two.Target.Name = "second"
	d := parsed(t, htmlOf(t, Report{Schema: Schema, Tool: one.Tool, Servers: []Report{one, two}}, o))
	if n := len(d.byClass("server")); n != 2 {
		t.Errorf("%d sections, want 2", n)
	}
	if n := len(d.byTag("main")); n != 1 {
		t.Errorf("%d main elements, want one", n)
	}
	id := one.Outcomes[0].ID
	if d.ids["s1:"+id] == nil || d.ids["s2:"+id] == nil {
		t.Errorf("outcome %s is not there once a server", id)
	}
	if !strings.Contains(textOf(d.byTag("h1")[0]), "2 servers") {
		t.Errorf("the title is %q", textOf(d.byTag("h1")[0]))
	}
}

func TestHTMLMatrixRollsUp(t *testing.T) {
	t.Parallel()
	r := Report{
		Clients: []Client{{ID: "one", Product: "One"}, {ID: "two", Product: "Two"}},
		Outcomes: []scenarios.Outcome{
			cell("a/x", "one", scenarios.Pass, "", ""),
			cell("a/y", "one", scenarios.Warn, "w", ""),
			cell("a/z", "one", scenarios.Fail, "f", ""),
			cell("b/x", "any", scenarios.Fail, "f", ""),
			cell("b/y", "two", scenarios.Pass, "", ""),
			cell("host-two/q", "two", scenarios.NA, "", ""),
		},
	}
	r.Outcomes[3].Hosts = []string{"two", "two"}
	more := newLazy()
	p := newPage(r, HTMLOptions{}, more)
	type short struct {
		Row   string
		Cells []string
	}
	var got []short
	for _, row := range p.Sections[0].Matrix.Rows {
		s := short{Row: row.Title}
		for _, c := range row.Cells {
			if c.Empty {
				s.Cells = append(s.Cells, "")
				continue
			}
			s.Cells = append(s.Cells, strings.TrimSpace(string(c.Verdict)+" "+string(rune('0'+c.Count))+" "+c.Notes))
		}
		got = append(got, s)
	}
	want := []short{
		{"a", []string{"", "fail 1 #1 #3", ""}},
		{"b", []string{"fail 1 #2", "", "fail 1 #2"}},
		{"rules of each host", []string{"", "", "na 1"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("matrix (-want +got):\n%s", diff)
	}
}

func TestHTMLKeepsTheDetailsOfOtherCells(t *testing.T) {
	t.Parallel()
	r, o := sampleReport(t)
	d := parsed(t, htmlOf(t, r, o))
	box := d.ids["more"]
	if box == nil || attr(box, "data-encoding") != "json" && attr(box, "data-encoding") != "gzip" {
		t.Fatal("no details")
	}
	if attr(box, "data-encoding") == "gzip" {
		return // the browser tests read it
	}
	var entries map[string]lazyEntry
	if err := json.Unmarshal([]byte(textOf(box)), &entries); err != nil {
		t.Fatal(err)
	}
	e, ok := entries["unknown-tool/refused@any@2025-11-25@stdio"]
	if !ok || len(e.Frames) != 2 || e.Message == "" {
		t.Errorf("details of a passed outcome: %+v", e)
	}
}
