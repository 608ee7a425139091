package requirements

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func all(t *testing.T) []Requirement {
	t.Helper()
	rs, err := All()
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

func TestListIsWhole(t *testing.T) {
	t.Parallel()
	rs := all(t)
	if len(rs) != 587 {
		t.Errorf("%d requirements, want 587", len(rs))
	}
	words := map[string][]string{
		"level":    {"MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY-shape"},
		"basis":    {"explicit", "schema", "jsonrpc", "derived"},
		"grade":    {"fail", "warn", "info"},
		"revision": {"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"},
	}
	ids := map[string]bool{}
	shape := regexp.MustCompile(`^[a-z-]+(\.[a-z0-9-]+){1,2}$|^x-mcp-header\.[a-z-]+$`)
	for _, r := range rs {
		if ids[r.ID] {
			t.Errorf("%s stands twice", r.ID)
		}
		ids[r.ID] = true
		if !shape.MatchString(r.ID) {
			t.Errorf("id %q is out of style", r.ID)
		}
		for kind, v := range map[string]string{"level": r.Level, "basis": r.Basis, "grade": r.Grade} {
			if !slices.Contains(words[kind], v) {
				t.Errorf("%s: %s %q is not a known one", r.ID, kind, v)
			}
		}
		if len(r.Revisions) == 0 || !slices.IsSorted(r.Revisions) {
			t.Errorf("%s: revisions %v are missing or not in order", r.ID, r.Revisions)
		}
		for _, v := range r.Revisions {
			if !slices.Contains(words["revision"], v) {
				t.Errorf("%s: revision %q is not a known one", r.ID, v)
			}
		}
		if !strings.HasSuffix(r.Text, ".") || len(r.Text) < 15 || len(r.Text) > 125 {
			t.Errorf("%s: text is no short sentence: %q", r.ID, r.Text)
		}
		if len(r.Sections) == 0 {
			t.Errorf("%s names no section", r.ID)
		}
	}
}

func TestReasonsSayWhatIsMissing(t *testing.T) {
	t.Parallel()
	kinds := []string{"needs a second identity: ", "probing could harm a real server: ", "takes longer than a run: ",
		"needs human judgement: ", "cannot be seen from outside: ", "needs a fixture of the author: "}
	for _, r := range all(t) {
		if r.Reason == "" {
			continue
		}
		if !slices.ContainsFunc(kinds, func(k string) bool { return strings.HasPrefix(r.Reason, k) && len(r.Reason) > len(k)+15 }) {
			t.Errorf("%s: reason %q is of no known kind", r.ID, r.Reason)
		}
	}
}

func TestLinksPointIntoTheSpecification(t *testing.T) {
	t.Parallel()
	for _, r := range all(t) {
		links := r.Links()
		if len(links) == 0 && r.Area() != "tasks-extension" {
			t.Errorf("%s has no link", r.ID)
		}
		for _, l := range links {
			u, err := url.Parse(l)
			if err != nil || u.Host == "" || strings.Contains(l, " ") {
				t.Errorf("%s: bad link %q", r.ID, l)
			}
		}
	}
}

func TestLinkRevision(t *testing.T) {
	t.Parallel()
	every := []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}
	tests := []struct {
		name string
		in   Requirement
		want []string
	}{
		{"same page", Requirement{Revisions: every, Sections: []string{"server/tools#output-schema"}}, []string{site + "2026-07-28/server/tools#output-schema"}},
		{"moved page", Requirement{Revisions: every, Sections: []string{"basic/transports#stdio", "basic/transports/stdio"}},
			[]string{site + "2025-11-25/basic/transports#stdio", site + "2026-07-28/basic/transports/stdio"}},
		{"old rule, newest page", Requirement{Revisions: every[:3], Sections: []string{"basic/versioning#terminology"}}, []string{site + "2026-07-28/basic/versioning#terminology"}},
		{"oldest only", Requirement{Revisions: every[:1], Sections: []string{"basic/index#batching"}}, []string{site + "2025-03-26/basic#batching"}},
		{"no page", Requirement{Revisions: every[3:], Sections: []string{"extension io.modelcontextprotocol/tasks"}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(tt.want, tt.in.Links()); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestStrictest(t *testing.T) {
	t.Parallel()
	tests := []struct{ level, basis, grade, want string }{
		{"MUST", "explicit", "fail", "must"},
		{"MUST NOT", "schema", "fail", "must"},
		{"MUST", "jsonrpc", "fail", "must"},
		{"MUST", "derived", "fail", "should"},
		{"MUST", "explicit", "warn", "should"},
		{"MUST", "explicit", "info", "note"},
		{"SHOULD", "explicit", "fail", "should"},
		{"SHOULD NOT", "explicit", "warn", "should"},
		{"SHOULD", "explicit", "info", "note"},
		{"MAY-shape", "derived", "info", "note"},
		{"MAY-shape", "derived", "warn", "should"},
	}
	for _, tt := range tests {
		if got := (Requirement{Level: tt.level, Basis: tt.basis, Grade: tt.grade}).Strictest(); got != tt.want {
			t.Errorf("%s %s %s: %s, want %s", tt.level, tt.basis, tt.grade, got, tt.want)
		}
	}
}

func TestCoverage(t *testing.T) {
	t.Parallel()
	rep, err := Coverage([]Check{
		{ID: "http/origin-refused", Requirements: []string{"http.origin-validated", "http.origin-refused-403"}},
		{ID: "http/also", Requirements: []string{"http.origin-validated", "no.such"}},
		{ID: "http/also", Requirements: []string{"http.origin-validated"}},
		{ID: "tools/flood", Requirements: []string{"tools.call.rate-limit"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Line{}
	for _, l := range rep.Lines {
		got[l.ID] = l
	}
	if d := cmp.Diff([]string{"http/also", "http/origin-refused"}, got["http.origin-validated"].Checks); d != "" {
		t.Error(d)
	}
	for id, want := range map[string]State{
		"http.origin-refused-403": Covered,
		"tools.call.rate-limit":   Covered, // a check beats a reason
		"completion.rate-limit":   Excused,
		"base.unknown-method":     Open,
	} {
		if got[id].State != want {
			t.Errorf("%s is %s, want %s", id, got[id].State, want)
		}
	}
	if rep.Covered != 3 || rep.Excused != 26 || rep.Open != 587-3-26 {
		t.Errorf("counts %d %d %d", rep.Covered, rep.Excused, rep.Open)
	}
	if rep.Binding != 442 || rep.BindingCovered != 3 {
		t.Errorf("binding %d, covered %d; want 442 and 3", rep.Binding, rep.BindingCovered)
	}
	if d := cmp.Diff([]string{"http/also: no.such"}, rep.Unknown); d != "" {
		t.Error(d)
	}
}
