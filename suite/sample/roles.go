package sample

import "encoding/json"

// Role is a job that one of the tools fills for a test suite.
type Role struct {
	// Job is asks, throws, mismatches, progresses or slow.
	Job, Tool string
	// Arguments make the tool do the job; Alternative is a second set: another
	// question, a call that succeeds.
	Arguments, Alternative json.RawMessage
}

// Roles lists the jobs that the tools of the server fill.
func Roles() []Role {
	role := func(job, tool, arguments, alternative string) Role {
		return Role{Job: job, Tool: tool, Arguments: json.RawMessage(arguments), Alternative: json.RawMessage(alternative)}
	}
	return []Role{
		role("asks", "tea_advice", `{"time":"morning"}`, `{"time":"noon"}`),
		role("throws", "number_divide", `{"number":7,"by":0}`, `{"number":7,"by":2}`),
		role("mismatches", "tide_level", `{"harbour":"old"}`, `{"harbour":"north"}`),
		role("progresses", "count_up", `{"to":3,"pause_ms":20}`, `{"to":5,"pause_ms":20}`),
		role("slow", "count_up", `{"to":12,"pause_ms":100}`, `{"to":15,"pause_ms":100}`),
	}
}
