// Package fakes imitates real MCP clients: how each opens, asks, waits, answers
// and leaves (a Profile, which is data), and what it makes of what it gets (a Reader).
package fakes

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
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
	// Schema is for editors; it plays no part.
	Schema  string `json:"$schema,omitempty"`
	ID      string `json:"id"`
	Product string `json:"product"`
	Version string `json:"version"`
	// Source is observed, official, source-code, multiple-reports, single-report or inferred.
	Source string `json:"source"`
	// Seen says in words how and when the facts were found.
	Seen string `json:"seen"`
	// Documents name what was read: a package and its version, a page, a set of published captures.
	Documents []string `json:"documents,omitempty"`
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
	// Over holds what differs on one side of the client: a partial profile over
	// "http" and one over "modern", the stateless era. See For.
	Over Over `json:"over,omitzero"`
	// Notes are further facts in words, and what is not known.
	Notes []string `json:"notes,omitempty"`
}

// Over are partial profiles. They may set capabilities, opening, asking,
// answers, http and stdio, member by member.
type Over struct {
	HTTP   json.RawMessage `json:"http,omitempty"`
	Modern json.RawMessage `json:"modern,omitempty"`
}

// Opening is how a client begins.
type Opening struct {
	// Probe is the server/discover request sent first, nil when there is none.
	Probe *Probe `json:"probe,omitempty"`
	// Legacy is the revision proposed in initialize, "" when the client has no legacy era.
	Legacy string `json:"legacy,omitempty"`
	// Accepts are the revisions taken from a server's initialize answer; any when empty.
	Accepts []string `json:"accepts,omitempty"`
	// InitializedParams sends "params":{} with notifications/initialized.
	InitializedParams bool `json:"initialized_params,omitempty"`
	// SetLevel is the level of a logging/setLevel sent first to a legacy server that has logging.
	SetLevel string `json:"set_level,omitempty"`
	// DiscoverAgain repeats server/discover over stdio after listening, with a number id.
	DiscoverAgain bool `json:"discover_again,omitempty"`
	// Listen sends subscriptions/listen in the modern era, with this id; a number
	// stands for the next request id.
	Listen json.RawMessage `json:"listen,omitempty"`
	// CancelsListen sends notifications/cancelled for the listen request at the end.
	CancelsListen bool `json:"cancels_listen,omitempty"`
	// Lists are the list methods asked after opening, in order; those of undeclared capabilities are skipped.
	Lists []string `json:"lists,omitempty"`
	// InTurn waits for each list before the next is asked; otherwise all are asked at once.
	InTurn bool `json:"in_turn,omitempty"`
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
	// WaitMS is how long an unanswered probe is waited for, in milliseconds; 0 when no limit is known.
	WaitMS int `json:"wait_ms"`
	// StopsOn are the outcomes after which the client gives up where others go on
	// with initialize: "old-only" (an answer that lists other revisions only),
	// "future-only" (-32022 that supports unknown revisions only), "contradiction"
	// (-32022 that supports 2026-07-28), "silence", "exit", a JSON-RPC code like
	// "-32022", an HTTP status like "401" or "5xx".
	StopsOn []string `json:"stops_on,omitempty"`
	// NeedsResultType takes a discover result without resultType for a legacy server's.
	NeedsResultType bool `json:"needs_result_type,omitempty"`
}

// Stops says whether the client gives up after this outcome of the probe.
func (p *Probe) Stops(outcome string) bool {
	for _, s := range p.StopsOn {
		if s == outcome || len(outcome) == 3 && s == outcome[:1]+"xx" {
			return true
		}
	}
	return false
}

// Asking is how a client writes requests.
type Asking struct {
	// FirstID is the first request id.
	FirstID int64 `json:"first_id"`
	// Order is the order of members in a frame: "plain" (jsonrpc, id, method,
	// params), or that of a family of libraries: "sdk" (TypeScript SDK 1: method,
	// params, jsonrpc, id), "sdk-v2" or "ai-sdk". See frameOrder.
	Order string `json:"order"`
	// Members gives the order of the members of params by method, and of "_meta",
	// where it differs: by default _meta comes first in "plain" frames and last in
	// others. Members that are not named keep their place after those that are.
	Members map[string][]string `json:"members,omitempty"`
	// ProgressToken is "none", "id" (the request id), "counter" (from 0) or "uuid".
	ProgressToken string `json:"progress_token"`
	// TokenOnAll sends the token with every request, not only with calls.
	TokenOnAll bool `json:"token_on_all,omitempty"`
	// Meta is added to _meta of every request after the opening, CallMeta to that of tools/call.
	Meta     json.RawMessage `json:"meta,omitempty"`
	CallMeta json.RawMessage `json:"call_meta,omitempty"`
	// CancelsFinished sends notifications/cancelled after every finished call.
	CancelsFinished bool `json:"cancels_finished,omitempty"`
	// CancelReason is the reason in notifications/cancelled, none when empty.
	CancelReason string `json:"cancel_reason,omitempty"`
	// TimeoutMS is the limit of one request in milliseconds, 0 when unknown.
	TimeoutMS int `json:"timeout_ms,omitempty"`
	// OmitsEmptyArguments leaves arguments out of tools/call when there are none.
	OmitsEmptyArguments bool `json:"omits_empty_arguments,omitempty"`
}

// Limit is how long the client waits for one request, 0 when that is unknown.
func (p *Profile) Limit() time.Duration {
	return time.Duration(p.Asking.TimeoutMS) * time.Millisecond
}

// Answers is how a client answers what a server asks, with nobody at the
// keyboard. Form and URL are "decline", "cancel" or "refuse" (-32602), Roots is
// "accept" or "empty", and each may be "unsupported" (-32601), "silent" or a
// JSON-RPC error code. In the modern era "unsupported" means that the call is
// given up: it is not repeated with an answer.
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
	UserAgent string `json:"user_agent,omitempty"`
	// Headers go out with every request. Accept-Encoding is left out wherever it
	// would ask for compression: a fake reads bytes as they are.
	Headers map[string]string `json:"headers,omitempty"`
	// NoVersionHeader leaves MCP-Protocol-Version out in the legacy era;
	// VersionOnInitialize sends it with initialize already.
	NoVersionHeader     bool `json:"no_version_header,omitempty"`
	VersionOnInitialize bool `json:"version_on_initialize,omitempty"`
	// NoSession never sends the session id back; SessionPerCall opens a session anew for each call.
	NoSession      bool `json:"no_session,omitempty"`
	SessionPerCall bool `json:"session_per_call,omitempty"`
	// Stream opens the GET stream in the legacy era, Delete ends the session.
	Stream bool `json:"stream"`
	Delete bool `json:"delete"`
	// StreamBefore names the messages before which a GET stream is opened, out of
	// "initialize" and "notifications/initialized"; after the latter when empty.
	StreamBefore []string `json:"stream_before,omitempty"`
	// ParamHeaders mirrors x-mcp-header parameters in the modern era.
	ParamHeaders bool `json:"param_headers,omitempty"`
}

// Stdio is a client's manner with its child process.
type Stdio struct {
	// Env lists the variables passed on to the child; all when it is ["*"] or empty.
	Env []string `json:"env"`
	// Without are patterns of names kept back from the child, "*" standing for
	// any characters, in any case. Names in Keeps are passed on all the same.
	Without []string `json:"without,omitempty"`
	Keeps   []string `json:"keeps,omitempty"`
	// Sets are variables the client adds; ${cwd} in a value is the child's working directory.
	Sets map[string]string `json:"sets,omitempty"`
	// JunkEnds says that a line on stdout that is no JSON ends the session.
	JunkEnds bool `json:"junk_ends,omitempty"`
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

// Environ is the environment a child of this client gets out of parent, which
// holds "name=value" entries, when it runs in cwd.
func (s Stdio) Environ(parent []string, cwd string) []string {
	all := len(s.Env) == 0 || slices.Contains(s.Env, "*")
	var out []string
	for _, e := range parent {
		name, _, ok := strings.Cut(e, "=")
		if !ok || name == "" {
			continue
		}
		if _, set := s.Sets[name]; set || !all && !slices.Contains(s.Env, name) {
			continue
		}
		if matchesAny(s.Without, name) && !matchesAny(s.Keeps, name) {
			continue
		}
		out = append(out, e)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Sets)) {
		out = append(out, name+"="+strings.ReplaceAll(s.Sets[name], "${cwd}", cwd))
	}
	return out
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(strings.ToUpper(p), strings.ToUpper(name))
		return ok && err == nil
	})
}

// For returns the profile as it is over the transport and in the revision's
// era: the partial profiles of Over laid over it. A revision of "" is no era
// yet. The result shares nothing that a caller may change.
func (p *Profile) For(transport, revision string) *Profile {
	var parts []json.RawMessage
	if transport == "http" && p.Over.HTTP != nil {
		parts = append(parts, p.Over.HTTP)
	}
	if revision != "" && Modern(revision) {
		if p.ModernCapabilities != nil {
			parts = append(parts, json.RawMessage(`{"capabilities":`+string(p.ModernCapabilities)+`}`))
		}
		if p.Over.Modern != nil {
			parts = append(parts, p.Over.Modern)
		}
	}
	if len(parts) == 0 {
		return p
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return p // raw members were checked when the profile was loaded
	}
	out := &Profile{}
	for _, part := range append([]json.RawMessage{raw}, parts...) {
		if json.Unmarshal(part, out) != nil {
			return p
		}
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
