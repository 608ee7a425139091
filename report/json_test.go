package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/scenarios"
)

func writeJSON(t *testing.T, r Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWriteJSONGolden(t *testing.T) {
	t.Parallel()
	golden(t, "sample.json", writeJSON(t, exampleReport()))
}

func TestWriteJSONSaysTheSameAsReport(t *testing.T) {
	t.Parallel()
	r := exampleReport()
	r.Servers = []Report{exampleReport()}
	plain, err := json.Marshal(canonical(r))
	if err != nil {
		t.Fatal(err)
	}
	var want, got map[string]any
	if err := json.Unmarshal(plain, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(writeJSON(t, r), &got); err != nil {
		t.Fatal(err)
	}
	// A server's own lists come out in their fixed order too.
	servers := want["servers"].([]any)
	if err := json.Unmarshal(writeJSON(t, r.Servers[0]), &servers[0]); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("WriteJSON loses or changes something (-want +got):\n%s", diff)
	}
}

func TestWriteJSONIsInertForTerminals(t *testing.T) {
	t.Parallel()
	for i, r := range string(writeJSON(t, exampleReport())) {
		if r != '\n' && (r < 0x20 || r == 0x7f || hidden(r)) {
			t.Fatalf("character %U stands raw at byte %d", r, i)
		}
	}
}

func TestWriteJSONHasNoNullLists(t *testing.T) {
	t.Parallel()
	text := string(writeJSON(t, Report{Outcomes: []scenarios.Outcome{{ID: "a/b@any@x@stdio", Verdict: scenarios.Pass}}, Views: []scenarios.View{{}}}))
	for _, want := range []string{
		`"clients": []`, `"views": [`, `"not_proven": []`, `"transports": []`, `"revisions": []`,
		`"hosts":[]`, `"basis":[]`, `"evidence":[]`, `"hides": []`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in\n%s", want, text)
		}
	}
	if strings.Contains(strings.Replace(text, `"url": null`, "", 1), "null") {
		t.Errorf("a list is null in\n%s", text)
	}
}

func TestWriteJSONDoesNotDependOnOrderAndLeavesItsArgument(t *testing.T) {
	t.Parallel()
	r := exampleReport()
	want := writeJSON(t, r)
	slices.Reverse(r.Outcomes)
	slices.Reverse(r.Views)
	slices.Reverse(r.NotProven)
	slices.Reverse(r.NotCalled)
	first := r.Outcomes[0].ID
	if diff := cmp.Diff(string(want), string(writeJSON(t, r))); diff != "" {
		t.Errorf("order changes the file:\n%s", diff)
	}
	if r.Outcomes[0].ID != first {
		t.Error("WriteJSON sorted its argument")
	}
}

func TestReadGivesBackWhatWasWritten(t *testing.T) {
	t.Parallel()
	r := exampleReport()
	want := writeJSON(t, r)
	got, err := Read(bytes.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(writeJSON(t, got))); diff != "" {
		t.Errorf("read and written again it differs:\n%s", diff)
	}
	if got.Outcomes[0].Check == "" || len(got.Outcomes) != len(r.Outcomes) {
		t.Errorf("read %d outcomes of %d", len(got.Outcomes), len(r.Outcomes))
	}
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"empty":         {"  \n", "the file is empty"},
		"no JSON":       {"<html>", "byte 1 is no JSON"},
		"cut":           {`{"schema":"conform/report/v1","outc`, "is no JSON"},
		"a list":        {`[1]`, "no JSON object"},
		"another":       {`{"$schema":"x","version":"2.1.0"}`, "no member named schema"},
		"newer":         {`{"schema":"conform/report/v2"}`, `its schema is "conform/report/v2"`},
		"a baseline":    {`{"schema":"conform/baseline/v1","entries":[]}`, "conform/baseline/v1"},
		"wrong types":   {`{"schema":"conform/report/v1","outcomes":"none"}`, "not a conform report"},
		"wrong verdict": {`{"schema":"conform/report/v1","outcomes":[{"id":"a/b","verdict":"great"}]}`, `the verdict "great"`},
		"in a server":   {`{"schema":"conform/report/v1","servers":[{"outcomes":[{"id":"a/b","verdict":""}]}]}`, `the verdict ""`},
		"terminal text": {`{"schema":"` + `\u001b[31m` + `"}`, `\x1b[31m`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Read(strings.NewReader(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want one with %q", err, c.want)
			}
			if strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Errorf("the error holds raw characters: %q", err)
			}
		})
	}
}
