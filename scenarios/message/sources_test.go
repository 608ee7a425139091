package message

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agntn/conform/scenarios/requirements"
)

// TestSourcesExist holds the requirement ids of shapes and code against the
// list, and the levels of the shapes against what each rule bears.
func TestSourcesExist(t *testing.T) {
	t.Parallel()
	list, err := requirements.All()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]requirements.Requirement{}
	for _, r := range list {
		known[r.ID] = r
	}
	used := map[string]bool{}
	for _, revision := range Revisions() {
		b, err := load(revision)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(b.shapes)) {
			if s := b.shapes[name]; s != nil && !strings.HasPrefix(name, "Strict") {
				rules(s, Must, func(level Level, id string) {
					used[id] = true
					r, found := known[id]
					switch {
					case !found:
						t.Errorf("%s: no requirement %q", name, id)
					case rank(level) > rank(Level(r.Strictest())):
						t.Errorf("%s: %s is at most a %s, the shape makes it a %s", name, id, r.Strictest(), level)
					}
				})
			}
		}
	}
	ids := regexp.MustCompile(`"((?:base|mrtr|stdio|http|tasks-extension|elicitation|sampling|roots)\.[a-z0-9-]+)"`)
	for _, file := range []string{"scan.go", "frame.go", "answer.go"} {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ids.FindAllStringSubmatch(string(raw), -1) {
			used[m[1]] = true
			if _, found := known[m[1]]; !found {
				t.Errorf("%s: no requirement %q", file, m[1])
			}
		}
	}
	if len(used) < 80 {
		t.Errorf("only %d requirements are named", len(used))
	}
}

// rules calls do with every requirement that a shape names and the level it has there.
func rules(s *shape, level Level, do func(Level, string)) {
	for _, id := range s.Req {
		do(level, id)
	}
	deeper := func(v variants, l Level) {
		for _, m := range v {
			rules(m, l, do)
		}
	}
	for _, m := range s.Members {
		deeper(m, level)
	}
	deeper(s.Items, level)
	deeper(s.Entries, level)
	deeper(s.Also, level)
	deeper(s.Should, Should)
	deeper(s.Note, Note)
}
