package scenarios

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

// hostCase is a server by hand and what one check says of it.
type hostCase struct {
	check, name string
	// tools are the listed tools; answers maps "<tool> <arguments>" to results.
	tools   string
	answers map[string]string
	// opened is the result of initialize or server/discover, with a server called "sample" unless it says otherwise.
	opened, revision string
	// others are openings under other revisions.
	others map[string]string
	// more are further lines on the tape.
	more []string
	// want is "pass", "na", "unseen", or what the first fault observes, in part.
	want string
	// hosts are clients that the fault names.
	hosts []string
}

// evidence writes the tape of a case.
func (c hostCase) evidence(t *testing.T) *Evidence {
	t.Helper()
	revision := c.revision
	if revision == "" {
		revision = "2025-11-25"
	}
	opened := c.opened
	if opened == "" {
		opened = `{"capabilities":{"tools":{}},"serverInfo":{"name":"sample","version":"1"}}`
	}
	facts := &Facts{Opened: json.RawMessage(opened), Listed: true}
	tools := c.tools
	if tools == "" {
		tools = `[]`
	}
	if !json.Valid([]byte(tools)) || !json.Valid([]byte(opened)) {
		t.Fatalf("not JSON: %s %s", tools, opened)
	}
	gjson.Parse(tools).ForEach(func(_, v gjson.Result) bool {
		facts.Tools = append(facts.Tools, Tool{Name: v.Get("name").String(), Raw: json.RawMessage(v.Raw), Callable: true})
		return true
	})
	method := "initialize"
	if revision == "2026-07-28" {
		method = "discover"
	}
	lines := []string{
		`> open/` + method + ` {"jsonrpc":"2.0","id":1,"method":"` + method + `"}`, `< {"jsonrpc":"2.0","id":1,"result":` + opened + `}`,
		`> open/tools/list {"jsonrpc":"2.0","id":2,"method":"tools/list"}`, `< {"jsonrpc":"2.0","id":2,"result":{"tools":` + tools + `}}`,
	}
	id := 2
	for call, result := range c.answers {
		id++
		tool, args, _ := strings.Cut(call, " ")
		lines = append(lines,
			fmt.Sprintf(`> call:%s#%d {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, id, id, tool, args),
			fmt.Sprintf(`< {"jsonrpc":"2.0","id":%d,"result":%s}`, id, result))
	}
	// The calls are those of another scenario's cell.
	e := tapeOf(t, Cell{Scenario: "output-schema", Revision: revision}, facts, append(lines, c.more...)...)
	e.Cell.Scenario = "hosts"
	for rev, raw := range c.others {
		e.Run.Targets = append(e.Run.Targets, &Facts{Revision: rev, Transport: "stdio", Opened: json.RawMessage(raw)})
	}
	return e
}

// outcome is a ruling in one word, or what its first fault observes.
func outcomeOf(r Ruling) string {
	switch {
	case r.NA != "":
		return "na"
	case len(r.Faults) > 0:
		return r.Faults[0].Observed
	case r.Seen == 0:
		return "unseen"
	}
	return "pass"
}

func runHostCases(t *testing.T, cases []hostCase) {
	t.Helper()
	checks := Catalogue{hosts()}
	for _, c := range cases {
		t.Run(c.check+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			k, ok := checks.Check(c.check)
			if !ok {
				t.Fatal("there is no such check")
			}
			r := k.Judge(c.evidence(t))
			got := outcomeOf(r)
			if slices.Contains([]string{"pass", "na", "unseen"}, c.want) && got != c.want || !strings.Contains(got, c.want) {
				t.Fatalf("got %q, want %q (%+v)", got, c.want, r)
			}
			if len(r.Faults) == 0 {
				return
			}
			named := append(slices.Clone(k.Hosts), r.Faults[0].Hosts...)
			for _, h := range c.hosts {
				if !slices.Contains(named, h) {
					t.Errorf("%s is not among the hosts %v", h, named)
				}
			}
			if len(r.Faults[0].Proof) == 0 {
				t.Error("the fault has no proof")
			}
		})
	}
}

// allHostCases are the cases of all files.
func allHostCases() []hostCase {
	return slices.Concat(hostNameCases(), hostSchemaCases(), hostLimitCases(), hostSizeCases(), hostAnswerCases(), hostDirectoryCases(), hostSearchCases(), hostSettingsCases(), hostAppCases())
}

func TestHostRules(t *testing.T) {
	t.Parallel()
	runHostCases(t, allHostCases())
}

// TestHostRulesBothWays wants a case that passes and one that does not for every check.
func TestHostRulesBothWays(t *testing.T) {
	t.Parallel()
	for _, k := range hosts().Checks {
		passes, fails := false, false
		for _, c := range allHostCases() {
			if c.check == k.ID {
				passes = passes || c.want == "pass"
				fails = fails || !slices.Contains([]string{"pass", "na", "unseen"}, c.want)
			}
		}
		if !passes || !fails {
			t.Errorf("%s: passes %v, fails %v", k.ID, passes, fails)
		}
	}
}

// TestHostChecks holds the table to its form.
func TestHostChecks(t *testing.T) {
	t.Parallel()
	byFault := []string{"host-any/name-length-with-prefix", "host-any/result-size"} // each fault names its own
	for _, k := range hosts().Checks {
		switch {
		case !strings.HasPrefix(k.ID, "host-"):
			t.Errorf("%s is not the id of a host's rule", k.ID)
		case k.Level != Host && k.Level != Note:
			t.Errorf("%s has the level %s", k.ID, k.Level)
		case k.Source == "":
			t.Errorf("%s says not how it is known", k.ID)
		case k.Claim == "" || k.Why == "" || k.Remedy == "" || len(k.Basis) == 0:
			t.Errorf("%s lacks words", k.ID)
		case len(k.Hosts) == 0 && !slices.Contains(byFault, k.ID):
			t.Errorf("%s names no client", k.ID)
		}
	}
}

// TestHostsAreKnown wants every client that the rules name to have a profile.
func TestHostsAreKnown(t *testing.T) {
	t.Parallel()
	known, err := fakes.Load()
	if err != nil {
		t.Fatal(err)
	}
	named := []string{"codex", "pi"}
	for _, k := range hosts().Checks {
		named = append(named, k.Hosts...)
	}
	for _, c := range cuttings() {
		named = append(named, c.hosts...)
	}
	for _, id := range named {
		if _, ok := known.Get(id); !ok {
			t.Errorf("no client is called %s", id)
		}
	}
}
