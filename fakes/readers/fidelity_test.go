package readers_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// observation is one row of fidelity.jsonl: an odd tool or an odd answer, and
// what real clients made of it.
type observation struct {
	ID     string            `json:"id"`
	About  string            `json:"about"`
	Tools  map[string]string `json:"tools"` // by place in the list, the odd ones
	Make   string            `json:"make"`  // what the test makes itself, in words
	Wire   string            `json:"wire"`
	Tool   string            `json:"tool"`
	Frame  string            `json:"frame"`
	Server string            `json:"server"`
	Seen   []sighting        `json:"seen"`
}

// sighting is what some clients did, alike. A client is an id and a revision.
type sighting struct {
	Clients     []string        `json:"clients"`
	Verdict     string          `json:"verdict"`
	Schema      json.RawMessage `json:"schema"`
	Name        string          `json:"name"`
	Missing     int             `json:"missing"` // the place of the tool that is gone
	Description string          `json:"description"`
	Label       string          `json:"label"`
	Log         string          `json:"log"`
	Error       string          `json:"error"`
	Text        string          `json:"text"`
}

// observations are those of ten clients in odd cases and of seven more in
// common ones.
func observations(t *testing.T) []observation {
	t.Helper()
	return append(readObservations(t, "fidelity.jsonl"), readObservations(t, "fidelity-agents.jsonl")...)
}

func readObservations(t *testing.T, name string) []observation {
	t.Helper()
	f, err := os.Open("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []observation
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var o observation
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			t.Fatalf("%v: %.200s", err, lines.Text())
		}
		out = append(out, o)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// otherwise lists the sightings that a reader does not give, and why. The key
// is the id of the row and of the client; "*" stands for all clients.
var otherwise = map[string]string{
	"L37 langchain":   callTime,
	"L91 langchain":   callTime,
	"L100 langchain":  callTime,
	"L55 opencode":    callTime,
	"L133 gemini-cli": callTime,
	"L133 langchain":  callTime,
	"L124 gemini-cli": "two answers to one request are a matter of the line, not of a page",
	"L127 *":          "an answer that is an error is no page",
}

// callTime is the reason of rows in which the list is taken and a later call
// fails in the client, which is no matter of the list.
const callTime = "the list is taken; it is the client's own check of the arguments that fails at the call"

// TestReadersAgreeWithObservations holds every reader to what its client was
// seen to do, in each revision.
func TestReadersAgreeWithObservations(t *testing.T) {
	t.Parallel()
	tried, agreed := 0, 0
	used := map[string]bool{}
	for _, o := range observations(t) {
		for _, s := range o.Seen {
			for _, c := range s.Clients {
				client, revision, _ := strings.Cut(c, " ")
				server := o.Server
				if server == "" {
					server = strings.ToLower(o.ID)
				}
				if o.ID[0] != 'A' && !strings.HasSuffix(client, "-cli") && !slices.Contains([]string{"claude-code", "codex", "opencode"}, client) {
					server = "s"
				}
				reader, ok := readers.ForServer(client, server)
				if !ok {
					t.Errorf("%s: there is no reader for %s", o.ID, client)
					continue
				}
				tried++
				fault := ""
				if o.ID[0] == 'L' {
					fault = observeList(reader, client, revision, o, s)
				} else {
					fault = observeCall(reader, client, revision, o, s)
				}
				if fault == "" {
					agreed++
					continue
				}
				explained := false
				for _, key := range []string{o.ID + " " + client, o.ID + " *"} {
					if why := otherwise[key]; why != "" {
						used[key], explained = true, true
						t.Logf("%s %s: %s", o.ID, c, why)
						break
					}
				}
				if !explained {
					t.Errorf("%s %s (%s): seen %s\n%s", o.ID, c, o.About, s.Verdict, fault)
				}
			}
		}
	}
	for key := range otherwise {
		if !used[key] {
			t.Errorf("%s is listed as otherwise, but the reader agrees", key)
		}
	}
	t.Logf("%d of %d sightings agree", agreed, tried)
}

// observedPages makes the pages of a tools/list row.
func observedPages(o observation, revision string) [][]byte {
	tail := ""
	if revision >= "2026" {
		tail = `,"resultType":"complete","ttlMs":3600000,"cacheScope":"private"`
	}
	number := 7
	if o.Make == "600 tools" {
		number = 600
	}
	var tools []string
	for i := 1; i <= number; i++ {
		tool := fmt.Sprintf(`{"name":"t%d","description":"[%s:t%d] tool %d","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`, i, o.ID, i, i)
		if odd, ok := o.Tools[fmt.Sprint(i)]; ok {
			tool = odd
		}
		tools = append(tools, tool)
	}
	page := func(tools []string, more string) []byte {
		return []byte(`{"tools":[` + strings.Join(tools, ",") + `]` + tail + more + `}`)
	}
	switch o.Wire {
	case "page two, after four tools, lists all again":
		return [][]byte{page(tools[:4], `,"nextCursor":"p2"`), page(tools, "")}
	case "nextCursor is 2":
		return [][]byte{page(tools, `,"nextCursor":2`)}
	}
	return [][]byte{page(tools, "")}
}

func observeList(reader fakes.Reader, client, revision string, o observation, s sighting) string {
	l := reader.Listing(revision, observedPages(o, revision))
	if l.State != fakes.Accepted {
		if s.Verdict != "whole-list-lost" && !(s.Verdict == "hang" && l.State == fakes.Hang) {
			return fmt.Sprintf("\tfake %s: %s", l.State, l.Why)
		}
		if seen := s.Error + s.Log; l.Error != "" && seen != "" && !alike(seen, l.Error) {
			return fmt.Sprintf("\tseen %q\n\tfake %q", seen, l.Error)
		}
		return ""
	}
	if strings.HasPrefix(o.Wire, "page two") {
		return observeTwice(l, s)
	}
	at := 2
	if s.Missing > 0 {
		at = s.Missing - 1
	}
	if at >= len(l.Tools) {
		return "\tfake has too few tools"
	}
	tool := l.Tools[at]
	if want := map[string]fakes.State{"accepted": fakes.Accepted, "rewritten": fakes.Rewritten, "tool-dropped": fakes.Dropped}[s.Verdict]; tool.State != want {
		return fmt.Sprintf("\tfake %s: %s", tool.State, tool.Why)
	}
	shown := l.Tools[2]
	var faults []string
	if s.Log != "" && !alike(s.Log, tool.Why) {
		faults = append(faults, fmt.Sprintf("\tlog %q\n\tfake %q", s.Log, tool.Why))
	}
	if s.Name != "" && shown.ModelName != s.Name {
		faults = append(faults, "\tfake calls it "+shown.ModelName)
	}
	if s.Label != "" && shown.Label != s.Label {
		faults = append(faults, fmt.Sprintf("\tlabel %q, fake %q", s.Label, shown.Label))
	}
	if len(s.Schema) > 0 {
		want, _ := js.Parse(s.Schema)
		if want.Kind == js.String {
			want, _ = js.Parse([]byte(want.Str))
		}
		sent, _ := js.Parse(tool.Raw)
		have := sent.Get("inputSchema")
		if tool.Schema != nil {
			have, _ = js.Parse(tool.Schema)
		}
		if have.Get("properties").Kind == js.Object {
			have.Get("properties").Delete("wait_for_previous") // Gemini CLI gives it to every tool
		}
		if !want.Has("additionalProperties") {
			have.Delete("additionalProperties") // the record leaves out the one that libraries add to every tool
		}
		if !js.Equal(want, have) {
			faults = append(faults, fmt.Sprintf("\tschema %s\n\tfake   %s", want.Stringify(), have.Stringify()))
		}
	}
	return strings.Join(faults, "\n")
}

// observeTwice counts the tools of the list in which four come twice.
func observeTwice(l fakes.Listing, s sighting) string {
	shown := 0
	for _, t := range l.Tools {
		if t.State != fakes.Dropped {
			shown++
		}
	}
	want := map[string]int{"accepted": 7, "rewritten": 11, "partial-list": 4}[s.Verdict]
	if shown != want {
		return fmt.Sprintf("\tfake shows %d tools, want %d", shown, want)
	}
	return ""
}

// alike compares a text with one that was recorded. A recorded text may be a
// part of the whole, may have a wrapper around it, and may have a part left out
// as " …[N chars]… ".
func alike(seen, text string) bool {
	flat := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	text = flat(text)
	head, tail, cut := strings.Cut(seen, "…[")
	if !cut {
		seen = flat(seen)
		short := min(len(seen), len(text))
		return seen == text || short > 60 && (strings.Contains(seen, text) || strings.HasPrefix(text, seen))
	}
	_, tail, _ = strings.Cut(tail, "]…")
	bare := flat(head)
	head = flat(unescape(head[wrapperEnd(head):]))
	if len(text) > 60 && strings.HasPrefix(head, text) {
		return true
	}
	if strings.HasPrefix(text, bare) {
		head = bare
	}
	if i := regexp.MustCompile(`[^\\]"`).FindStringIndex(tail); i != nil {
		tail = tail[:i[0]+1]
	}
	return strings.HasPrefix(text, head) && strings.Contains(text, flat(unescape(tail)))
}

// wrapperEnd is where the text begins in a JSON text around it.
func wrapperEnd(s string) int {
	if !strings.HasPrefix(s, `{"`) && !strings.HasPrefix(s, `[{"`) {
		return 0
	}
	end := 0
	for _, i := range regexp.MustCompile(`"(message|content|text|error|output)": ?"`).FindAllStringIndex(s, -1) {
		end = i[1]
	}
	return end
}

func unescape(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\"`, `"`).Replace(s)
}
