package sample

// Fault is one deviation from the right server.
type Fault struct {
	// Name is what Options.Faults takes: the id of the check that must catch it
	// with "-" for "/", and a suffix where there are several.
	Name string
	// What is one sentence about what the server does wrong.
	What string
	// Checks are the ids of the checks that must catch it, the main one first.
	Checks []string
	// Collateral are ids of checks that rightly see it too.
	Collateral []string
	// Eras are where it shows: "2025", "2026" or both.
	Eras []string
	// Transports are where it shows: "stdio", "http" or both.
	Transports []string
	plant      func(b *behaviour)
}

// Faults lists all faults.
func Faults() []Fault { return nil }

func faultNamed(name string) (Fault, bool) {
	for _, f := range Faults() {
		if f.Name == name {
			return f, true
		}
	}
	return Fault{}, false
}
