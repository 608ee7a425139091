package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/agntn/conform/scenarios"
)

// element is any XML element, for a check of structure.
type element struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Kids    []element  `xml:",any"`
	Text    string     `xml:",chardata"`
}

func (e element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// junitRule is what the readers' common schema says of one element: its attributes
// (those with "!" required) and its children in their order.
type junitRule struct{ attrs, kids string }

var junitRules = map[string]junitRule{
	"testsuites": {"name tests! failures! errors! skipped time", "testsuite"},
	"testsuite":  {"name! tests! failures! errors! skipped time timestamp hostname id package", "properties testcase system-out system-err"},
	"properties": {"", "property"},
	"property":   {"name! value!", ""},
	"testcase":   {"name! classname! time assertions status file line", "properties skipped error failure system-out system-err"},
	"skipped":    {"message type", ""},
	"error":      {"message type", ""},
	"failure":    {"message type", ""},
	"system-out": {"", ""},
}

func checkJUnit(t *testing.T, e element) {
	t.Helper()
	rule, ok := junitRules[e.XMLName.Local]
	if !ok {
		t.Errorf("unknown element %s", e.XMLName.Local)
		return
	}
	allowed := map[string]bool{}
	for _, a := range strings.Fields(rule.attrs) {
		name, required := strings.CutSuffix(a, "!")
		allowed[name] = true
		if required && e.attr(name) == "" {
			t.Errorf("%s lacks %s: %+v", e.XMLName.Local, name, e.Attrs)
		}
	}
	for _, a := range e.Attrs {
		if !allowed[a.Name.Local] {
			t.Errorf("%s has the unknown attribute %s", e.XMLName.Local, a.Name.Local)
		}
	}
	order, last := strings.Fields(rule.kids), 0
	for _, k := range e.Kids {
		at := -1
		for i, name := range order {
			if name == k.XMLName.Local {
				at = i
			}
		}
		if at < last {
			t.Errorf("%s stands in the wrong place of %s", k.XMLName.Local, e.XMLName.Local)
		}
		last = max(last, at)
		checkJUnit(t, k)
	}
}

// counted counts the cases of a suite by what they hold.
func counted(suite element) map[string]int {
	n := map[string]int{}
	for _, c := range suite.Kids {
		if c.XMLName.Local != "testcase" {
			continue
		}
		n["tests"]++
		for _, k := range c.Kids {
			switch k.XMLName.Local {
			case "failure":
				n["failures"]++
			case "error":
				n["errors"]++
			case "skipped":
				n["skipped"]++
			}
		}
	}
	return n
}

func parseJUnit(t *testing.T, text []byte) element {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	var root element
	if err := d.Decode(&root); err != nil {
		t.Fatalf("no XML: %v", err)
	}
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return root
		}
		if s, ok := tok.(xml.CharData); err != nil || !ok || strings.TrimSpace(string(s)) != "" {
			t.Fatalf("text behind the root: %v %v", tok, err)
		}
	}
}

func TestWriteJUnit(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := WriteJUnit(&b, exampleReport(), exampleTexts()); err != nil {
		t.Fatal(err)
	}
	golden(t, "sample.junit.xml", b.Bytes())
	root := parseJUnit(t, b.Bytes())
	if root.XMLName.Local != "testsuites" {
		t.Fatalf("the root is %s", root.XMLName.Local)
	}
	checkJUnit(t, root)
	all := map[string]int{}
	var names []string
	for _, suite := range root.Kids {
		names = append(names, suite.attr("name"))
		for what, n := range counted(suite) {
			all[what] += n
			if suite.attr(what) != strconv.Itoa(n) {
				t.Errorf("suite %s says %s=%s and has %d", suite.attr("name"), what, suite.attr(what), n)
			}
		}
	}
	if got := strings.Join(names, " "); got != "any claude-code chatgpt sdk-v1 gemini-cli" {
		t.Errorf("suites %s", got)
	}
	r := exampleReport()
	want := map[string]int{
		"tests": len(r.Outcomes), "failures": r.Summary.Fail - 1, "errors": r.Summary.Error,
		"skipped": r.Summary.NA + r.Summary.Unseen + 1, // one failure is in the baseline
	}
	for what, n := range want {
		if all[what] != n || root.attr(what) != strconv.Itoa(n) {
			t.Errorf("%s: %d cases, the root says %s, want %d", what, all[what], root.attr(what), n)
		}
	}
}

func TestJUnitCases(t *testing.T) {
	t.Parallel()
	o := scenarios.Outcome{
		ID: "a/b@any@2025-11-25@stdio", Check: "a/b", Scenario: "a", Client: "any", Revision: "2025-11-25", Transport: "stdio",
		Level: scenarios.Must, Message: "It is so.", Basis: []string{"server/tools"},
		Evidence: []scenarios.Frame{{AtMS: 5, Dir: "send", Text: "ping"}, {AtMS: 9, Dir: "recv", Text: "pong\x00\ufffe"}},
	}
	known := o
	known.Known = true
	for name, c := range map[string]struct {
		o       scenarios.Outcome
		verdict scenarios.Verdict
		has     string
		hasNot  string
	}{
		"pass":       {o, scenarios.Pass, `name="a/b@2025-11-25@stdio" classname="a"`, "system-out"},
		"fail":       {o, scenarios.Fail, `<failure message="It is so." type="must">`, "skipped>"},
		"known fail": {known, scenarios.Fail, `<skipped message="in the baseline: It is so.">`, "<failure"},
		"warn":       {o, scenarios.Warn, "<system-out>warn: It is so.", "<failure"},
		"info":       {o, scenarios.Info, "<system-out>info: It is so.", "<failure"},
		"error":      {o, scenarios.Error, `<error message="It is so." type="error">`, "<failure"},
		"n/a":        {o, scenarios.NA, `<skipped message="n/a: It is so.">`, "system-out"},
		"unseen":     {o, scenarios.Unseen, `<skipped message="unseen: It is so.">`, "system-out"},
		"wire log":   {o, scenarios.Fail, "5 ms → ping\n     9 ms ← pong␀\\ufffe", "\x00"},
		"properties": {o, scenarios.Pass, `<property name="basis" value="server/tools">`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.o.Verdict = c.verdict
			var b bytes.Buffer
			if err := WriteJUnit(&b, Report{Outcomes: []scenarios.Outcome{c.o}}, nil); err != nil {
				t.Fatal(err)
			}
			checkJUnit(t, parseJUnit(t, b.Bytes()))
			if !strings.Contains(b.String(), c.has) || c.hasNot != "" && strings.Contains(b.String(), c.hasNot) {
				t.Errorf("want %q and not %q in\n%s", c.has, c.hasNot, b.String())
			}
		})
	}
}

func TestJUnitBoundsTheWireLog(t *testing.T) {
	t.Parallel()
	o := found("a/b", scenarios.Fail)
	for i := range 100 {
		o.Evidence = append(o.Evidence, scenarios.Frame{Dir: "recv", Text: fmt.Sprintf("frame %d %s", i, strings.Repeat("x", 100_000))})
	}
	text := wireText(o)
	if len(text) > junitLog+2*junitText || !strings.Contains(text, "frame 99 ") || !strings.Contains(text, "earlier frames left out") {
		t.Errorf("%d bytes: %.80s", len(text), text)
	}
}
