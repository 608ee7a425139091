package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agntn/conform/scenarios"
)

// What the formats for people say of a finding, in one place.

// sentenceOf is the one sentence of a finding: its message, else the claim that does not hold.
func sentenceOf(o scenarios.Outcome, t CheckText) string {
	switch {
	case o.Message != "":
		return o.Message
	case t.Claim != "":
		return "This does not hold: " + t.Claim
	}
	return cmp.Or(o.Observed, o.Check)
}

// remedyOf is how to mend a finding, by its known cause before all.
func remedyOf(o scenarios.Outcome, t CheckText) string {
	if o.Cause != nil && o.Cause.Remedy != "" {
		return o.Cause.Remedy
	}
	return cmp.Or(o.Remedy, t.Remedy)
}

// subjectsOf lists what a group is about, each once.
func subjectsOf(g Group) []string {
	return tidy(append(slices.Clone(g.Subjects), Subjects(g.Lead)...))
}

// whereMet names the clients, revisions and transports of a group.
func whereMet(r Report, g Group) string {
	var who []string
	for _, id := range g.Clients {
		who = append(who, clientName(r, id))
	}
	where := listed(who, 4)
	var broken []string
	for _, id := range g.Hosts {
		broken = append(broken, clientName(r, id))
	}
	if len(broken) > 0 {
		where += " (it breaks " + listed(broken, 4) + ")"
	}
	for _, list := range [][]string{tidy(g.Revisions), tidy(g.Transports)} {
		if len(list) > 0 {
			where += "; " + listed(list, 6)
		}
	}
	return where
}

// clientName is the product of a client id as people know it.
func clientName(r Report, id string) string {
	if id == Neutral {
		return "any client"
	}
	for _, c := range r.Clients {
		if c.ID == id && c.Product != "" {
			return c.Product
		}
	}
	return id
}

// allExcused reports a group whose every counted cell a baseline or waiver took out.
func allExcused(g Group) bool {
	for _, o := range g.Cells {
		if (o.Verdict == scenarios.Fail || o.Verdict == scenarios.Warn || o.Verdict == scenarios.Error) && !excused(o) {
			return false
		}
	}
	return g.Verdict == scenarios.Fail || g.Verdict == scenarios.Warn
}

// excuse says why a finding does not count.
func excuse(o scenarios.Outcome) string {
	switch {
	case o.Waived != "":
		return "waived: " + o.Waived
	case o.Known:
		return "in the baseline"
	}
	return ""
}

// keyFrames returns at most n frames of an outcome's log, each text once, and how
// many it left out. Proof comes in the order of the faults, so the first fault is
// shown: from the exchange before the first frame that names the subject, which is
// what a difference is told by.
func keyFrames(o scenarios.Outcome, n int) (frames []scenarios.Frame, more int) {
	all := eachOnce(o.Evidence, false)
	if len(all) <= n {
		return all, 0
	}
	from := 0
	if inner, err := marshalString(o.Subject); err == nil && inner != "" {
		from = slices.IndexFunc(all, func(f scenarios.Frame) bool {
			return strings.Contains(f.Text, inner) || strings.Contains(f.Text, o.Subject)
		})
	}
	from = min(max(0, from-2), len(all)-n)
	return all[from : from+n], len(all) - n
}

// eachOnce leaves out frames that stand in a log already: several faults of one
// outcome are often told from the same exchange. Timed says that frames of
// different times differ.
func eachOnce(log []scenarios.Frame, timed bool) []scenarios.Frame {
	type said struct {
		at        int64
		dir, text string
	}
	met := map[said]bool{}
	var all []scenarios.Frame
	for _, f := range log {
		k := said{dir: f.Dir, text: f.Text}
		if timed {
			k.at = f.AtMS
		}
		if !met[k] {
			met[k] = true
			all = append(all, f)
		}
	}
	return all
}

func arrow(dir string) string {
	switch dir {
	case "send":
		return "→"
	case "recv":
		return "←"
	}
	return "·"
}

// excerpt bounds a frame to n characters, around the subject when that stands further on.
func excerpt(text, subject string, n int) string {
	if len(text) <= n || len(subject) < 3 {
		return Bound(text, n)
	}
	i := strings.Index(text, subject)
	from := i - n/3
	if from <= 0 || i+len(subject) < n {
		return Bound(text, n)
	}
	for from > 0 && text[from]&0xc0 == 0x80 { // not within a character
		from--
	}
	return "(" + count(from, "byte", "bytes") + ") … " + Bound(text[from:], n)
}

// targetName is the server as its author knows it.
func targetName(r Report) string {
	name := strings.TrimSpace(r.Target.Name + " " + r.Target.Version)
	switch {
	case r.Target.ID != "" && name != "":
		return r.Target.ID + ": " + name
	case r.Target.ID+name != "":
		return r.Target.ID + name
	}
	if len(r.Servers) > 0 {
		return count(len(r.Servers), "server", "servers")
	}
	return cmp.Or(r.Target.Command, "the server")
}

// overall is the word for a whole run, by its exit code.
func overall(r Report) word {
	switch r.Exit {
	case ExitOK:
		if r.Summary.Warn > 0 {
			return word{"✓", "pass, with warnings", ""}
		}
		return word{"✓", "pass", ""}
	case ExitFailed:
		return word{"✗", "fail", ""}
	case ExitNothing:
		return word{"?", "nothing proven", ""}
	case ExitInterrupted:
		return word{"!", "interrupted", ""}
	}
	return word{"‼", "error", ""}
}
