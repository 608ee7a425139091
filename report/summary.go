package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/agntn/conform/scenarios"
)

// Neutral is the client id of outcomes that no client's manner can change.
const Neutral = "any"

// Summarise counts outcomes by verdict and gives each client its line: the worst of
// its own outcomes and of the neutral ones that name it as a host, their counts,
// and one plain sentence. The views, if given, let the sentence name the tools that
// a client loses. The clients given are not changed; their order is kept.
func Summarise(outcomes []scenarios.Outcome, clients []Client, views ...scenarios.View) (Summary, []Client) {
	var all Summary
	own := map[string][]scenarios.Outcome{}
	for _, o := range outcomes {
		all.Add(o.Verdict)
		if o.Client != Neutral {
			own[o.Client] = append(own[o.Client], o)
			continue
		}
		for _, h := range slices.Compact(slices.Sorted(slices.Values(o.Hosts))) {
			own[h] = append(own[h], o)
		}
	}
	clients = slices.Clone(clients)
	for i := range clients {
		c := &clients[i]
		c.Summary, c.Verdict = Summary{}, scenarios.NA
		for _, o := range own[c.ID] {
			c.Summary.Add(o.Verdict)
			c.Verdict = scenarios.Worst(c.Verdict, o.Verdict)
		}
		c.Says = says(own[c.ID], viewsOf(views, c.ID))
	}
	return all, clients
}

// Total is the number of outcomes counted.
func (s Summary) Total() int {
	return s.Pass + s.Fail + s.Warn + s.Info + s.NA + s.Unseen + s.Error
}

// Of returns the count of one verdict.
func (s Summary) Of(v scenarios.Verdict) int {
	switch v {
	case scenarios.Pass:
		return s.Pass
	case scenarios.Fail:
		return s.Fail
	case scenarios.Warn:
		return s.Warn
	case scenarios.Info:
		return s.Info
	case scenarios.NA:
		return s.NA
	case scenarios.Unseen:
		return s.Unseen
	case scenarios.Error:
		return s.Error
	}
	return 0
}

func viewsOf(views []scenarios.View, client string) []scenarios.View {
	var own []scenarios.View
	for _, v := range views {
		if v.Client == client {
			own = append(own, v)
		}
	}
	return own
}

// says puts what one client meets into a plain sentence.
func says(outcomes []scenarios.Outcome, views []scenarios.View) string {
	var sum Summary
	for _, o := range outcomes {
		sum.Add(o.Verdict)
	}
	if sum.Error+sum.Fail+sum.Warn+sum.Info+sum.Pass == 0 {
		return notSeen(outcomes)
	}
	lost := toolsLost(views)
	var parts []string
	switch {
	case lost != "":
		parts = append(parts, lost)
	case sum.Fail > 0:
		parts = append(parts, "does not fully work")
	case sum.Warn+sum.Info+sum.Pass > 0:
		parts = append(parts, "works")
	}
	if lost != "" {
		outcomes = slices.DeleteFunc(slices.Clone(outcomes), func(o scenarios.Outcome) bool { return told(o.Check) })
	}
	parts = append(parts, knownPhrases(outcomes)...)
	parts = append(parts, countPhrase(outcomes, scenarios.Fail, "check fails", "checks fail"))
	parts = append(parts, countPhrase(outcomes, scenarios.Warn, "warning", "warnings"))
	if sum.Error > 0 {
		parts = append(parts, count(sum.Error, "check could not be judged", "checks could not be judged"))
	}
	if sum.Unseen > 0 {
		parts = append(parts, count(sum.Unseen, "check was not observed", "checks were not observed"))
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, "; ")
}

// notSeen is the sentence of a client that nothing was observed for.
func notSeen(outcomes []scenarios.Outcome) string {
	for _, o := range outcomes {
		if o.Verdict == scenarios.Unseen && o.Message != "" {
			return "not observed: " + firstSentence(o.Message)
		}
	}
	if len(outcomes) == 0 {
		return "not tried"
	}
	return "nothing here applies to it"
}

// toolsLost names the tools that the client's model never sees.
func toolsLost(views []scenarios.View) string {
	var lost, dropped []string
	for _, v := range views {
		switch v.State {
		case "lost":
			lost = append(lost, v.Tool)
		case "dropped":
			dropped = append(dropped, v.Tool)
		}
	}
	switch {
	case len(lost) > 0:
		return "loses the whole list of tools"
	case len(dropped) > 0:
		return "loses " + count(len(dropped), "tool", "tools") + " of " + thousands(len(views)) + " (" + listed(dropped, 3) + ")"
	}
	return ""
}

// phrase says of some checks how their fault looks to the client's user, in place of a count.
func phrase(check string) (one, many string) {
	switch check {
	case "presentation/label-shown":
		return "tool shows its raw name", "tools show their raw names"
	case "output-schema/text-carries-facts":
		return "tool keeps facts from the model", "tools keep facts from the model"
	case "presentation/title-in-annotations":
		return "tool has no title where it looks for one", "tools have no title where it looks for one"
	case "host-claude-code/description-length", "host-openai/description-length":
		return "description is too long for it", "descriptions are too long for it"
	case "host-gemini/type-arrays":
		return "tool has a parameter of several types", "tools have parameters of several types"
	}
	return "", ""
}

// sentence says the same of checks on the whole list, which is one thing.
func sentence(check string) string {
	if strings.HasPrefix(check, "host-") && strings.HasSuffix(check, "/list-size") {
		return "the list has more tools than it takes well"
	}
	return ""
}

// told reports checks whose fault the loss of tools says already.
func told(check string) bool { return check == "clients/keeps-list" || check == "clients/keeps-tools" }

func knownPhrases(outcomes []scenarios.Outcome) []string {
	subjects, more := map[string][]string{}, map[string]int{}
	for _, o := range outcomes {
		if one, _ := phrase(o.Check); one != "" && faulty(o.Verdict) {
			subjects[o.Check] = append(subjects[o.Check], Subjects(o)...)
			more[o.Check] = max(more[o.Check], o.MoreFaults)
		}
	}
	var parts []string
	for _, o := range outcomes {
		if s := sentence(o.Check); s != "" && faulty(o.Verdict) && !slices.Contains(parts, s) {
			parts = append(parts, s)
		}
	}
	for _, check := range slices.Sorted(maps.Keys(subjects)) {
		one, many := phrase(check)
		n := len(slices.Compact(slices.Sorted(slices.Values(subjects[check])))) + more[check]
		parts = append(parts, count(n, one, many))
	}
	return parts
}

// countPhrase counts the checks of one verdict and names them, or quotes the only
// one when it is short.
func countPhrase(outcomes []scenarios.Outcome, v scenarios.Verdict, one, many string) string {
	first := map[string]scenarios.Outcome{}
	for _, o := range outcomes {
		if p, _ := phrase(o.Check); o.Verdict != v || p != "" || sentence(o.Check) != "" {
			continue
		}
		if f, ok := first[o.Check]; !ok || o.ID < f.ID {
			first[o.Check] = o
		}
	}
	if len(first) == 0 {
		return ""
	}
	checks := slices.Sorted(maps.Keys(first))
	if said := firstSentence(first[checks[0]].Message); len(checks) == 1 && said != "" && len(said) <= 60 {
		return count(1, one, many) + ": " + said
	}
	return count(len(checks), one, many) + " (" + listed(checks, 2) + ")"
}

// faulty reports verdicts that say a claim does not hold.
func faulty(v scenarios.Verdict) bool {
	return v == scenarios.Fail || v == scenarios.Warn || v == scenarios.Info
}

// Subjects returns what an outcome's faults are about, each once, in order.
// An outcome about no one thing has the subject "".
func Subjects(o scenarios.Outcome) []string {
	if len(o.Faults) == 0 {
		return []string{o.Subject}
	}
	list := make([]string, 0, len(o.Faults))
	for _, f := range o.Faults {
		if !slices.Contains(list, f.Subject) {
			list = append(list, f.Subject)
		}
	}
	return list
}
