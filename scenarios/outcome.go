package scenarios

// Outcome is one check judged for one client, revision and transport: a verdict
// with its evidence. Its JSON form is part of the report format.
type Outcome struct {
	// ID is "<check>@<client>@<revision>@<transport>".
	ID string `json:"id"`
	// Check is the id of the check, Scenario its first part.
	Check    string `json:"check"`
	Scenario string `json:"scenario"`
	// Client is a profile id or "any", conform's own neutral voice.
	Client string `json:"client"`
	// Hosts are the ids of the clients that this finding breaks or hides something from.
	Hosts     []string `json:"hosts"`
	Revision  string   `json:"revision"`
	Transport string   `json:"transport"`
	Level     Level    `json:"level"`
	Verdict   Verdict  `json:"verdict"`
	// Gate says that the profile counts this verdict against the exit code.
	Gate bool `json:"gate"`
	// Subject is what the finding is about (a tool, a name, a frame), if one thing.
	Subject  string `json:"subject"`
	Expected string `json:"expected"`
	Observed string `json:"observed"`
	// Message is one sentence for a person.
	Message  string   `json:"message"`
	Remedy   string   `json:"remedy"`
	Basis    []string `json:"basis"`
	Evidence []Frame  `json:"evidence"`
	// Repro is a shell line that shows the finding without conform.
	Repro string `json:"repro"`
	// NoRepro says why there is no such line.
	NoRepro    string `json:"no_repro,omitempty"`
	DurationMS int64  `json:"duration_ms"`

	// Cause names a known cause (an SDK, a framework), if one matched.
	Cause *Cause `json:"cause,omitempty"`
	// Faults lists every fault when there is more than one.
	Faults []FaultLine `json:"faults,omitempty"`
	// MoreFaults counts those beyond the ones listed.
	MoreFaults int `json:"more_faults,omitempty"`
	// Waived carries the reason of a waiver that took this outcome out of the gate.
	Waived string `json:"waived,omitempty"`
	// Known says that the baseline file lists this finding.
	Known bool `json:"known,omitempty"`
	// Source says how the client facts behind this outcome are known.
	Source Confidence `json:"source,omitempty"`
}

// Frame is one line of evidence as the report shows it: bounded, never escaped.
type Frame struct {
	// AtMS is the time since the line was opened, in milliseconds.
	AtMS int64 `json:"at_ms"`
	// Dir is "send", "recv" or "note".
	Dir  string `json:"dir"`
	Text string `json:"text"`
}

// FaultLine is one fault of an outcome in short.
type FaultLine struct {
	Subject  string `json:"subject"`
	Expected string `json:"expected"`
	Observed string `json:"observed"`
}

// Cause is a known cause of a finding that its author did not write.
type Cause struct {
	// ID is stable, e.g. "ts-sdk-v1-prototype-lookup".
	ID string `json:"id"`
	// SDK names the software at fault with its versions, e.g. "TypeScript SDK v1 (all versions tried)".
	SDK string `json:"sdk"`
	// Text says what happens there, Remedy what an author on it can do.
	Text   string `json:"text"`
	Remedy string `json:"remedy"`
}

// View is what one client makes of one tool.
type View struct {
	Client string `json:"client"`
	Tool   string `json:"tool"`
	// Label is what a person sees as the tool's name.
	Label string `json:"label"`
	// Name is the tool's name as the model sees it.
	Name string `json:"name,omitempty"`
	// Reads says which part of an answer reaches the model: "structuredContent", "text", "both" ...
	Reads string `json:"reads"`
	// Sample is a bounded example of what the model reads, if a call was made.
	Sample string `json:"sample,omitempty"`
	// Hides lists what never reaches a person or the model.
	Hides []string `json:"hides"`
	// State is "ok", "dropped" (this tool), "lost" (the whole list) or "rewritten"; Note says why.
	State string `json:"state,omitempty"`
	Note  string `json:"note,omitempty"`
	// Source says how the client's facts are known: observed, official, multiple-reports ...
	Source Confidence `json:"source,omitempty"`
}
