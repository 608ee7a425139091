package scenarios

import (
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

func presentation() Scenario {
	return Scenario{
		ID: "presentation", Title: "Titles and hints", Every: true, Since: fakes.Rev20250326, Needs: NeedsTools,
		Summary: "Looks at what a person sees of each tool: its title, its hints.",
		Checks: []Check{
			{
				ID: "presentation/title-in-annotations", Claim: "A tool with a title has it in annotations.title as well.", Level: Host, Source: Observed,
				Why:    "Claude Code reads only annotations.title: without it a person is asked to allow a raw or prettified name.",
				Remedy: "Write the title twice: beside the name and in annotations.title.",
				Basis:  []string{"observed: Claude Code 2.1.332"}, Requirements: []string{"tools.def.display-name-order"},
				Hosts: []string{"claude-code", "claude-code-print"}, Judge: judgeTitleInAnnotations,
			},
			{
				ID: "presentation/title-agrees", Claim: "title and annotations.title say the same.", Level: Note,
				Why:    "One tool has two names, depending on the client.",
				Remedy: "Write one title into both places.",
				Basis:  []string{"schema#tool"}, Requirements: []string{"tools.def.display-name-order"},
				Judge: judgeTitleAgrees,
			},
			{
				ID: "presentation/hints-typed", Claim: "Hints are booleans, and annotations.title is a string.", Level: Must,
				Why:    "A hint written as \"true\" makes Claude Code, Codex, Gemini CLI and opencode drop every tool of the server.",
				Remedy: "Write true or false without quotes.",
				Basis:  []string{"schema#toolannotations"}, Requirements: []string{"tools.def.annotations-types"},
				Hosts: append([]string{"codex"}, listLosers()...), Judge: judgeHintsTyped,
			},
			{
				ID: "presentation/hints-contradict", Claim: "No tool says that it is read-only and destructive.", Level: Note,
				Why:    "Clients ask a person, or do not, by these hints; a contradiction is resolved in different ways.",
				Remedy: "Leave destructiveHint out, or false, where readOnlyHint is true.",
				Basis:  []string{"schema#toolannotations"}, Requirements: []string{"tools.def.annotations-coherent"},
				Judge: judgeHintsContradict,
			},
			{
				ID: "presentation/hints-complete", Claim: "Every tool sends all four hints.", Level: House,
				Why:    "Hints left out mean the worst: not read-only, destructive, not idempotent, open world. Clients then ask for every call, and Cursor's ask mode and submissions to directories refuse the tool.",
				Remedy: "Send readOnlyHint, destructiveHint, idempotentHint and openWorldHint on every tool.",
				Basis:  []string{"house contract", "schema#toolannotations"}, Requirements: []string{"tools.def.annotations-default-risk"},
				Judge: judgeHintsComplete,
			},
		},
	}
}

func hints() []string {
	return []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
}

func judgeTitleInAnnotations(e *Evidence) Ruling {
	titled := 0
	r := e.eachEntry("tools/list", func(n entry) []Fault {
		title, ann := n.raw.Get("title"), n.raw.Get("annotations.title")
		if title.Type != gjson.String || title.Str == "" {
			return nil
		}
		titled++
		return one(ann.Type != gjson.String || ann.Str == "", "annotations.title beside title "+short(title.Raw, 80), "no annotations.title")
	})
	if r.NA == "" && titled == 0 {
		return NotApplicable("no tool has a title")
	}
	return r
}

func judgeTitleAgrees(e *Evidence) Ruling {
	both := 0
	r := e.eachEntry("tools/list", func(n entry) []Fault {
		title, ann := n.raw.Get("title"), n.raw.Get("annotations.title")
		if title.Type != gjson.String || ann.Type != gjson.String {
			return nil
		}
		both++
		return one(title.Str != ann.Str, "one title", fmt.Sprintf("title %s, annotations.title %s", short(title.Raw, 80), short(ann.Raw, 80)))
	})
	if r.NA == "" && both == 0 {
		return NotApplicable("no tool has both titles")
	}
	return r
}

func judgeHintsTyped(e *Evidence) Ruling {
	if e.Facts.Revision < fakes.Rev20250326 {
		return NotApplicable("revision 2024-11-05 has no annotations")
	}
	return e.eachEntry("tools/list", func(n entry) []Fault {
		var out []Fault
		a := n.raw.Get("annotations")
		if a.Exists() && a.Type != gjson.Null && !a.IsObject() {
			return one(true, "annotations as an object", short(a.Raw, 60))
		}
		for _, h := range hints() {
			// null is told by the check on optional members.
			if v := a.Get(h); v.Exists() && v.Type != gjson.Null && !v.IsBool() {
				out = append(out, one(true, h+" true or false", h+": "+short(v.Raw, 60))...)
			}
		}
		t := a.Get("title")
		return append(out, one(t.Exists() && t.Type != gjson.Null && t.Type != gjson.String, "a string", "annotations.title: "+short(t.Raw, 60))...)
	})
}

func judgeHintsContradict(e *Evidence) Ruling {
	return e.eachEntry("tools/list", func(n entry) []Fault {
		a := n.raw.Get("annotations")
		return one(a.Get("readOnlyHint").Type == gjson.True && a.Get("destructiveHint").Type == gjson.True, "one of the two", "readOnlyHint and destructiveHint are both true")
	})
}

func judgeHintsComplete(e *Evidence) Ruling {
	return e.eachEntry("tools/list", func(n entry) []Fault {
		var missing []string
		for _, h := range hints() {
			if !n.raw.Get("annotations." + h).Exists() {
				missing = append(missing, h)
			}
		}
		return one(len(missing) > 0, "all four hints", fmt.Sprintf("missing: %v", missing))
	})
}
