package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

func judgeTaskEntropy(e *Evidence) Ruling {
	var ids []string
	var proof []*Exchange
	for _, x := range e.createdTasks() {
		ids, proof = append(ids, taskID(x)), append(proof, x)
	}
	if len(ids) < 2 {
		return NotSeen(helpTasks)
	}
	shortest := slices.MinFunc(ids, func(a, b string) int { return len(a) - len(b) })
	differs := len(shortest) - common(ids, func(s string, i int) byte { return s[i] }) - common(ids, func(s string, i int) byte { return s[len(s)-1-i] })
	observed := ""
	switch {
	case len(shortest) < 16:
		observed = fmt.Sprintf("%d characters: %s", len(shortest), short(shortest, 40))
	case differs < 8 || regexp.MustCompile(`^\d+$`).MatchString(strings.Join(ids, "")) && len(shortest) < 20:
		observed = "ids that differ in few places: " + short(strings.Join(ids[:2], ", "), 100)
	}
	if observed != "" {
		return Broken(Fault{Subject: "taskId", Expected: "16 or more random characters", Observed: observed, Proof: proof[:2]})
	}
	return Passed("", proof[:2]...)
}

// common is how many characters all ids share, counted from one end.
func common(ids []string, at func(s string, i int) byte) int {
	n := 0
	for ; ; n++ {
		for _, id := range ids {
			if n >= len(id) || at(id, n) != at(ids[0], n) {
				return n
			}
		}
	}
}

func judgeTaskAnonymous(e *Evidence) Ruling {
	switch {
	case !e.Facts.Capability("tasks.list").Exists():
		return NotApplicable("the server does not declare tasks.list")
	case e.Cell.Transport != "http":
		return NotApplicable("a process of one person has one caller")
	}
	for name := range e.Run.Facts.Header {
		if strings.EqualFold(name, "authorization") {
			return NotApplicable("the run has an Authorization header")
		}
	}
	for _, x := range e.openings() {
		if x.Result().Exists() {
			return Broken(Fault{Subject: "tasks.list", Expected: "tasks.list behind authorization alone", Observed: "tasks.list, declared to anybody", Proof: []*Exchange{x}})
		}
	}
	return NotSeen("the session was not opened")
}
