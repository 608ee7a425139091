// Package fakes imitates real MCP clients: how each opens, asks, waits, answers
// and leaves (a Profile, which is data), and what it makes of what it gets (a Reader).
package fakes

import (
	"encoding/json"
	"time"

	"github.com/agntn/conform/fakes/wire"
)

// Any is the id of conform's own neutral voice.
const Any = "any"

// Revisions of the protocol, newest first.
const (
	Rev20260728 = "2026-07-28"
	Rev20251125 = "2025-11-25"
	Rev20250618 = "2025-06-18"
	Rev20250326 = "2025-03-26"
	Rev20241105 = "2024-11-05"
)

// Revisions lists all revisions conform knows, newest first.
func Revisions() []string {
	return []string{Rev20260728, Rev20251125, Rev20250618, Rev20250326, Rev20241105}
}

// Modern says whether a revision is stateless: no handshake, _meta on every request.
func Modern(revision string) bool { return revision >= Rev20260728 }

// Profile is what is known of one client's manner on the wire. Profiles are
// data files; every one says how its facts are known.
type Profile struct {
	ID      string `json:"id"`
	Product string `json:"product"`
	Version string `json:"version"`
	// Source is observed, official, source-code, multiple-reports, single-report or inferred.
	Source string `json:"source"`
	// Seen says in words how and when the facts were found.
	Seen string `json:"seen"`
	// Default says that the client runs unasked.
	Default bool `json:"default,omitempty"`
	// Reader is the id of the reader; the profile's own id when empty.
	Reader string `json:"reader,omitempty"`
	// Drives says whether the client's manner on the wire is known well enough
	// to be imitated. Without it, only the reader and the views apply.
	Drives bool `json:"drives"`
	// Transports are "stdio" and "http", those the client speaks in life.
	Transports []string `json:"transports"`

	ClientInfo json.RawMessage `json:"client_info,omitempty"`
	// Capabilities as declared in initialize, ModernCapabilities in _meta (the same when absent).
	Capabilities       json.RawMessage `json:"capabilities,omitempty"`
	ModernCapabilities json.RawMessage `json:"modern_capabilities,omitempty"`

	Opening Opening `json:"opening"`
	Asking  Asking  `json:"asking"`
	Answers Answers `json:"answers"`
	HTTP    HTTP    `json:"http"`
	Stdio   Stdio   `json:"stdio"`
	// Notes are further facts in words.
	Notes []string `json:"notes,omitempty"`
}

// Opening is how a client begins.
type Opening struct {
	// Probe is the server/discover request sent first, nil when there is none.
	Probe *Probe `json:"probe,omitempty"`
	// Legacy is the revision proposed in initialize, "" when the client has no legacy era.
	Legacy string `json:"legacy,omitempty"`
	// Accepts are the revisions taken from a server's initialize answer; any when empty.
	Accepts []string `json:"accepts,omitempty"`
	// DiscoverAgain repeats server/discover over stdio after listening, with a number id.
	DiscoverAgain bool `json:"discover_again,omitempty"`
	// Listen sends subscriptions/listen in the modern era, with this id.
	Listen json.RawMessage `json:"listen,omitempty"`
	// Lists are the list methods asked after opening, in order; those of undeclared capabilities are skipped.
	Lists []string `json:"lists,omitempty"`
	// EmptyParams sends "params":{} with lists where others leave params out.
	EmptyParams bool `json:"empty_params,omitempty"`
	// Pages follows nextCursor.
	Pages bool `json:"pages"`
}

// Probe is a server/discover sent before anything else.
type Probe struct {
	ID json.RawMessage `json:"id"`
	// OwnProcess says that over stdio a process of its own is started for the probe and ended after it.
	OwnProcess bool `json:"own_process,omitempty"`
	// WaitMS is how long an unanswered probe is waited for, in milliseconds.
	WaitMS int `json:"wait_ms"`
}

// Asking is how a client writes requests.
type Asking struct {
	// FirstID is the first request id.
	FirstID int64 `json:"first_id"`
	// Order is the order of members: "sdk" (method, params, jsonrpc, id) or "plain" (jsonrpc, id, method, params).
	Order string `json:"order"`
	// ProgressToken is "none", "id" (the request id), "counter" (from 0) or "uuid".
	ProgressToken string `json:"progress_token"`
	// TokenOnAll sends the token with every request, not only with calls.
	TokenOnAll bool `json:"token_on_all,omitempty"`
	// CallMeta is added to _meta of tools/call.
	CallMeta json.RawMessage `json:"call_meta,omitempty"`
	// CancelsFinished sends notifications/cancelled after every finished call.
	CancelsFinished bool `json:"cancels_finished,omitempty"`
	// TimeoutMS is the limit of one request in milliseconds, 0 when unknown.
	TimeoutMS int `json:"timeout_ms,omitempty"`
	// OmitsEmptyArguments leaves arguments out of tools/call when there are none.
	OmitsEmptyArguments bool `json:"omits_empty_arguments,omitempty"`
}

// Answers is how a client answers what a server asks, with nobody at the keyboard.
// The words are "accept", "decline", "cancel", "unsupported" (-32601), "refuse"
// (-32602), "empty" and "silent".
type Answers struct {
	Form     string `json:"form"`
	URL      string `json:"url"`
	Roots    string `json:"roots"`
	Sampling string `json:"sampling"`
	// IgnoresCancelOfZero: a notifications/cancelled for server request id 0 is ignored.
	IgnoresCancelOfZero bool `json:"ignores_cancel_of_zero,omitempty"`
}

// HTTP is a client's manner over Streamable HTTP.
type HTTP struct {
	UserAgent string            `json:"user_agent,omitempty"`
	Headers   map[string]string `json:"headers,omitempty"`
	// NoVersionHeader leaves MCP-Protocol-Version out in the legacy era.
	NoVersionHeader bool `json:"no_version_header,omitempty"`
	// NoSession never sends the session id back.
	NoSession bool `json:"no_session,omitempty"`
	// Stream opens the GET stream in the legacy era, Delete ends the session.
	Stream bool `json:"stream"`
	Delete bool `json:"delete"`
	// ParamHeaders mirrors x-mcp-header parameters in the modern era.
	ParamHeaders bool `json:"param_headers,omitempty"`
}

// Stdio is a client's manner with its child process.
type Stdio struct {
	// Env lists the variables passed on to the child; all when it is ["*"].
	Env []string `json:"env"`
	// Sets are variables the client adds.
	Sets map[string]string `json:"sets,omitempty"`
	// Shutdown are the steps by which the client ends a server.
	Shutdown []ShutdownStep `json:"shutdown"`
}

// ShutdownStep is a step and the wait after it in milliseconds.
type ShutdownStep struct {
	Do     string `json:"do"`
	WaitMS int    `json:"wait_ms"`
}

// Steps returns the shutdown in the form the wire takes.
func (s Stdio) Steps() wire.Shutdown {
	if len(s.Shutdown) == 0 {
		return wire.Polite()
	}
	var out wire.Shutdown
	for _, st := range s.Shutdown {
		out = append(out, wire.Step{Do: st.Do, Wait: time.Duration(st.WaitMS) * time.Millisecond})
	}
	return out
}

// ReaderID names the reader of the profile.
func (p *Profile) ReaderID() string {
	if p.Reader != "" {
		return p.Reader
	}
	return p.ID
}

// Neutral is conform's own voice: it declares nothing, assumes nothing and
// follows the specification to the letter.
func Neutral() *Profile {
	return &Profile{
		ID: Any, Product: "conform", Version: "1", Source: "official", Drives: true,
		Transports:   []string{"stdio", "http"},
		ClientInfo:   json.RawMessage(`{"name":"conform","version":"1.0.0"}`),
		Capabilities: json.RawMessage(`{}`),
		Opening:      Opening{Legacy: Rev20251125, Pages: true},
		Asking:       Asking{FirstID: 1, Order: "plain", ProgressToken: "none"},
		Answers:      Answers{Form: "cancel", URL: "cancel", Roots: "unsupported", Sampling: "unsupported"},
		HTTP:         HTTP{Stream: true, Delete: true, ParamHeaders: true},
		Stdio:        Stdio{Env: []string{"*"}},
	}
}
