package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/scenarios"
)

var day = time.Date(2026, 11, 29, 23, 0, 0, 0, time.UTC)

// found is an outcome with one fault a subject.
func found(check string, v scenarios.Verdict, subjects ...string) scenarios.Outcome {
	o := scenarios.Outcome{
		ID: check + "@any@2025-11-25@stdio", Check: check, Client: Neutral,
		Revision: "2025-11-25", Transport: "stdio", Verdict: v, Gate: v == scenarios.Fail,
	}
	if len(subjects) > 0 {
		o.Subject = subjects[0]
	}
	if len(subjects) > 1 {
		for _, s := range subjects {
			o.Faults = append(o.Faults, scenarios.FaultLine{Subject: s})
		}
	}
	return o
}

func TestApply(t *testing.T) {
	t.Parallel()
	const pass, fail, warn, unseen = scenarios.Pass, scenarios.Fail, scenarios.Warn, scenarios.Unseen
	id := "a/b@any@2025-11-25@stdio"
	for name, c := range map[string]struct {
		outcome  scenarios.Outcome
		entry    BaselineEntry
		complete bool
		known    bool
		stale    string
		note     string
		exit     int
	}{
		"by id":                          {outcome: found("a/b", fail, "x"), entry: BaselineEntry{ID: id}, known: true},
		"by check":                       {outcome: found("a/b", fail, "x"), entry: BaselineEntry{Check: "a/b"}, known: true},
		"by cell and subject":            {outcome: found("a/b", fail, "x"), entry: BaselineEntry{Check: "a/b", Client: "any", Revision: "2025-11-25", Transport: "stdio", Subject: "x"}, known: true},
		"a warning":                      {outcome: found("a/b", warn, "x"), entry: BaselineEntry{ID: id}, known: true},
		"another subject":                {outcome: found("a/b", fail, "y"), entry: BaselineEntry{ID: id, Subject: "x"}, stale: "gone", exit: 1},
		"another revision":               {outcome: found("a/b", fail, "y"), entry: BaselineEntry{Check: "a/b", Revision: "2025-06-18"}, exit: 1},
		"one more subject":               {outcome: found("a/b", fail, "x", "y"), entry: BaselineEntry{ID: id, Subject: "x"}, note: "new for “y”; the baseline lists “x”", exit: 1},
		"mended":                         {outcome: found("a/b", pass), entry: BaselineEntry{ID: id}, stale: "gone", exit: 1},
		"only mentioned by this profile": {outcome: found("a/b", scenarios.Info, "x"), entry: BaselineEntry{ID: id, Subject: "x"}},
		"does not apply any more":        {outcome: found("a/b", scenarios.NA), entry: BaselineEntry{ID: id}, stale: "gone", exit: 3},
		"not observed":                   {outcome: found("a/b", unseen), entry: BaselineEntry{ID: id}, exit: 3},
		"did not run":                    {outcome: found("a/c", pass), entry: BaselineEntry{ID: id}},
		"of a client that was left out":  {outcome: found("a/c", pass), entry: BaselineEntry{ID: "a/b@chatgpt@2025-11-25@stdio"}, complete: true},
		"did not run in a whole run":     {outcome: found("a/c", pass), entry: BaselineEntry{ID: id}, complete: true, stale: "no such check", exit: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Report{Outcomes: []scenarios.Outcome{c.outcome}}
			Apply(&r, Baseline{Entries: []BaselineEntry{c.entry}}, c.complete)
			if got := r.Outcomes[0].Known; got != c.known || c.known && r.Outcomes[0].Gate {
				t.Errorf("known %v, gate %v, want known %v", got, r.Outcomes[0].Gate, c.known)
			}
			stale := strings.Join(r.Stale, "\n")
			if (c.stale == "") != (stale == "") || !strings.Contains(stale, c.stale) || stale != "" && !strings.Contains(stale, "stale") {
				t.Errorf("stale %q, want %q", stale, c.stale)
			}
			if notes := strings.Join(r.Notes, "\n"); (c.note == "") != (notes == "") || !strings.Contains(notes, c.note) {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
			if got := Exit(r, FailOnFail); got != c.exit {
				t.Errorf("exit %d, want %d", got, c.exit)
			}
		})
	}
}

func TestApplyTellsServersApart(t *testing.T) {
	t.Parallel()
	server := func(name string, v scenarios.Verdict) Report {
		return Report{Target: Target{Name: name}, Outcomes: []scenarios.Outcome{found("a/b", v, "x")}}
	}
	r := Report{Servers: []Report{server("one", scenarios.Fail), server("two", scenarios.Fail)}}
	b := UpdateBaseline(Report{Servers: []Report{server("one", scenarios.Fail)}}, Baseline{}, FailOnFail, true, day)
	Apply(&r, b, true)
	if !r.Servers[0].Outcomes[0].Known || r.Servers[1].Outcomes[0].Known {
		t.Errorf("known: %v and %v, want the first alone", r.Servers[0].Outcomes[0].Known, r.Servers[1].Outcomes[0].Known)
	}
	if len(r.Stale) > 0 {
		t.Errorf("stale: %q", r.Stale)
	}
}

func TestUpdateBaseline(t *testing.T) {
	t.Parallel()
	waived := found("a/waived", scenarios.Fail, "x")
	waived.Waived = "accepted"
	r := Report{Outcomes: []scenarios.Outcome{
		found("a/old", scenarios.Fail, "x", "new"), found("a/mended", scenarios.Pass), found("a/unseen", scenarios.Unseen),
		found("a/warned", scenarios.Warn, "w"), found("a/error", scenarios.Error), waived, found("a/plain", scenarios.Fail),
	}}
	at := func(check string) string { return check + "@any@2025-11-25@stdio" }
	old := Baseline{Schema: BaselineSchema, Entries: []BaselineEntry{
		{ID: at("a/old"), Subject: "x", Reason: "waits for a release", Added: "2026-01-02"},
		{ID: at("a/mended"), Added: "2026-01-02"}, {ID: at("a/unseen"), Added: "2026-01-02"}, {ID: at("a/elsewhere"), Added: "2026-01-02"},
	}}
	want := Baseline{Schema: BaselineSchema, Entries: []BaselineEntry{
		{ID: at("a/elsewhere"), Added: "2026-01-02"},
		{ID: at("a/old"), Subject: "new", Added: "2026-11-29"},
		{ID: at("a/old"), Subject: "x", Reason: "waits for a release", Added: "2026-01-02"},
		{ID: at("a/plain"), Added: "2026-11-29"},
		{ID: at("a/unseen"), Added: "2026-01-02"},
	}}
	got := UpdateBaseline(r, old, FailOnFail, false, day)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	withWarnings := UpdateBaseline(r, old, FailOnWarn, false, day)
	if len(withWarnings.Entries) != len(want.Entries)+1 {
		t.Errorf("with --fail-on warn there are %d entries, want %d", len(withWarnings.Entries), len(want.Entries)+1)
	}
	r.Outcomes = r.Outcomes[:4]
	Apply(&r, got, false)
	if code := Exit(r, FailOnFail); code != ExitOK || len(r.Stale) > 0 {
		t.Errorf("a run with its own baseline exits %d, stale %q", code, r.Stale)
	}
}

// With more faults than a report lists, one entry stands for all: else mending
// one tool would bring up another as new.
func TestUpdateBaselineOfManySubjects(t *testing.T) {
	t.Parallel()
	many := found("a/many", scenarios.Fail, "x", "y")
	many.MoreFaults = 7
	b := UpdateBaseline(Report{Outcomes: []scenarios.Outcome{many}}, Baseline{}, FailOnFail, true, day)
	if diff := cmp.Diff([]BaselineEntry{{ID: many.ID, Added: "2026-11-29"}}, b.Entries); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	r := Report{Outcomes: []scenarios.Outcome{found("a/many", scenarios.Fail, "y", "z")}}
	if Apply(&r, b, true); !r.Outcomes[0].Known || len(r.Stale) > 0 {
		t.Errorf("known %v, stale %q", r.Outcomes[0].Known, r.Stale)
	}
}

func TestBaselineFile(t *testing.T) {
	t.Parallel()
	b := UpdateBaseline(exampleReport(), Baseline{}, FailOnWarn, true, day)
	if len(b.Entries) < 5 {
		t.Fatalf("only %d entries", len(b.Entries))
	}
	var file bytes.Buffer
	if err := WriteBaseline(&file, b); err != nil {
		t.Fatal(err)
	}
	golden(t, "baseline.json", file.Bytes())
	got, err := ReadBaseline(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b, got); diff != "" {
		t.Errorf("read back it differs (-want +got):\n%s", diff)
	}
}

func TestReadBaselineSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"a report":   {`{"schema":"conform/report/v1"}`, "not a conform baseline"},
		"misspelt":   {`{"schema":"conform/baseline/v1","entries":[{"ids":"a"}]}`, `"ids"`},
		"no name":    {`{"schema":"conform/baseline/v1","entries":[{"id":"a/b"},{"subject":"x"}]}`, "entry 2 names neither"},
		"no day":     {`{"schema":"conform/baseline/v1","entries":[{"id":"a/b","added":"yesterday"}]}`, "not a day"},
		"empty file": {``, "the file is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ReadBaseline(strings.NewReader(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestWaive(t *testing.T) {
	t.Parallel()
	mine := found("host-x/name", scenarios.Fail, "t")
	mine.Client = "x"
	for name, c := range map[string]struct {
		waiver Waiver
		waived []string
		note   string
	}{
		"by id":                {waiver: Waiver{Check: "a/b", Reason: "why"}, waived: []string{"a/b"}},
		"by pattern":           {waiver: Waiver{Check: "a/*", Reason: "why"}, waived: []string{"a/b", "a/warn"}},
		"a star spans slashes": {waiver: Waiver{Check: "host-*", Reason: "why"}, waived: []string{"host-x/name"}},
		"for one client":       {waiver: Waiver{Check: "*", Client: "x", Reason: "why"}, waived: []string{"host-x/name"}},
		"on its last day":      {waiver: Waiver{Check: "a/b", Reason: "why", Until: time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)}, waived: []string{"a/b"}},
		"after its last day":   {waiver: Waiver{Check: "a/b", Reason: "why", Until: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)}, note: "expired on 2026-11-28 and no longer counts"},
		"without a reason":     {waiver: Waiver{Check: "a/b"}, note: "has no reason"},
		"without a check":      {waiver: Waiver{Reason: "why"}, note: "names no check"},
		"for what passes":      {waiver: Waiver{Check: "a/pass", Reason: "why"}, note: "names no finding of this run"},
		"for nothing":          {waiver: Waiver{Check: "z/z", Reason: "why"}, note: "names no check of this run"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list := []scenarios.Outcome{
				found("a/b", scenarios.Fail, "t"), found("a/pass", scenarios.Pass), found("a/warn", scenarios.Warn), mine,
			}
			notes := strings.Join(Waive(list, []Waiver{c.waiver}, day), "\n")
			var waived []string
			for _, o := range list {
				if o.Waived != "" {
					waived = append(waived, o.Check)
					if o.Gate {
						t.Errorf("%s is waived and still gates", o.Check)
					}
				}
			}
			if diff := cmp.Diff(c.waived, waived); diff != "" {
				t.Errorf("waived, -want +got:\n%s", diff)
			}
			if (c.note == "") != (notes == "") || !strings.Contains(notes, c.note) {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
		})
	}
}
