package scenarios

import (
	"encoding/json"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

// Cell names one place where checks are judged.
type Cell struct {
	Scenario  string `json:"scenario"`
	Client    string `json:"client"`
	Revision  string `json:"revision"`
	Transport string `json:"transport"`
	// Attempt counts drives of the cell, from 1; a later one was made alone.
	Attempt int `json:"attempt,omitempty"`
	// Skip says why the cell was not driven.
	Skip string `json:"skip,omitempty"`
	// Trouble is conform's own trouble with driving it.
	Trouble string `json:"trouble,omitempty"`
}

// Facts is what is known of a target under one revision and transport.
type Facts struct {
	Run       *RunFacts `json:"-"`
	Revision  string    `json:"revision"`
	Transport string    `json:"transport"`
	// Opened is the raw result of initialize or server/discover.
	Opened json.RawMessage `json:"opened"`
	// Tools are the listed tools of all pages in order, MaxEntries at most and
	// without those whose names are longer than MaxName; More is how many there are
	// besides.
	Tools []Tool `json:"tools"`
	More  int    `json:"more,omitempty"`
	// Listed says that tools/list was answered with a result.
	Listed bool `json:"listed"`
	// Pages is the number of pages that tools/list took.
	Pages int `json:"pages"`
}

// MaxEntries is how many entries of one list are looked at.
const MaxEntries = 2000

// MaxName is how many bytes the name of a tool may have that is called.
const MaxName = 64 << 10

// Tool is one listed tool.
type Tool struct {
	Name string          `json:"name"`
	Raw  json.RawMessage `json:"raw"`
	// Callable says that valid calls may go to it; Why says why or why not.
	Callable bool   `json:"callable"`
	Why      string `json:"why"`

	work *shelf
}

// Get looks a member of the tool up by gjson path.
func (t *Tool) Get(path string) gjson.Result { return gjson.GetBytes(t.Raw, path) }

// RunFacts is what is known of a run as a whole.
type RunFacts struct {
	Seed    int64   `json:"seed"`
	Profile Profile `json:"profile"`
	// Command and URL are how the target is reached, for repro lines.
	Command []string          `json:"command,omitempty"`
	URL     string            `json:"url,omitempty"`
	Header  map[string]string `json:"header,omitempty"`
	// Offered lists the revisions that the target offers, by transport, newest first.
	Offered map[string][]string `json:"offered"`
	// PromptsCallable says that prompts may be fetched with values of our own
	// making; PromptsWhy says why or why not. A prompt may do what it is told:
	// one real server runs the argument of its prompt in a shell.
	PromptsCallable bool   `json:"prompts_callable,omitempty"`
	PromptsWhy      string `json:"prompts_why,omitempty"`
	// Calls and Roles come from the configuration.
	Calls []ToolCall `json:"calls,omitempty"`
	Roles []Role     `json:"roles,omitempty"`
	// Behind is "h3" or "toolkit" when a framework answers part of the protocol itself.
	Behind string `json:"behind,omitempty"`
	// Expect is the listing that the user expects, raw; nil when none was given.
	Expect json.RawMessage `json:"expect,omitempty"`
	// AskedRevisions are the revisions the user named.
	AskedRevisions []string `json:"asked_revisions,omitempty"`
	// PatienceMS is how long a slow person may take, 0 when that is not tried.
	PatienceMS int64 `json:"patience_ms,omitempty"`
}

// ToolCall is a valid call that the user wrote down.
type ToolCall struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Expect    []Expectation   `json:"expect,omitempty"`
}

// Expectation says what an answer must hold: a gjson path and one condition.
type Expectation struct {
	Path    string          `json:"path"`
	Equals  json.RawMessage `json:"equals,omitempty"`
	Matches string          `json:"matches,omitempty"`
	Exists  *bool           `json:"exists,omitempty"`
}

// Role is a job that one of the target's tools fills.
type Role struct {
	// Job is "asks", "throws", "mismatches", "progresses" or "slow".
	Job       string          `json:"job"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Alternative is a second argument set: another question, a call that succeeds.
	Alternative json.RawMessage `json:"alternative,omitempty"`
}

// Modern says whether the facts are of the stateless era.
func (f *Facts) Modern() bool { return fakes.Modern(f.Revision) }

// Undiscovered says that the server serves the stateless revision without
// telling what it offers.
func (f *Facts) Undiscovered() bool { return f.Modern() && string(f.Opened) == "{}" }

// Capability looks a server capability up, e.g. "tools" or "resources.subscribe".
func (f *Facts) Capability(path string) gjson.Result {
	return gjson.GetBytes(f.Opened, "capabilities."+path)
}

// ServerInfo returns the server's self-description, wherever the era puts it.
func (f *Facts) ServerInfo() gjson.Result {
	if f.Modern() {
		if v := gjson.GetBytes(f.Opened, `_meta.io\.modelcontextprotocol/serverInfo`); v.Exists() {
			return v
		}
	}
	return gjson.GetBytes(f.Opened, "serverInfo")
}

// ServerName is serverInfo.name.
func (f *Facts) ServerName() string { return f.ServerInfo().Get("name").String() }

// Tool finds a listed tool by name.
func (f *Facts) Tool(name string) *Tool {
	for i := range f.Tools {
		if f.Tools[i].Name == name {
			return &f.Tools[i]
		}
	}
	return nil
}

// Role finds the configured role for a job, nil when there is none.
func (f *Facts) Role(job string) *Role {
	for i := range f.Run.Roles {
		if f.Run.Roles[i].Job == job {
			return &f.Run.Roles[i]
		}
	}
	return nil
}

// HasTools says whether the target declares or lists tools.
func (f *Facts) HasTools() bool { return len(f.Tools) > 0 || f.Capability("tools").Exists() }

// NeedsTools is a Needs function for scenarios about tools.
func NeedsTools(f *Facts) string {
	if !f.HasTools() {
		return "the server offers no tools"
	}
	return ""
}
