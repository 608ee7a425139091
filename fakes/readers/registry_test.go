package readers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers"
)

// TestEveryProfileHasAReader holds the registry to the profiles of the clients.
func TestEveryProfileHasAReader(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../profiles/*.json")
	if err != nil || len(files) < 30 {
		t.Fatalf("found %d profiles: %v", len(files), err)
	}
	for _, f := range files {
		id := strings.TrimSuffix(filepath.Base(f), ".json")
		if strings.Contains(id, ".schema") {
			continue
		}
		if _, ok := readers.For(id); !ok {
			t.Errorf("no reader for the profile %s", id)
		}
	}
	for _, id := range readers.IDs() {
		if _, err := os.Stat("../profiles/" + id + ".json"); err != nil {
			t.Errorf("a reader without a profile: %s", id)
		}
	}
}

// TestFactsAreWhole holds the facts to what a report needs to say of a reader.
func TestFactsAreWhole(t *testing.T) {
	t.Parallel()
	for _, id := range readers.IDs() {
		f, ok := readers.FactsOf(id)
		if !ok || f.Client != id || f.Product == "" || f.Seen == "" || f.Source == "" {
			t.Errorf("%s: facts are not whole: %+v", id, f)
		}
		if f.Source != readers.Observed && len(f.Limits) == 0 {
			t.Errorf("%s was not run, so its facts must say what it does not know", id)
		}
		if f.Source == readers.Observed && f.Version == "" {
			t.Errorf("%s was run, so its version must be known", id)
		}
	}
}

// TestEveryReaderTakesAGoodServer gives each reader what no client may refuse.
func TestEveryReaderTakesAGoodServer(t *testing.T) {
	t.Parallel()
	const list = `{"tools":[{"name":"add_note","title":"Add note","description":"Adds a note.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},"annotations":{"title":"Add note","readOnlyHint":false,"destructiveHint":false,"openWorldHint":false}}],"resultType":"complete","ttlMs":0,"cacheScope":"private"}`
	const answer = `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"noted"}],"resultType":"complete"}}`
	for _, id := range readers.IDs() {
		for _, revision := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
			r, _ := readers.For(id)
			l := r.Listing(revision, [][]byte{[]byte(list)})
			if l.State != fakes.Accepted || len(l.Tools) != 1 || l.Tools[0].State == fakes.Dropped {
				t.Errorf("%s %s: %+v", id, revision, l)
				continue
			}
			tool := l.Tools[0]
			if tool.Name != "add_note" || tool.ModelName == "" || tool.Label == "" || len(tool.Raw) == 0 {
				t.Errorf("%s %s: the tool is not whole: %+v", id, revision, tool)
			}
			a := r.Call(revision, &tool, []byte(answer))
			if a.State != fakes.Accepted || a.IsError || !strings.Contains(a.Text, "noted") {
				t.Errorf("%s %s: %+v", id, revision, a)
			}
			if r.Call(revision, nil, []byte(answer)).State != fakes.Accepted {
				t.Errorf("%s %s: an answer without a listed tool is refused", id, revision)
			}
		}
	}
}

// TestReadersStandAnything puts every variant through every reader.
func TestReadersStandAnything(t *testing.T) {
	t.Parallel()
	for _, id := range readers.IDs() {
		r, _ := readers.For(id)
		for _, v := range append(append(lists(), oddTools()...), calls()...) {
			for _, revision := range []string{"2025-11-25", "2026-07-28"} {
				if v.Kind == "list" {
					l := r.Listing(revision, [][]byte{[]byte(v.Raw)})
					if l.State != fakes.Accepted && l.Why == "" {
						t.Errorf("%s %s %s: %s without a reason", id, revision, v.name, l.State)
					}
					for _, tool := range l.Tools {
						if tool.State != fakes.Accepted && tool.Why == "" {
							t.Errorf("%s %s %s: tool %s without a reason", id, revision, v.name, tool.State)
						}
					}
					continue
				}
				a := r.Call(revision, nil, []byte(strings.ReplaceAll(v.Raw, "@ID@", "3")))
				if a.State != fakes.Accepted && a.Why == "" {
					t.Errorf("%s %s %s: %s without a reason", id, revision, v.name, a.State)
				}
			}
		}
	}
}
