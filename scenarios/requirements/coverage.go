package requirements

import "sort"

// Check is what coverage has to know of a check: its id and the ids of the
// requirements that it observes.
type Check = struct {
	ID           string
	Requirements []string
}

// State says how a requirement stands.
type State string

// The states of a requirement.
const (
	// Covered: at least one check observes it.
	Covered State = "covered"
	// Excused: no check can, and the reason is known.
	Excused State = "excused"
	// Open: neither a check nor a reason.
	Open State = "open"
)

// Line is one requirement with its checks.
type Line struct {
	Requirement
	State State `json:"state"`
	// Checks are the ids of the checks that observe it, sorted.
	Checks []string `json:"checks"`
}

// Report is what a set of checks covers.
type Report struct {
	// Lines has every requirement, in the order of [All].
	Lines []Line `json:"lines"`
	// Covered, Excused and Open count the lines by state.
	Covered int `json:"covered"`
	Excused int `json:"excused"`
	Open    int `json:"open"`
	// Binding counts the requirements for which Binding holds, BindingCovered those of them that are covered.
	Binding        int `json:"binding"`
	BindingCovered int `json:"binding_covered"`
	// Unknown lists "check: requirement" for each id that a check names and the list lacks.
	Unknown []string `json:"unknown,omitempty"`
}

// Coverage tells which requirements the checks observe. A requirement that has
// both a check and a reason counts as covered. An error means that the embedded
// list is broken.
func Coverage(checks []Check) (Report, error) {
	all, err := All()
	if err != nil {
		return Report{}, err
	}
	known := make(map[string]bool, len(all))
	for _, r := range all {
		known[r.ID] = true
	}
	var rep Report
	by := map[string]map[string]bool{}
	for _, c := range checks {
		for _, id := range c.Requirements {
			if !known[id] {
				rep.Unknown = append(rep.Unknown, c.ID+": "+id)
				continue
			}
			if by[id] == nil {
				by[id] = map[string]bool{}
			}
			by[id][c.ID] = true
		}
	}
	sort.Strings(rep.Unknown)
	for _, r := range all {
		rep.add(line(r, by[r.ID]))
	}
	return rep, nil
}

func line(r Requirement, checks map[string]bool) Line {
	l := Line{Requirement: r, Checks: []string{}, State: Open}
	for id := range checks {
		l.Checks = append(l.Checks, id)
	}
	sort.Strings(l.Checks)
	switch {
	case len(l.Checks) > 0:
		l.State = Covered
	case r.Reason != "":
		l.State = Excused
	}
	return l
}

func (rep *Report) add(l Line) {
	rep.Lines = append(rep.Lines, l)
	switch l.State {
	case Covered:
		rep.Covered++
	case Excused:
		rep.Excused++
	default:
		rep.Open++
	}
	if l.Binding() {
		rep.Binding++
		if l.State == Covered {
			rep.BindingCovered++
		}
	}
}
