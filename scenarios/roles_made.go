package scenarios

import (
	"slices"
	"strings"

	"github.com/agntn/conform/scenarios/instance"
)

// listedArguments are the argument sets that a tool's own entry in the list
// gives or leads to, the most trusted first. Those that its schema refuses are
// left out; what was guessed for a schema that cannot be read is used only
// where there is nothing better.
func listedArguments(f *Facts, t *Tool) []ArgumentSet {
	var fitting, guessed []ArgumentSet
	for _, c := range candidates(f, t) {
		set := ArgumentSet{JSON: c.Arguments, From: c.Origin}
		switch {
		case c.Fits:
			fitting = append(fitting, set)
		case isGuess(c):
			guessed = append(guessed, set)
		}
	}
	if len(fitting) == 0 {
		return guessed
	}
	schema := []byte(t.Get("inputSchema").Raw)
	if raw, err := instance.Valid(schema, f.Run.Seed+1, instance.Full()); err == nil {
		fitting = append(fitting, ArgumentSet{JSON: raw, From: "generated in full"})
	}
	if raw, err := instance.Valid(schema, f.Run.Seed+2); err == nil {
		fitting = append(fitting, ArgumentSet{JSON: raw, From: "generated with another seed"})
	}
	return fitting
}

func candidates(f *Facts, t *Tool) []instance.Candidate {
	return once(t.work, "candidates", func() []instance.Candidate { return slices.Clip(instance.Candidates(t.Raw, f.Run.Seed)) })
}

func isGuess(c instance.Candidate) bool { return strings.HasPrefix(c.Origin, "guessed") }

// inputExamples are the arguments that a tool gives as examples, whether they
// fit its schema or not. It is empty when the schema cannot be read.
func inputExamples(f *Facts, t *Tool) []instance.Candidate {
	if inputSchema(t) == nil {
		return nil
	}
	var out []instance.Candidate
	for _, c := range candidates(f, t) {
		if c.Origin != "generated" && !isGuess(c) {
			out = append(out, c)
		}
	}
	return out
}
