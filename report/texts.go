package report

import "github.com/agntn/conform/scenarios"

// CheckText is what the catalogue says about one check, for the formats that explain it.
type CheckText struct {
	// ID is the check id, Claim one plain sentence about a right server.
	ID    string
	Claim string
	// Why says who meets the fault and how it looks to them; Remedy how to mend it.
	Why    string
	Remedy string
	Level  scenarios.Level
	// Hosts name the clients that meet the fault, when it is not every one.
	Hosts []string
	// Basis are sections of the specification ("server/tools#error-handling") or named sources.
	Basis []string
	// Right and Wrong are example frames of a right and of a faulty server.
	Right string
	Wrong string
	// Code maps a language or SDK ("TypeScript SDK v1") to code that mends the fault.
	Code map[string]string
}

// Texts holds the catalogue's texts by check id. A missing id is fine: formats
// fall back to what the outcome itself says.
type Texts map[string]CheckText
