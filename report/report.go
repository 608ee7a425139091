// Package report turns outcomes into files: one file a format.
package report

import (
	"time"

	"github.com/agntn/conform/scenarios"
)

// Schema is the name of the report format.
const Schema = "conform/report/v1"

// Report is everything one run has to say. Its JSON form is fixed; fields are only ever added.
type Report struct {
	Schema string `json:"schema"`
	Tool   Tool   `json:"tool"`
	Seed   int64  `json:"seed"`
	Target Target `json:"target"`
	// Profile is the name of the profile that graded the outcomes.
	Profile    scenarios.Profile `json:"profile"`
	Started    time.Time         `json:"started"`
	DurationMS int64             `json:"duration_ms"`
	// Exit is the exit code that goes with this report.
	Exit    int     `json:"exit"`
	Summary Summary `json:"summary"`
	// Clients are the fake clients that ran, "any" not among them.
	Clients  []Client            `json:"clients"`
	Outcomes []scenarios.Outcome `json:"outcomes"`
	Views    []scenarios.View    `json:"views"`
	// NotProven says what this run could not show and what would.
	NotProven []string `json:"not_proven"`

	// Command repeats the run. NotCalled names tools that got no valid call, and why.
	Command   string      `json:"command,omitempty"`
	NotCalled []NotCalled `json:"not_called,omitempty"`
	// Notes are facts about the whole run, e.g. that it was interrupted.
	Notes []string `json:"notes,omitempty"`
	// Interrupted says that the run was stopped before its end.
	Interrupted bool `json:"interrupted,omitempty"`
	// Stale lists baseline entries and waivers that no longer match anything.
	Stale []string `json:"stale,omitempty"`
	// Stats are figures of the run itself.
	Stats *Stats `json:"stats,omitempty"`
	// Servers holds one section a server when a hosts' file named several.
	Servers []Report `json:"servers,omitempty"`
}

// Tool names the program that wrote the report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Target is the server under test.
type Target struct {
	// ID is the name under which a hosts' file has the server; two servers of one
	// file may call themselves the same.
	ID         string   `json:"id,omitempty"`
	Name       string   `json:"name"`
	Version    string   `json:"version"`
	Title      string   `json:"title,omitempty"`
	Transports []string `json:"transports"`
	Revisions  []string `json:"revisions"`
	Command    string   `json:"command"`
	URL        *string  `json:"url"`
	// Tools is the number of tools listed.
	Tools int `json:"tools"`
	// SDK is the software the server seems to be built on, if recognised.
	SDK string `json:"sdk,omitempty"`
}

// Summary counts outcomes by verdict.
type Summary struct {
	Pass   int `json:"pass"`
	Fail   int `json:"fail"`
	Warn   int `json:"warn"`
	Info   int `json:"info"`
	NA     int `json:"na"`
	Unseen int `json:"unseen"`
	Error  int `json:"error"`
}

// Add counts one verdict.
func (s *Summary) Add(v scenarios.Verdict) {
	switch v {
	case scenarios.Pass:
		s.Pass++
	case scenarios.Fail:
		s.Fail++
	case scenarios.Warn:
		s.Warn++
	case scenarios.Info:
		s.Info++
	case scenarios.NA:
		s.NA++
	case scenarios.Unseen:
		s.Unseen++
	case scenarios.Error:
		s.Error++
	}
}

// Client is one fake client's line: the worst of its own outcomes and of those
// neutral outcomes that name it as a host.
type Client struct {
	ID      string `json:"id"`
	Product string `json:"product"`
	Version string `json:"version"`
	// Seen says how and when the client's facts were observed.
	Seen    string            `json:"seen"`
	Verdict scenarios.Verdict `json:"verdict"`
	Summary Summary           `json:"summary"`
	// Says is one plain sentence: "works; 2 tools show their raw name".
	Says string `json:"says,omitempty"`
}

// NotCalled is a tool that got no valid call.
type NotCalled struct {
	Tool   string `json:"tool"`
	Reason string `json:"reason"`
}

// Stats are figures of one run.
type Stats struct {
	Processes  int   `json:"processes"`
	Requests   int   `json:"requests"`
	BytesSent  int64 `json:"bytes_sent"`
	BytesRecv  int64 `json:"bytes_received"`
	CPUMS      int64 `json:"cpu_ms"`
	StartupMS  int64 `json:"startup_ms"`
	DriveMS    int64 `json:"drive_ms"`
	JudgeMS    int64 `json:"judge_ms"`
	ReportMS   int64 `json:"report_ms"`
	Outcomes   int   `json:"outcomes"`
	PeakMemory int64 `json:"peak_memory_bytes"`
	// FloorMS is how long the target needs for the same frames when nothing is
	// judged or waited for; 0 when it was not measured.
	FloorMS int64 `json:"floor_ms,omitempty"`
}
