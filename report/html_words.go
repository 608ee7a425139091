package report

import (
	"strings"

	"github.com/agntn/conform/scenarios"
)

// headline says in plain words what a run came to, and whom it concerns.
func headline(r Report, groups []Group) (v scenarios.Verdict, line, under string) {
	fails, spared, warns := 0, 0, 0
	for _, g := range groups {
		switch {
		case g.Verdict == scenarios.Fail && g.Gate:
			fails++
		case g.Verdict == scenarios.Fail:
			spared++
		case g.Verdict == scenarios.Warn:
			warns++
		}
	}
	sum := r.Summary
	switch {
	case sum.Pass+sum.Fail+sum.Warn+sum.Info == 0:
		v, line = scenarios.Unseen, "Nothing was proven."
	case fails > 0:
		v, line = scenarios.Fail, count(fails, "finding fails.", "findings fail.")
	case len(r.Stale) > 0:
		v, line = scenarios.Fail, count(len(r.Stale), "stale entry fails the run.", "stale entries fail the run.")
	case spared > 0:
		v, line = scenarios.Warn, "Nothing new fails."
	case warns > 0:
		v, line = scenarios.Warn, "Nothing fails."
	default:
		v, line = scenarios.Pass, "Nothing fails, nothing warns."
	}
	if r.Interrupted {
		line = "Stopped early. So far " + lowerFirst(line)
		if v == scenarios.Pass {
			v = scenarios.Unseen
		}
	}
	var parts []string
	if spared > 0 {
		parts = append(parts, count(spared, "more failure is", "more failures are")+" known or waived.")
	}
	if warns > 0 {
		parts = append(parts, count(warns, "finding warns.", "findings warn."))
	}
	if s := clientsSum(r.Clients); s != "" {
		parts = append(parts, s)
	}
	if sum.Error > 0 {
		parts = append(parts, "conform itself failed in "+count(sum.Error, "place", "places")+"; that says nothing about the server.")
	}
	return v, line, strings.Join(parts, " ")
}

// clientsSum counts clients by what they meet: "Of 11 clients 3 break, 8 work."
func clientsSum(clients []Client) string {
	if len(clients) == 0 {
		return ""
	}
	const inPart scenarios.Verdict = "in part" // works, with checks that were not observed
	by := map[scenarios.Verdict]int{}
	for _, c := range clients {
		v := c.Verdict
		if v == scenarios.Unseen && c.Summary.Pass+c.Summary.Info > 0 {
			v = inPart
		}
		switch v {
		case scenarios.Info:
			v = scenarios.Pass
		case scenarios.NA:
			v = scenarios.Unseen
		}
		by[v]++
	}
	var parts []string
	for _, p := range []struct {
		v         scenarios.Verdict
		one, many string
	}{
		{scenarios.Fail, "breaks", "break"},
		{scenarios.Error, "could not be judged", "could not be judged"},
		{scenarios.Warn, "works with less", "work with less"},
		{scenarios.Pass, "works", "work"},
		{inPart, "works as far as was seen", "work as far as was seen"},
		{scenarios.Unseen, "was not observed", "were not observed"},
	} {
		if n := by[p.v]; n > 0 {
			parts = append(parts, count(n, p.one, p.many))
		}
	}
	if len(parts) == 1 {
		_, says, _ := strings.Cut(parts[0], " ")
		if len(clients) == 1 {
			return "The one client " + says + "."
		}
		return "All " + thousands(len(clients)) + " clients " + says + "."
	}
	return "Of " + count(len(clients), "client ", "clients ") + strings.Join(parts, ", ") + "."
}

// clientSays is a client's line when the report carries none.
func clientSays(v scenarios.Verdict) string {
	switch v {
	case scenarios.Fail:
		return "breaks"
	case scenarios.Warn:
		return "works with less"
	case scenarios.Pass, scenarios.Info:
		return "works"
	case scenarios.Error:
		return "could not be judged: conform failed"
	}
	return "not observed"
}

// exitSays says what an exit code means.
func exitSays(code int) string {
	switch code {
	case ExitOK:
		return "nothing failed"
	case ExitFailed:
		return "failed checks or stale entries"
	case ExitUsage:
		return "usage or configuration error"
	case ExitNothing:
		return "nothing proven"
	case ExitSuite:
		return "conform failed"
	case ExitInterrupted:
		return "interrupted"
	}
	return ""
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
