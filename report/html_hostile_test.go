package report

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/agntn/conform/scenarios"
)

// attacks are texts that mean something to HTML, a terminal, a shell or a reader's eye.
var attacks = []string{
	`</script><script>alert(1)</script>`,
	`<img src=x onerror=alert(1)>`,
	`"><svg onload=alert(1)>`,
	`' autofocus onfocus=alert(1) x='`,
	`--><!--</style><style>*{display:none}</style>`,
	`</template><script>alert(1)</script>`,
	`</title></textarea></pre><iframe src=//evil.example></iframe>`,
	`javascript:alert(1)`,
	`{{.}}{{template "t"}}`,
	"\x1b[31mred\x1b]8;;https://evil.example\x07link\x1b]8;;\x07",
	"nul\x00 bell\a back\b\b\b feed\f tab\t return\r line\nend",
	"\u202egnp.exe\u2066\u2069\u200b\u200d\ufeff\u2028\u2029\u0085\u009b31m",
	"tags \U000e0041\U000e0042 and \xff\xfe broken \xed\xa0\x80 bytes",
	"__proto__",
	strings.Repeat("x", 300_000),
	strings.Repeat("\x00", 20_000),
	strings.Repeat(`{"a":`, 50_000),
	strings.Repeat("[", 100_000),
	strings.Repeat("\u202e<b>\n", 20_000),
}

// hostileReport has an attack in every string of a report, by reflection, so that
// a field added later is attacked too.
func hostileReport(n int) (Report, HTMLOptions) {
	next := n
	attack := func() string {
		next++
		return attacks[next%len(attacks)]
	}
	var fill func(v reflect.Value, deep int)
	fill = func(v reflect.Value, deep int) {
		switch v.Kind() {
		case reflect.String:
			v.SetString(attack())
		case reflect.Int64, reflect.Int:
			v.SetInt(3)
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), deep)
		case reflect.Slice:
			if v.Type() == reflect.TypeFor[[]Report]() {
				return // the several servers are tested by themselves
			}
			const several = 3
			v.Set(reflect.MakeSlice(v.Type(), several, several))
			for i := range several {
				fill(v.Index(i), deep+1)
			}
		case reflect.Struct:
			if v.Type().PkgPath() == "time" {
				return
			}
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					fill(v.Field(i), deep+1)
				}
			}
		}
	}
	var r Report
	fill(reflect.ValueOf(&r).Elem(), 0)
	o := HTMLOptions{Texts: Texts{}, Scenarios: map[string]string{}}
	for i, v := range scenarios.Verdicts() {
		var out scenarios.Outcome
		fill(reflect.ValueOf(&out).Elem(), 0)
		out.Verdict = v
		out.ID = fmt.Sprintf("%d%s", i, out.ID)
		r.Outcomes = append(r.Outcomes, out)
		var text CheckText
		fill(reflect.ValueOf(&text).Elem(), 0)
		text.Code = map[string]string{"Go": attack(), attack(): attack()}
		o.Texts[out.Check] = text
		o.Scenarios[out.Scenario] = attack()
	}
	return r, o
}

// allowed are the elements the page is made of.
const allowed = " html head meta title link style script body svg defs symbol path circle use a p h1 h2 h3 h4 h5 h6 header main nav section article footer " +
	"div span b small ul ol li dl dt dd table thead tbody tr th td details summary figure figcaption pre code del ins q time form label input select option button " +
	"output dialog kbd fieldset legend template "

func TestHTMLHostileTextIsInert(t *testing.T) {
	t.Parallel()
	for n := range attacks {
		r, o := hostileReport(n)
		page := htmlOf(t, r, o)
		d := parsed(t, page)
		if len(d.byTag("script")) != 1 || len(d.byTag("style")) != 1 || len(d.byTag("template")) != 1 {
			t.Fatalf("attack %d: %d scripts, %d styles, %d templates", n, len(d.byTag("script")), len(d.byTag("style")), len(d.byTag("template")))
		}
		for _, e := range d.all {
			if !strings.Contains(allowed, " "+e.Data+" ") {
				t.Errorf("attack %d: an element <%s> came in", n, e.Data)
			}
			for _, a := range e.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "autofocus" || a.Key == "src" {
					t.Errorf("attack %d: <%s %s=%q>", n, e.Data, a.Key, a.Val)
				}
				if a.Key == "href" && e.Data == "a" && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "https://modelcontextprotocol.io/") {
					t.Errorf("attack %d: a link to %q", n, a.Val)
				}
			}
		}
		for c := range d.root.Descendants() {
			if c.Type == html.CommentNode {
				t.Errorf("attack %d: a comment came in: %.80q", n, c.Data)
			}
		}
		checkNoHidden(t, n, string(page))
		if len(page) > 2<<20 {
			t.Errorf("attack %d: the page has %d bytes", n, len(page))
		}
	}
}

// checkNoHidden finds characters that work on a reader or a terminal unseen.
func checkNoHidden(t *testing.T, n int, page string) {
	t.Helper()
	if !utf8.ValidString(page) {
		t.Errorf("attack %d: the page is not UTF-8", n)
	}
	for i, c := range page {
		if c < 0x20 && c != '\n' || c == 0x7f || hidden(c) {
			t.Errorf("attack %d: %U at byte %d: %.60q", n, c, i, page[max(0, i-30):min(len(page), i+30)])
			return
		}
	}
}

func TestHTMLHostileTextIsThere(t *testing.T) {
	t.Parallel()
	o := cell("a/b", "any", scenarios.Fail, `</script><script>alert("x")</script>`+"\x1b[31m\n\u202e", "")
	d := parsed(t, htmlOf(t, Report{Outcomes: []scenarios.Outcome{o}}, HTMLOptions{}))
	text := textOf(d.ids[o.ID])
	if want := `</script><script>alert("x")</script>␛[31m␊` + "\n" + `\u202e`; !strings.Contains(text, want) {
		t.Errorf("the observation is not shown as it was: %q", text)
	}
}

func TestHTMLOfNothing(t *testing.T) {
	t.Parallel()
	page := htmlOf(t, Report{}, HTMLOptions{})
	d := parsed(t, page)
	if text := d.bodyText(); !strings.Contains(text, "Nothing was proven.") {
		t.Errorf("an empty report says %q", text)
	}
}

// TestAwayLeadsToTheWebAlone has addresses that a browser would act on.
func TestAwayLeadsToTheWebAlone(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://modelcontextprotocol.io/specification/2025-11-25/server/tools#x": `<a href="https://modelcontextprotocol.io/specification/2025-11-25/server/tools#x" rel="noopener noreferrer">T</a>`,
		`https://example.com/"onclick="x`:                                         `<a href="https://example.com/%22onclick=%22x" rel="noopener noreferrer">T</a>`,
		"http://example.com/?a=1&b=2":                                             `<a href="http://example.com/?a=1&amp;b=2" rel="noopener noreferrer">T</a>`,
		"javascript:alert(1)":                                                     `<span>T</span>`,
		"JavaScript:alert(1)":                                                     `<span>T</span>`,
		" javascript:alert(1)":                                                    `<span>T</span>`,
		"java\nscript:alert(1)":                                                   `<span>T</span>`,
		"javascript://host/%0aalert(1)":                                           `<span>T</span>`,
		"vbscript:x":                                                              `<span>T</span>`,
		"data:text/html,<script>":                                                 `<span>T</span>`,
		"//evil.example":                                                          `<span>T</span>`,
		"https:opaque":                                                            `<span>T</span>`,
		"#id":                                                                     `<span>T</span>`,
		"":                                                                        `<span>T</span>`,
	} {
		var b strings.Builder
		if err := (link{Text: "T", URL: address}).node().Render(&b); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%q: %s, want %s", address, &b, want)
		}
	}
}

// TestMarkupIsDecidedInOnePlace reads the source of the page: what is written without
// escaping, where links lead and which elements and attributes there are must not
// come from anywhere but html_node.go and what is written there as a literal.
func TestMarkupIsDecidedInOnePlace(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	seen := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || name == "html_node.go" {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			at := files.Position(call.Pos())
			switch f := call.Fun.(type) {
			case *ast.SelectorExpr:
				if x, ok := f.X.(*ast.Ident); ok && x.Name == "g" && slices.Contains([]string{"El", "Attr", "Text", "Textf", "Raw", "Rawf", "NodeFunc"}, f.Sel.Name) {
					t.Errorf("%s: g.%s", at, f.Sel.Name)
				}
			case *ast.Ident:
				if f.Name != "el" && f.Name != "set" && f.Name != "fixed" {
					return true
				}
				seen++
				literal, ok := call.Args[0].(*ast.BasicLit)
				switch {
				case f.Name == "fixed":
					if name != "html_document.go" {
						t.Errorf("%s: markup that is not escaped", at)
					}
				case !ok:
					t.Errorf("%s: the name in %s is no literal", at, f.Name)
				case f.Name == "set" && (strings.HasPrefix(literal.Value, `"on`) || slices.Contains([]string{`"href"`, `"src"`, `"style"`, `"action"`, `"srcdoc"`}, literal.Value)):
					t.Errorf("%s: the attribute %s", at, literal.Value)
				}
			}
			return true
		})
	}
	if seen < 100 {
		t.Errorf("%d elements and attributes were looked at", seen)
	}
}
