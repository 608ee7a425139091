package scenarios

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

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
		if c.Fits && c.Origin == "generated" {
			set.JSON = quicker(t, set.JSON)
		}
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
		fitting = append(fitting, ArgumentSet{JSON: quicker(t, raw), From: "generated in full"})
	}
	if raw, err := instance.Valid(schema, f.Run.Seed+2); err == nil {
		fitting = append(fitting, ArgumentSet{JSON: quicker(t, raw), From: "generated with another seed"})
	}
	return fitting
}

// shortTimes are the times that tools are called with that say how long they
// take, the first that fits: whatever the unit is, they are short.
func shortTimes() []string { return []string{"0.2", "1"} }

// quicker sets what says how long a tool takes to a short time where it would be
// more. Everything else stays as it is.
func quicker(t *Tool, args json.RawMessage) json.RawMessage {
	schema := inputSchema(t)
	t.Get("inputSchema.properties").ForEach(func(k, p gjson.Result) bool {
		kind := p.Get("type").Str
		if !saysTime(k.Str) || kind != "integer" && kind != "number" {
			return true
		}
		now := member(parsed(args), k.Str)
		if !now.Exists() {
			now = p.Get("default")
		}
		for _, value := range shortTimes() {
			if short := withMember(parsed(args), k.Str, value); now.Num > 1 && fits(schema, short) {
				args = short
				break
			}
		}
		return true
	})
	return args
}

// saysTime says that a member names how long a tool takes, the unit left open.
func saysTime(member string) bool {
	return slices.ContainsFunc([]string{"duration", "delay", "wait", "sleep", "pause"}, func(w string) bool { return strings.EqualFold(w, member) })
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
