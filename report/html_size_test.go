package report

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/agntn/conform/scenarios"
)

const mostBytes = 5_000_000

// bigReport has 5,000 outcomes of 250 checks over 10 clients and 2 revisions and
// 300 tools. Every faulty-th check does not hold; apart says that each cell then has
// a cause of its own.
func bigReport(faulty int, apart bool) Report {
	r := Report{Schema: Schema, Tool: Tool{"conform", "0.0.0"}, Target: Target{Name: "big", Tools: 300}}
	for c := range 10 {
		r.Clients = append(r.Clients, Client{ID: fmt.Sprintf("client-%d", c), Product: fmt.Sprintf("Client %d", c), Verdict: scenarios.Warn})
	}
	verdicts := []scenarios.Verdict{scenarios.Fail, scenarios.Warn, scenarios.Info}
	for i := range 5000 {
		check, client, rev := i/20, i%10, []string{"2025-11-25", "2026-07-28"}[i/10%2]
		o := scenarios.Outcome{
			Check: fmt.Sprintf("scenario-%02d/check-%03d", check/10, check), Scenario: fmt.Sprintf("scenario-%02d", check/10),
			Client: fmt.Sprintf("client-%d", client), Revision: rev, Transport: "stdio", Level: scenarios.Must, Verdict: scenarios.Pass,
			Message: fmt.Sprintf("Check %d was seen to hold in %d exchanges.", check, 3+i%7),
			Repro:   "printf '%s\\n' '" + call(i, "tool") + "' | ./server",
		}
		o.ID = o.Check + "@" + o.Client + "@" + rev + "@stdio"
		for f := range 4 {
			o.Evidence = append(o.Evidence,
				scenarios.Frame{AtMS: int64(i + f), Dir: "send", Text: call(i*10+f, fmt.Sprintf("tool_%d", i%300))},
				scenarios.Frame{AtMS: int64(i + f + 2), Dir: "recv", Text: fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%s %d"}]}}`, i*10+f, strings.Repeat("Lorem ipsum dolor sit amet. ", 12), i)})
		}
		if check%faulty == 0 {
			o.Verdict = verdicts[check/faulty%len(verdicts)]
			o.Gate = o.Verdict == scenarios.Fail
			o.Expected = "one line of text, escaped, as the contract has it, " + strings.Repeat("and so on ", 20)
			o.Observed = "two lines of text\nnot escaped, " + strings.Repeat("and so on ", 20)
			if apart {
				o.Observed += strings.Repeat("x", i%97+1) + strings.Repeat("y", i/97+1)
			}
			o.Remedy = "Escape what you repeat."
		}
		r.Summary.Add(o.Verdict)
		r.Outcomes = append(r.Outcomes, o)
	}
	for i := range 300 {
		for c := range 10 {
			r.Views = append(r.Views, scenarios.View{Client: fmt.Sprintf("client-%d", c), Tool: fmt.Sprintf("tool_%d", i),
				Label: fmt.Sprintf("Tool number %d", i), Name: fmt.Sprintf("mcp__big__tool_%d", i), Reads: "text", Hides: []string{"structuredContent", "title"}})
		}
	}
	return r
}

func call(id int, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"query":"garden","limit":%d}}}`, id, tool, id%50)
}

func TestHTMLStaysSmall(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		r      Report
		groups int
	}{
		{"few causes", bigReport(10, false), 25},
		{"many causes", bigReport(1, false), 250},
		{"every cell its own cause", bigReport(1, true), 5000},
	} {
		if n := len(Groups(tc.r)); n != tc.groups {
			t.Errorf("%s: %d groups, want %d", tc.name, n, tc.groups)
		}
		start := time.Now()
		page := htmlOf(t, tc.r, HTMLOptions{})
		took := time.Since(start)
		t.Logf("%s: %d bytes in %v", tc.name, len(page), took)
		if len(page) > mostBytes {
			t.Errorf("%s: the page has %d bytes", tc.name, len(page))
		}
		if took > 20*time.Second { // a guard against quadratic work, not a measure of speed
			t.Errorf("%s: took %v", tc.name, took)
		}
		d := parsed(t, page)
		for _, o := range tc.r.Outcomes {
			if d.ids[o.ID] == nil {
				t.Fatalf("%s: %s has no permalink", tc.name, o.ID)
			}
		}
	}
}

// BenchmarkHTML writes the page of 5,000 outcomes.
func BenchmarkHTML(b *testing.B) {
	for _, bc := range []struct {
		name string
		r    Report
	}{{"few causes", bigReport(10, false)}, {"many causes", bigReport(1, false)}, {"every cell its own cause", bigReport(1, true)}} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := WriteHTML(io.Discard, bc.r, HTMLOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
