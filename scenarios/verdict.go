package scenarios

// Verdict is what one check came to for one client, revision and transport.
// The words are part of the report format.
type Verdict string

// The verdicts, from best to worst when they are rolled up.
const (
	// NA says that the check does not apply: the server does not offer what it judges.
	NA Verdict = "na"
	// Pass says that the claim was observed to hold.
	Pass Verdict = "pass"
	// Info says that the claim does not hold and that the profile only mentions it.
	Info Verdict = "info"
	// Unseen says that the check applies and could not be observed.
	Unseen Verdict = "unseen"
	// Warn says that the claim does not hold and that the profile warns.
	Warn Verdict = "warn"
	// Fail says that the claim does not hold and that the profile counts it as a failure.
	Fail Verdict = "fail"
	// Error says that conform or the machine failed; the target is not to blame.
	Error Verdict = "error"
)

// Verdicts lists all verdicts from worst to best.
func Verdicts() []Verdict { return []Verdict{Error, Fail, Warn, Unseen, Info, Pass, NA} }

// rank orders verdicts for Worst; a higher rank is worse.
func (v Verdict) rank() int {
	for i, w := range Verdicts() {
		if v == w {
			return len(Verdicts()) - i
		}
	}
	return 0
}

// Worst returns the worse of two verdicts: error, fail, warn, unseen, info, pass, na.
func Worst(a, b Verdict) Verdict {
	if a.rank() >= b.rank() {
		return a
	}
	return b
}

// Level says what kind of rule a check rests on.
type Level string

// The levels of a check.
const (
	// Must rests on a MUST or MUST NOT sentence, a schema or JSON-RPC.
	Must Level = "must"
	// Should rests on a SHOULD sentence, or on a MUST that is only derived.
	Should Level = "should"
	// Host rests on what a named client breaks or hides.
	Host Level = "host"
	// House rests on the house contract for tool packages.
	House Level = "house"
	// Note records behaviour that is open or allowed.
	Note Level = "note"
)

// Confidence says how a fact about a client is known.
type Confidence string

// The kinds of sources, from strongest to weakest.
const (
	Observed        Confidence = "observed"
	Official        Confidence = "official"
	SourceCode      Confidence = "source-code"
	MultipleReports Confidence = "multiple-reports"
	SingleReport    Confidence = "single-report"
	Inferred        Confidence = "inferred"
)

// Profile names which levels gate.
type Profile string

// The profiles.
const (
	ProfileSpec   Profile = "spec"
	ProfileHosts  Profile = "hosts"
	ProfileHouse  Profile = "house"
	ProfileStrict Profile = "strict"
)

// Profiles lists all profiles.
func Profiles() []Profile {
	return []Profile{ProfileSpec, ProfileHosts, ProfileHouse, ProfileStrict}
}

// Grade says what a fault found by check c counts as under profile p.
// sdk says that the fault is known to be the doing of the target's SDK: under
// hosts and house such a must is a warning, for its author cannot mend it alone.
func Grade(p Profile, c Check, sdk bool) Verdict {
	v := grade(p, c)
	if sdk && v == Fail && c.Level == Must && (p == ProfileHosts || p == ProfileHouse) {
		return Warn
	}
	return v
}

func grade(p Profile, c Check) Verdict {
	if c.Level == Note {
		return Info
	}
	if c.Contract && p != ProfileHouse {
		return Info // only packages that promise the house contract are held to its wording
	}
	if p == ProfileHouse && c.HouseDisagrees {
		return Info
	}
	switch c.Level {
	case Must:
		return Fail
	case Should:
		if p == ProfileStrict {
			return Fail
		}
		return Warn
	case Host:
		return hostGrade(p, c)
	case House:
		switch {
		case p == ProfileHouse || p == ProfileStrict:
			return Fail
		case p == ProfileHosts && c.Hardening:
			return Warn
		}
		return Info
	}
	return Info
}

// hostGrade lets a host rule fail only when its source is strong enough.
func hostGrade(p Profile, c Check) Verdict {
	switch c.Source {
	case Inferred, "":
		return Info
	case MultipleReports, SingleReport:
		return Warn
	}
	switch {
	case p == ProfileSpec:
		return Warn
	case p == ProfileStrict, c.Breaks:
		return Fail
	}
	return Warn
}
