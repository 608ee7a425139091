package scenarios

// knownCause is a fault that a framework, not the author, brought in.
type knownCause struct {
	Cause
	// Checks the cause can explain; Matches looks at the facts and the fault.
	Checks  []string
	Matches func(*Facts, Fault) bool
}

// FindCause names the known cause of a fault, nil when there is none.
func FindCause(f *Facts, k Check, fault Fault) *Cause {
	for _, c := range knownCauses() {
		for _, id := range c.Checks {
			if id == k.ID && c.Matches(f, fault) {
				cause := c.Cause
				return &cause
			}
		}
	}
	return nil
}

// knownCauses is the table of causes.
func knownCauses() []knownCause { return nil }
