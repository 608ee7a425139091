package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/scenarios"
)

func TestShown(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, in string
		frame    bool
		n        int
		want     []seg
	}{
		{"plain", "a b", false, 99, []seg{{S: "a b"}}},
		{"line feed ends its line", "a\nb", false, 99, []seg{{S: "a"}, {S: "␊", C: true, L: "LF"}, {S: "\nb"}}},
		{"neighbours are one", "\r\x1b[m", false, 99, []seg{{S: "␍␛", C: true, L: "CR ESC"}, {S: "[m"}}},
		{"runs are counted", "\x00\x00\x00", false, 99, []seg{{S: "␀␀␀", C: true, L: "NUL×3"}}},
		{"named and escaped apart", "\x1b\u202e", false, 99, []seg{{S: "␛", C: true, L: "ESC"}, {S: `\u202e`, C: true}}},
		{"escapes of a frame", `{"a":"x\n\u001b[m\\n\"\u00e9"}`, true, 99,
			[]seg{{S: `{"a":"x`}, {S: `\n\u001b`, C: true}, {S: `[m\\n\"\u00e9"}`}}},
		{"escapes elsewhere are text", `\n`, false, 99, []seg{{S: `\n`}}},
		{"cut", "abcdef", false, 2, []seg{{S: "ab … (4 more characters)"}}},
		{"escape cut in two", `x\u00`, true, 99, []seg{{S: `x\u00`}}},
		{"empty", "", false, 9, nil},
	} {
		if diff := cmp.Diff(tc.want, segments(tc.in, tc.n, tc.frame)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestShownBoundsItsMarks(t *testing.T) {
	t.Parallel()
	in := strings.Repeat("a\x1b", 2000)
	segs := shown(in, 9999)
	if len(segs) > 2*marks+1 {
		t.Errorf("%d segments", len(segs))
	}
	if got, want := flat(segs), strings.Repeat("a␛", 2000); got != want {
		t.Error("text was lost beyond the bound")
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	marked := func(segs []seg) string {
		var b strings.Builder
		for _, s := range segs {
			if s.D != "" {
				b.WriteString("[" + s.D + s.S + "]")
			} else {
				b.WriteString(s.S)
			}
		}
		return b.String()
	}
	for _, tc := range []struct{ name, exp, obs, wantExp, wantObs string }{
		{"equal", "same text", "same text", "same text", "same text"},
		{"a word", `Tool "quince" not found`, `Tool "toString" not found`, `Tool "[-quince]" not found`, `Tool "[+toString]" not found`},
		{"more", `{"a":1}`, `{"a":1,"b":true}`, `{"a":1}`, `{"a":1[+,"b":true]}`},
		{"a control character", "one two three", "one two\n three", "one two three", "one two[+␊][+\n] three"},
		{"nothing in common", "HTTP 404", "it hung up", "HTTP 404", "it hung up"},
		{"one empty", "text", "", "text", ""},
	} {
		exp, obs, differ := compare(tc.exp, tc.obs, longText)
		if got := marked(exp); got != tc.wantExp {
			t.Errorf("%s: expected %q, want %q", tc.name, got, tc.wantExp)
		}
		if got := marked(obs); got != tc.wantObs {
			t.Errorf("%s: observed %q, want %q", tc.name, got, tc.wantObs)
		}
		if want := strings.Contains(tc.wantExp+tc.wantObs, "["); differ != want {
			t.Errorf("%s: differ %v, want %v", tc.name, differ, want)
		}
	}
}

func TestWireLogKeepsItsEnds(t *testing.T) {
	t.Parallel()
	var frames []scenarios.Frame
	for i := range 20 {
		frames = append(frames, scenarios.Frame{AtMS: int64(i), Dir: "send", Text: "x"})
	}
	log := newWireLog(frames, 6, 100, false)
	got := []int{}
	for _, l := range append(log.Head, log.Tail...) {
		got = append(got, l.N)
	}
	if diff := cmp.Diff([]int{1, 2, 17, 18, 19, 20}, got); diff != "" || log.Gap != 14 {
		t.Errorf("gap %d, lines (-want +got):\n%s", log.Gap, diff)
	}
	if whole := newWireLog(frames, 20, 100, false); whole.Gap != 0 || len(whole.Head) != 20 || whole.Tail != nil {
		t.Errorf("a log that fits was cut: %+v", whole)
	}
}

func TestLongFramesAreFolded(t *testing.T) {
	t.Parallel()
	frame := func(text string) wireLine {
		return newWireLine(0, scenarios.Frame{Dir: "recv", Text: text}, 2000, true)
	}
	for _, tc := range []struct {
		name, text, fold string
		line, whole      int // characters at least
	}{
		{"short", `{"a":1}`, "", 7, 0},
		{"long JSON", `{"a":"` + strings.Repeat("x", 1000) + `"}`, "indented", 400, 1010},
		{"long text", strings.Repeat("x", 1000), "in full", 400, 1000},
		{"very long text", strings.Repeat("x", 9000), "more of it", 400, 2000},
		{"hardly long", strings.Repeat("x", lineChars+1), "", lineChars + 1, 0},
	} {
		l := frame(tc.text)
		if line, whole := len(flat(l.Text)), len(flat(l.Whole)); l.Fold != tc.fold || line < tc.line || line > tc.line+60 || whole < tc.whole || whole > tc.whole+60 {
			t.Errorf("%s: fold %q, %d characters in the line, %d folded", tc.name, l.Fold, line, whole)
		}
	}
}

func TestHTTPHeadIsLayout(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, in string
		want     []seg
	}{
		{"request", "POST http://x/mcp\nAccept: a\x1b\n\n{\"a\":\"\\n\"}\n",
			[]seg{{S: "POST http://x/mcp\nAccept: a␛\n\n"}, {S: `{"a":"`}, {S: `\n`, C: true}, {S: `"}`}, {S: "␊", C: true, L: "LF"}, {S: "\n"}}},
		{"answer", "HTTP 404 Not Found\nContent-Type: text/plain", []seg{{S: "HTTP 404 Not Found\nContent-Type: text/plain"}}},
		{"no head", "HTTPS\nx", []seg{{S: "HTTPS"}, {S: "␊", C: true, L: "LF"}, {S: "\nx"}}},
	} {
		got := newWireLine(0, scenarios.Frame{Dir: "send", Text: tc.in}, longText, false).Text
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestIndented(t *testing.T) {
	t.Parallel()
	long := `{"a":"` + strings.Repeat("x", prettyFrom) + `\n"}`
	if got := flat(indented(long)); !strings.HasPrefix(got, "{\n  \"a\": \"xxx") || !strings.HasSuffix(got, "\\n\"\n}") {
		t.Errorf("got %q", got)
	}
	for name, in := range map[string]string{
		"short": `{"a":1}`, "no JSON": strings.Repeat("x", 200), "deep": strings.Repeat("[", 60) + strings.Repeat("]", 60),
		"long": `"` + strings.Repeat("x", prettyBytes) + `"`,
	} {
		if got := indented(in); got != nil {
			t.Errorf("%s: indented to %d segments", name, len(got))
		}
	}
}

func TestSpecLinks(t *testing.T) {
	t.Parallel()
	const site = "https://modelcontextprotocol.io/specification/"
	for _, tc := range []struct {
		basis, revision string
		offered         []string
		want            link
	}{
		{"server/tools#error-handling", "2025-11-25", nil, link{"server/tools#error-handling", site + "2025-11-25/server/tools#error-handling"}},
		{"basic/index#meta", "2025-06-18", nil, link{"basic/index#meta", site + "2025-06-18/basic#meta"}},
		{"schema#tool", "", []string{"2025-03-26", "2025-06-18"}, link{"schema#tool", site + "2025-06-18/schema#tool"}},
		{"basic/transports#x | basic/transports/streamable-http#y", "2025-11-25", nil, link{"basic/transports#x", site + "2025-11-25/basic/transports#x"}},
		{"basic/transports#x | basic/transports/streamable-http#y", "2026-07-28", nil, link{"basic/transports/streamable-http#y", site + "2026-07-28/basic/transports/streamable-http#y"}},
		{"observed with Codex 0.171.0", "2025-11-25", nil, link{"observed with Codex 0.171.0", ""}},
		{"server/../../evil", "2025-11-25", nil, link{"server/../../evil", ""}},
		{"https://evil.example/", "2025-11-25", nil, link{"https://evil.example/", ""}},
		{"server/tools", "../evil", nil, link{"server/tools", site + "2025-11-25/server/tools"}},
	} {
		got := specLinks([]string{tc.basis, tc.basis}, tc.revision, tc.offered)
		if diff := cmp.Diff([]link{tc.want}, got); diff != "" {
			t.Errorf("%q at %q (-want +got):\n%s", tc.basis, tc.revision, diff)
		}
	}
}

func TestHeadline(t *testing.T) {
	t.Parallel()
	gating := func(v scenarios.Verdict, gate bool) scenarios.Outcome {
		o := cell("a/"+string(v), "any", v, "x", "")
		o.Gate = gate
		return o
	}
	run := func(outs ...scenarios.Outcome) Report {
		r := Report{Outcomes: outs}
		for _, o := range outs {
			r.Summary.Add(o.Verdict)
		}
		return r
	}
	stale := run(gating(scenarios.Pass, false))
	stale.Stale = []string{"x"}
	stopped := run(gating(scenarios.Fail, true))
	stopped.Interrupted = true
	clients := run(gating(scenarios.Pass, false))
	clients.Clients = []Client{{Verdict: scenarios.Fail}, {Verdict: scenarios.Info}, {Verdict: scenarios.Pass}, {Verdict: scenarios.NA}}
	alike := run(gating(scenarios.Pass, false))
	alike.Clients = []Client{{Verdict: scenarios.Info}, {Verdict: scenarios.Pass}}
	partly := run(gating(scenarios.Pass, false))
	partly.Clients = []Client{{Verdict: scenarios.Unseen, Summary: Summary{Pass: 4, Unseen: 2}}, {Verdict: scenarios.Unseen, Summary: Summary{Unseen: 2}}}
	alone := run(gating(scenarios.Pass, false))
	alone.Clients = []Client{{Verdict: scenarios.Warn}}
	for _, tc := range []struct {
		name    string
		r       Report
		verdict scenarios.Verdict
		line    string
		under   string
	}{
		{"fails", run(gating(scenarios.Fail, true), gating(scenarios.Warn, false)), scenarios.Fail, "1 finding fails.", "1 finding warns."},
		{"known", run(gating(scenarios.Fail, false)), scenarios.Warn, "Nothing new fails.", "1 more failure is known or waived."},
		{"warns", run(gating(scenarios.Warn, false)), scenarios.Warn, "Nothing fails.", "1 finding warns."},
		{"clean", run(gating(scenarios.Pass, false)), scenarios.Pass, "Nothing fails, nothing warns.", ""},
		{"stale", stale, scenarios.Fail, "1 stale entry fails the run.", ""},
		{"unproven", run(gating(scenarios.Unseen, false)), scenarios.Unseen, "Nothing was proven.", ""},
		{"stopped", stopped, scenarios.Fail, "Stopped early. So far 1 finding fails.", ""},
		{"clients", clients, scenarios.Pass, "Nothing fails, nothing warns.", "Of 4 clients 1 breaks, 2 work, 1 was not observed."},
		{"clients alike", alike, scenarios.Pass, "Nothing fails, nothing warns.", "All 2 clients work."},
		{"clients in part", partly, scenarios.Pass, "Nothing fails, nothing warns.", "Of 2 clients 1 works as far as was seen, 1 was not observed."},
		{"one client", alone, scenarios.Pass, "Nothing fails, nothing warns.", "The one client works with less."},
		{"error", run(gating(scenarios.Error, false), gating(scenarios.Pass, false)), scenarios.Pass, "Nothing fails, nothing warns.",
			"conform itself failed in 1 place; that says nothing about the server."},
	} {
		v, line, under := headline(tc.r, Groups(tc.r))
		if v != tc.verdict || line != tc.line || under != tc.under {
			t.Errorf("%s: %s %q %q, want %s %q %q", tc.name, v, line, under, tc.verdict, tc.line, tc.under)
		}
	}
}
