package scenarios

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/tidwall/gjson"
)

func TestListingFaults(t *testing.T) {
	t.Parallel()
	facts := func(revision string, tools ...string) *Facts {
		f := &Facts{Revision: revision, Transport: "stdio", Listed: true}
		for _, raw := range tools {
			f.Tools = append(f.Tools, Tool{Name: gjson.Get(raw, "name").Str, Raw: json.RawMessage(raw)})
		}
		return f
	}
	const plain = `{"name":"a","description":"Says a.","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}}`
	tests := []struct {
		name string
		a, b *Facts
		want int
	}{
		{"the same", facts("2026-07-28", plain), facts("2025-11-25", plain), 0},
		{"members in another order", facts("2026-07-28", plain), facts("2025-11-25", `{"inputSchema":{"properties":{"x":{"type":"string"}},"type":"object"},"description":"Says a.","name":"a"}`), 0},
		{"a dialect and a mark of the protocol", facts("2026-07-28", `{"name":"a","description":"Says a.","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"x":{"type":"string","x-mcp-header":"X"}}}}`), facts("2025-11-25", plain), 0},
		{"a framework's members", facts("2026-07-28", plain), facts("2025-11-25", plain[:len(plain)-1]+`,"execution":{"taskSupport":"forbidden"},"_meta":{"x":1}}`), 0},
		{"icons that the older revision does not know", facts("2026-07-28", plain[:len(plain)-1]+`,"icons":[{"src":"https://example.com/i"}]}`), facts("2025-06-18", plain), 0},
		{"icons that it knows", facts("2026-07-28", plain[:len(plain)-1]+`,"icons":[{"src":"https://example.com/i"}]}`), facts("2025-11-25", plain), 1},
		{"an output schema that only the new one takes", facts("2026-07-28", plain[:len(plain)-1]+`,"outputSchema":{"type":"array"}}`), facts("2025-11-25", plain), 0},
		{"another description", facts("2026-07-28", plain), facts("2025-11-25", `{"name":"a","description":"Says b.","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}}`), 1},
		{"another schema", facts("2026-07-28", plain), facts("2025-11-25", `{"name":"a","description":"Says a.","inputSchema":{"type":"object","properties":{"y":{"type":"string"}}}}`), 1},
		{"a tool more", facts("2026-07-28", plain), facts("2025-11-25", plain, `{"name":"b"}`), 1},
		{"a tool less", facts("2026-07-28", plain, `{"name":"b"}`), facts("2025-11-25", plain), 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := listingFaults(tt.a, tt.b, "a", "b"); len(got) != tt.want {
				t.Errorf("got %d faults, want %d: %+v", len(got), tt.want, got)
			}
		})
	}
}

// acrossTape is evidence of an Across cell: one hand-written tape and the
// facts of two revisions.
func acrossTape(t *testing.T, lines ...string) *Evidence {
	t.Helper()
	e := tapeOf(t, Cell{Scenario: "parity", Revision: "all"}, askerFacts(), lines...)
	old, newest := askerFacts(), askerFacts()
	old.Revision, old.Transport, old.Listed = "2025-11-25", "stdio", true
	newest.Revision, newest.Transport, newest.Listed = "2026-07-28", "stdio", true
	e.Run.Targets = []*Facts{newest, old}
	e.Run.Facts.Offered = map[string][]string{"stdio": {"2026-07-28", "2025-11-25"}}
	return e
}

func TestTextsAcrossRevisions(t *testing.T) {
	t.Parallel()
	id := 0
	said := func(revision, time, text string) []string {
		id++
		n := strconv.Itoa(id)
		return []string{callApply(revision+"/valid:apply#1/"+time, n), saysText(n, text)}
	}
	same := join(said("2025-11-25", "1", "done"), said("2026-07-28", "1", "done"))
	steady := join(
		said("2025-11-25", "1", "done"), said("2025-11-25", "2", "done"), said("2025-11-25", "3", "done"),
		said("2026-07-28", "1", "Done."), said("2026-07-28", "2", "Done."), said("2026-07-28", "3", "Done."))
	volatile := join(
		said("2025-11-25", "1", "pid 7"), said("2025-11-25", "2", "pid 9"), said("2025-11-25", "3", "pid 9"),
		said("2026-07-28", "1", "pid 8"), said("2026-07-28", "2", "pid 10"), said("2026-07-28", "3", "pid 10"))
	once := join(said("2025-11-25", "1", "done"), said("2026-07-28", "1", "Done."))
	tests := []struct {
		name  string
		lines []string
		want  string
	}{
		{"the same", same, "pass"},
		{"different every time", steady, "fault"},
		{"different in every process", volatile, "pass"},
		{"different once", once, "pass"},
		{"one revision alone", said("2025-11-25", "1", "done"), "unseen"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := judgeTextsRevisions(acrossTape(t, tt.lines...))
			if got := ruledAs(r); got != tt.want {
				t.Errorf("got %s, want %s: %+v", got, tt.want, r)
			}
		})
	}
}

func TestListingAcrossTransports(t *testing.T) {
	t.Parallel()
	e := acrossTape(t)
	if got := ruledAs(judgeListingTransports(e)); got != "na" {
		t.Errorf("one transport: got %s", got)
	}
	if got := ruledAs(judgeListingRevisions(e)); got != "pass" {
		t.Errorf("the same lists: got %s", got)
	}
	web := askerFacts()
	web.Revision, web.Transport, web.Listed = "2025-11-25", "http", true
	web.Tools[0].Raw = json.RawMessage(`{"name":"apply","description":"Other words."}`)
	e.Run.Targets = append(e.Run.Targets, web)
	e.Run.Facts.Offered["http"] = []string{"2025-11-25"}
	if got := ruledAs(judgeListingTransports(e)); got != "na" {
		t.Errorf("told once, under the first transport: got %s", got)
	}
	e.Cell.Transport = "http"
	if got := ruledAs(judgeListingTransports(e)); got != "fault" {
		t.Errorf("other words over HTTP: got %s", got)
	}
}

func TestQuestionAcrossEras(t *testing.T) {
	t.Parallel()
	const yes = `{"action":"accept","content":{"how":"mild"}}`
	tests := []struct {
		name           string
		message, after string
		want           string
	}{
		{"the same", "Apply?", "applied mild", "pass"},
		{"other words", "Shall I?", "applied mild", "fault"},
		{"another outcome", "Apply?", "did it", "fault"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			old := Cell{Scenario: "elicitation", Client: "any", Revision: "2025-11-25", Transport: "stdio"}
			newest := Cell{Scenario: "input-required", Client: "any", Revision: "2026-07-28", Transport: "stdio"}
			a := tapeOf(t, old, askerFacts(), join(
				[]string{callApply("accept", "10"), questionForm("110", tt.message, choiceForm), personSays("110", yes), saysText("10", tt.after)},
				[]string{callApply("accept:again", "11"), questionForm("111", tt.message, choiceForm), personSays("111", yes), saysText("11", tt.after)})...)
			b := tapeOf(t, newest, askerFacts(), join(modernTalk("accept", "10", yes, complete("ID", "applied mild")), modernTalk("accept:again", "11", yes, complete("ID", "applied mild")))...)
			e := acrossTape(t)
			e.Cell.Client = "any"
			e.Run.Tapes = append(a.Run.Tapes, b.Run.Tapes...)
			e.Run.Cells = []Cell{old, newest}
			r := judgeQuestionEras(e)
			if got := ruledAs(r); got != tt.want {
				t.Errorf("got %s, want %s: %+v", got, tt.want, r)
			}
		})
	}
	if got := ruledAs(judgeQuestionEras(acrossTape(t))); got != "unseen" {
		t.Errorf("without talks: got %s", got)
	}
}
