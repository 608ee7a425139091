package suite_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
	"github.com/agntn/conform/suite/fixtures"
)

// erasScenarios are those about one tool in two eras.
func erasScenarios() []string {
	return []string{"progress", "cancellation", "elicitation", "input-required", "parity"}
}

// textRoles are the jobs that the tools called text_ do on every SDK.
func textRoles() []scenarios.Role {
	role := func(job, tool, arguments, alternative string) scenarios.Role {
		return scenarios.Role{Job: job, Tool: tool, Arguments: json.RawMessage(arguments), Alternative: json.RawMessage(alternative)}
	}
	return []scenarios.Role{
		role("asks", "text_apply", `{"target":"alpha"}`, `{"target":"beta"}`),
		role("progresses", "text_count", `{"steps":3,"ms":20}`, ""),
		role("slow", "text_count", `{"steps":15,"ms":60}`, ""),
	}
}

// runEras runs the scenarios of the two eras against a target.
func runEras(t *testing.T, target suite.Target, profile scenarios.Profile, roles []scenarios.Role) report.Report {
	t.Helper()
	r, _, err := suite.Engine(t.Context(), suite.Config{
		Target: target, Profile: profile, Scenarios: erasScenarios(), Clients: []*fakes.Profile{},
		Allow: suite.AllowAll, Roles: roles, Answer: 5 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Outcomes) == 0 {
		t.Fatalf("nothing was judged: %s", strings.Join(r.Notes, "; "))
	}
	return r
}

func overStdio(target fixtures.Target, env ...string) suite.Target {
	return suite.Target{Command: target.Command, Dir: target.Dir, Env: append(slices.Clone(target.Env), env...)}
}

// told lists what a report tells against the target, as "check revision transport".
func told(r report.Report) []string {
	var out []string
	for _, o := range r.Outcomes {
		switch o.Verdict {
		case scenarios.Fail, scenarios.Warn, scenarios.Info, scenarios.Error:
			out = append(out, o.Check+" "+o.Revision+" "+o.Transport)
		}
	}
	slices.Sort(out)
	return out
}

// holdFindings fails the test when a run tells other things against its target
// than those wanted, with the message of each.
func holdFindings(t *testing.T, alone sync.Locker, want []string, run func() report.Report) {
	t.Helper()
	fixtures.HoldAlone(t, alone, func() []string {
		r := run()
		got := told(r)
		diff := cmp.Diff(want, got)
		if diff == "" {
			return nil
		}
		problems := []string{"findings (-want +got):\n" + diff}
		for _, o := range r.Outcomes {
			if found := o.Check + " " + o.Revision + " " + o.Transport; slices.Contains(got, found) && !slices.Contains(want, found) {
				problems = append(problems, found+": "+o.Message)
			}
		}
		return problems
	})
}

// TestErasOnCarefulTarget runs a server that is right in both eras over both
// transports: everything passes or does not apply.
func TestErasOnCarefulTarget(t *testing.T) {
	t.Parallel()
	target := fixtures.Require(t, "sdk-v2-lowlevel")
	both := overStdio(target)
	both.URL = fixtures.StartHTTP(t, target)
	fixtures.HoldAlone(t, &sync.Mutex{}, func() []string {
		r := runEras(t, both, scenarios.ProfileHouse, textRoles())
		var problems []string
		passed := 0
		for _, o := range r.Outcomes {
			switch {
			case o.Verdict == scenarios.Pass:
				passed++
			case o.Verdict == scenarios.NA && o.Message != "":
			case o.Check == "elicitation/slow-person" && o.Verdict == scenarios.Unseen:
			default:
				problems = append(problems, fmt.Sprintf("%s %s: %s", o.Verdict, o.ID, o.Message))
			}
		}
		if passed < 80 {
			problems = append(problems, fmt.Sprintf("only %d outcomes passed; the two eras over two transports have more to show", passed))
		}
		return problems
	})
}

// TestErasFaults plants one fault at a time in a copy of that server: the
// checks of that fault tell of it, and no others.
func TestErasFaults(t *testing.T) {
	t.Parallel()
	var alone sync.Mutex
	const legacy, modern, all = " 2025-11-25 stdio", " 2026-07-28 stdio", " all stdio"
	tests := []struct {
		fault string
		want  []string
	}{
		{"", nil},
		{"accepts-misfit", []string{"elicitation/misfit-asked-again" + legacy, "input-required/misfit-asked-again" + modern}},
		{"accepts-tampered-state", []string{"input-required/tampered-state" + modern}},
		{"carries-yes-over", []string{"input-required/changed-question" + modern}},
		{"drops-question-cancel", []string{"elicitation/call-cancel-withdraws" + legacy}},
		{"hangs-on-decline", []string{"elicitation/decline" + legacy, "input-required/decline" + modern}},
		{"asks-without-capability", []string{"elicitation/only-if-declared" + legacy, "input-required/only-if-declared" + modern}},
		{"progress-after-answer", []string{"progress/none-after-answer" + legacy, "progress/none-after-answer" + modern}},
		// The same notification breaks two rules: that of calls without a token, and that of tokens nobody sent.
		{"progress-without-token", []string{
			"progress/none-unasked" + legacy, "progress/none-unasked" + modern, "progress/token-known" + legacy, "progress/token-known" + modern,
		}},
		// Over stdio 2026-07-28 makes a must of what is a should elsewhere.
		{"answers-cancelled-call", []string{
			"cancellation/no-answer-after" + legacy, "cancellation/no-answer-after" + modern, "cancellation/silent-on-stdio" + modern,
		}},
		{"differs-in-one-text", []string{"parity/texts-across-revisions" + all}},
	}
	if testing.Short() {
		t.Skip("starts some hundred processes")
	}
	for _, tt := range tests {
		t.Run("fault "+tt.fault, func(t *testing.T) {
			t.Parallel()
			target := fixtures.Require(t, "sdk-v2-lowlevel")
			for i, word := range target.Command {
				target.Command[i] = strings.Replace(word, "/lowlevel/", "/faulty/", 1)
			}
			holdFindings(t, &alone, tt.want, func() report.Report {
				return runEras(t, overStdio(target, "FAULT="+tt.fault), scenarios.ProfileStrict, textRoles())
			})
		})
	}
}

// TestErasWithoutRoles finds the asking, the reporting and the slow tool by itself.
func TestErasWithoutRoles(t *testing.T) {
	t.Parallel()
	target := fixtures.Require(t, "sdk-v2-lowlevel")
	for i, word := range target.Command {
		target.Command[i] = strings.Replace(word, "/lowlevel/", "/faulty/", 1)
	}
	fixtures.HoldAlone(t, &sync.Mutex{}, func() []string {
		r := runEras(t, overStdio(target), scenarios.ProfileStrict, nil)
		problems := told(r)
		for _, check := range []string{"elicitation/accept", "input-required/changed-question", "progress/token-echoed", "cancellation/stops"} {
			if !slices.ContainsFunc(r.Outcomes, func(o scenarios.Outcome) bool { return o.Check == check && o.Verdict == scenarios.Pass }) {
				problems = append(problems, check+" did not pass")
			}
		}
		return problems
	})
}

// TestErasOnSDKs holds what is found on servers of the official SDKs against
// what was measured of them by hand.
func TestErasOnSDKs(t *testing.T) {
	t.Parallel()
	var alone sync.Mutex
	tests := []struct {
		target string
		http   bool
		want   []string
	}{
		// SDK v1 drops a cancellation of request 0. What does not fit ends the call there.
		{target: "sdk-v1", want: []string{
			"cancellation/id-zero 2025-11-25 stdio", "elicitation/asks-again 2025-11-25 stdio", "elicitation/call-cancel-withdraws 2025-11-25 stdio",
		}},
		// McpServer of SDK v2 hands states to the tool unchecked, and has other words for a push in each era.
		{target: "sdk-v2", want: []string{
			"input-required/changed-question 2026-07-28 stdio", "input-required/tampered-state 2026-07-28 stdio", "parity/texts-across-revisions all stdio",
		}},
		{target: "sdk-v2", http: true, want: []string{
			"input-required/changed-question 2026-07-28 http", "input-required/tampered-state 2026-07-28 http", "parity/texts-across-revisions all http",
		}},
		// With a state that the SDK signs nothing gets through; the tool itself asks on after a refusal.
		{target: "sdk-v2-signed", want: []string{
			"elicitation/cancel 2025-11-25 stdio", "elicitation/decline 2025-11-25 stdio", "elicitation/print-mode-cancel 2025-11-25 stdio",
			"input-required/asks-again 2026-07-28 stdio", "input-required/cancel 2026-07-28 stdio", "input-required/decline 2026-07-28 stdio",
		}},
		// The Go SDK answers cancelled calls, asks whoever declared nothing, and hands answers on unchecked.
		{target: "go-sdk", want: []string{
			"cancellation/no-answer-after 2025-11-25 stdio", "cancellation/no-answer-after 2026-07-28 stdio", "cancellation/silent-on-stdio 2026-07-28 stdio",
			"elicitation/asks-again 2025-11-25 stdio", "elicitation/client-error 2025-11-25 stdio",
			"input-required/changed-question 2026-07-28 stdio", "input-required/misfit-asked-again 2026-07-28 stdio",
			"input-required/only-if-declared 2026-07-28 stdio", "input-required/tampered-state 2026-07-28 stdio", "parity/texts-across-revisions all stdio",
		}},
		// Over HTTP it closes the stream of a cancelled call before the question could be taken back on it.
		{target: "go-sdk", http: true, want: []string{
			"cancellation/no-answer-after 2025-11-25 http", "elicitation/asks-again 2025-11-25 http",
			"elicitation/call-cancel-withdraws 2025-11-25 http", "elicitation/client-error 2025-11-25 http",
		}},
		{target: "go-sdk-stateless", http: true, want: []string{
			"input-required/changed-question 2026-07-28 http", "input-required/misfit-asked-again 2026-07-28 http",
			"input-required/only-if-declared 2026-07-28 http", "input-required/tampered-state 2026-07-28 http", "parity/texts-across-revisions all http",
		}},
	}
	for _, tt := range tests {
		name := tt.target + " stdio"
		if tt.http {
			name = tt.target + " http"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := fixtures.Require(t, tt.target)
			run := overStdio(target)
			if tt.http {
				run = suite.Target{URL: fixtures.StartHTTP(t, target)}
			}
			roles := textRoles()
			if tt.target == "sdk-v1" {
				roles = []scenarios.Role{
					{Job: "asks", Tool: "apply_change", Arguments: json.RawMessage(`{"target":"alpha"}`), Alternative: json.RawMessage(`{"target":"beta"}`)},
					{Job: "slow", Tool: "slow_count", Arguments: json.RawMessage(`{"upTo":15,"stepMs":60}`)},
				}
			}
			holdFindings(t, &alone, tt.want, func() report.Report { return runEras(t, run, scenarios.ProfileHosts, roles) })
		})
	}
}
