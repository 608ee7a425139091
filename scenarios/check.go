package scenarios

// Check is one claim about a server with a stable id.
type Check struct {
	// ID is "<scenario>/<name>".
	ID string
	// Claim says in one plain sentence what a right server does.
	Claim string
	Level Level
	// Breaks says of a host check that the client drops the tool, the list, the
	// answer or the session; without it the client only shows less.
	Breaks bool
	// Hardening marks the part of the house contract that also guards other
	// packages (prototype names, control characters, stack traces).
	Hardening bool
	// Contract marks wording that only packages promising the house contract are held to.
	Contract bool
	// HouseDisagrees marks a should that the house contract breaks on purpose.
	HouseDisagrees bool
	// Source says how the client fact behind a host check is known.
	Source Confidence
	// Hosts are the clients that a fault breaks, when the check itself is neutral.
	Hosts []string
	// Why says who meets the fault and how it looks to them.
	Why string
	// Remedy says in one or two sentences how to mend it.
	Remedy string
	// Basis are sections of the specification ("server/tools#error-handling") or named sources.
	Basis []string
	// Requirements are ids of the requirement list that this check observes.
	Requirements []string
	// History says that a fault shows only after what the scenario sent before on
	// the same session: who wants to see it has to send that too.
	History bool
	// Judge rules over the evidence of one cell. It is pure: it never talks to the target.
	Judge func(*Evidence) Ruling
}

// Scenario returns the scenario id, the part of the check id before the slash.
func (c Check) Scenario() string {
	for i := range c.ID {
		if c.ID[i] == '/' {
			return c.ID[:i]
		}
	}
	return c.ID
}
