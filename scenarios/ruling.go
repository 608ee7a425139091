package scenarios

// Ruling is what a judge found in the evidence of one cell, before a profile grades it.
type Ruling struct {
	// Seen counts the observations that the ruling rests on. Without any, and
	// without NA, the outcome is unseen: silence never passes.
	Seen int
	// Faults are the ways in which the claim does not hold.
	Faults []Fault
	// NA says why the check does not apply; Unseen what would let it be observed.
	NA     string
	Unseen string
	// Note is one sentence about what was seen when the check passes.
	Note string
	// Proof are exchanges worth showing when the check passes.
	Proof []*Exchange
	// Source says how the client facts are known that the ruling rests on,
	// where they differ from cell to cell; it replaces the check's own.
	Source Confidence
}

// Fault is one way in which a claim does not hold.
type Fault struct {
	// Subject is what the fault is about: a tool, a name, a member.
	Subject  string
	Expected string
	Observed string
	// Message is one sentence for a person; without it, the check's claim is negated by the report.
	Message string
	// Proof are the exchanges that show it, in order.
	Proof []*Exchange
	// With are exchanges that show nothing by themselves, and without which it
	// does not happen again.
	With []*Exchange
	// Beside says that exchanges of different sessions were under way at the same time.
	Beside bool
	// Hosts are clients that this fault breaks, beyond those of the check.
	Hosts []string
}

// Passed rules that the claim was seen to hold in the given exchanges.
func Passed(note string, proof ...*Exchange) Ruling {
	return Ruling{Seen: max(1, len(proof)), Note: note, Proof: proof}
}

// Broken rules that the claim does not hold.
func Broken(faults ...Fault) Ruling { return Ruling{Seen: len(faults), Faults: faults} }

// NotApplicable rules that the check does not apply, for the given reason.
func NotApplicable(why string) Ruling { return Ruling{NA: why} }

// NotSeen rules that the check applies and could not be observed; want says what would show it.
func NotSeen(want string) Ruling { return Ruling{Unseen: want} }

// add counts one observation, with the fault it shows if any. Exchanges that
// prove nothing are left out.
func (r Ruling) add(x *Exchange, f *Fault) Ruling {
	if f == nil && (x.Unusable() || !x.Answered() && x.Lost() == "") {
		return r
	}
	if f != nil && x.Unusable() {
		return r
	}
	r.Seen++
	if f != nil {
		r.Faults = append(r.Faults, *f)
		return r
	}
	if len(r.Proof) < 3 {
		r.Proof = append(r.Proof, x)
	}
	return r
}

// lostFault is the fault of a request that got no answer because of the
// target; nil when an answer came or the target is not to blame.
func lostFault(x *Exchange, expected string) *Fault {
	lost := x.Lost()
	if lost == "" {
		return nil
	}
	return &Fault{Subject: x.Request.Method, Expected: expected, Observed: lost, Proof: []*Exchange{x}}
}
