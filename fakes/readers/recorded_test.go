package readers_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// recorded is a variant and what each of five real command lines made of it, as
// listOutcome or callOutcome writes it. They ran in full, with a scripted model.
// A row of fidelity-cli.jsonl names a variant of lists(), oddTools() or calls();
// one of fidelity-fuzz.jsonl holds a random one itself.
type recorded struct {
	Kind string    `json:"kind"`
	Name string    `json:"name"`
	Raw  string    `json:"raw,omitempty"`
	Tool string    `json:"tool,omitempty"`
	Seen []*string `json:"seen"` // in the order of runs; null where there is none
}

// readRecorded reads one of the files.
func readRecorded(t *testing.T, name string) []recorded {
	t.Helper()
	f, err := os.Open("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []recorded
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row recorded
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// fuzzed are the random variants.
func fuzzed(t *testing.T) []variant {
	t.Helper()
	var out []variant
	for _, r := range readRecorded(t, "fidelity-fuzz.jsonl") {
		out = append(out, variant{Kind: r.Kind, Raw: r.Raw, Tool: r.Tool, name: r.Name})
	}
	return out
}

// runs are the clients and the revisions that ran.
func runs() []column {
	return []column{
		{"claude-code", "2026-07-28"}, {"claude-code", "2025-11-25"}, {"codex", "2025-11-25"}, {"gemini-cli", "2025-11-25"},
		{"opencode", "2025-11-25"}, {"copilot-cli", "2026-07-28"}, {"copilot-cli", "2025-11-25"},
	}
}

// TestReadersAgreeWithRecordedRuns holds the readers of five command lines to
// what those did with every variant.
func TestReadersAgreeWithRecordedRuns(t *testing.T) {
	t.Parallel()
	variants := namedVariants()
	for _, v := range fuzzed(t) {
		variants[v.Kind+" "+v.name] = v
	}
	tried := map[string]int{}
	for _, row := range append(readRecorded(t, "fidelity-cli.jsonl"), readRecorded(t, "fidelity-fuzz.jsonl")...) {
		v, ok := variants[row.Kind+" "+row.Name]
		if !ok {
			t.Errorf("there is no %s variant %q any more: take its row out of the file", row.Kind, row.Name)
			continue
		}
		for i, c := range runs() {
			if row.Seen[i] == nil {
				continue
			}
			tried[c.client+" "+c.revision+" "+row.Kind]++
			if got := outcome(c.client, c.revision, v); got != *row.Seen[i] {
				t.Errorf("%s %s: %s %s\n\tfake %s\n\tseen %s\n\tsent %.300s", c.client, c.revision, row.Kind, row.Name, got, *row.Seen[i], v.Raw)
			}
		}
	}
	if len(tried) < 14 {
		t.Errorf("only %d kinds of run in the file: %v", len(tried), tried)
	}
	t.Logf("%v", tried)
}

// namedVariants are the variants that command lines ran, by kind and name; of
// several with one name the second is called #2.
func namedVariants() map[string]variant {
	out := map[string]variant{}
	for _, v := range slices.Concat(lists(), oddTools(), calls()) {
		key := v.Kind + " " + v.name
		if _, twice := out[key]; twice {
			key += " #2"
		}
		if _, thrice := out[key]; !thrice {
			out[key] = v
		}
	}
	return out
}

// outcome is what a reader makes of a variant. The servers of the recorded runs
// were called s000 for lists and srv for calls.
func outcome(client, revision string, v variant) string {
	if v.Kind == "list" {
		r, _ := readers.ForServer(client, "s000")
		l := r.Listing(revision, [][]byte{[]byte(v.Raw)})
		shown := map[string]js.Value{}
		if l.State == fakes.Accepted {
			for _, tool := range l.Tools {
				if tool.State == fakes.Dropped {
					continue
				}
				sent, _ := js.Parse(tool.Raw)
				schema := sent.Get("inputSchema")
				if tool.Schema != nil {
					schema, _ = js.Parse(tool.Schema)
				}
				shown[tool.ModelName] = schema
			}
		}
		return listOutcome(shown)
	}
	r, _ := readers.ForServer(client, "srv")
	l := r.Listing(revision, [][]byte{[]byte(`{"tools":[` + put(v.Tool, "name", `"c"`) + `],"resultType":"complete","ttlMs":0,"cacheScope":"private"}`)})
	a := r.Call(revision, &l.Tools[0], []byte(strings.ReplaceAll(v.Raw, "@ID@", "7")))
	text := a.Text
	if a.State != fakes.Accepted {
		text = a.Error
	}
	return callOutcome(a.State == fakes.Hang, text)
}

// listOutcome writes the tools a model is shown, each with a hash of its schema.
func listOutcome(shown map[string]js.Value) string {
	var parts []string
	for name, schema := range shown {
		parts = append(parts, name+":"+digest(plain([]byte(schema.Stringify())), 0))
	}
	slices.Sort(parts)
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, " ")
}

// callOutcome writes the text a model reads; a long one as its hash.
func callOutcome(hangs bool, text string) string {
	if hangs {
		return "hangs"
	}
	return digest(text, 40)
}

func digest(s string, short int) string {
	if len(s) <= short {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return "#" + hex.EncodeToString(sum[:6])
}
