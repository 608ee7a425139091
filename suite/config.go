package suite

import (
	"encoding/json"
	"runtime"
	"time"

	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// Target says how to reach the server under test. One of Command, URL, Serve
// and Transport is set; Command and URL may be set together, and then both
// transports are tried and compared.
type Target struct {
	// Command starts a stdio server: program and arguments.
	Command []string
	// Dir is its working directory, Env its further variables ("K=V").
	Dir string
	Env []string
	// URL is the address of a Streamable HTTP endpoint, Header what every request carries.
	URL    string
	Header http.Header
	// Serve is a server in this process that reads and writes frames. With
	// LikeStdio it is judged as a stdio server, framing and end of input included.
	Serve     wire.Serve
	LikeStdio bool
	// Transport connects to a server in this process over a go-sdk transport.
	Transport func() mcp.Transport
	// Name is shown where there is no command and no URL.
	Name string
}

// Allow says which tools may get valid calls.
type Allow string

// The policies.
const (
	// AllowReadOnly calls tools that say readOnlyHint: true, and listed ones.
	AllowReadOnly Allow = "read-only"
	// AllowListed calls only tools that the configuration names.
	AllowListed Allow = "listed"
	// AllowAll calls every tool, AllowNone none.
	AllowAll  Allow = "all"
	AllowNone Allow = "none"
)

// Config is everything one run needs to know. The zero value of every member
// but Target is a usable default.
type Config struct {
	Target  Target
	Profile scenarios.Profile
	// Clients are the fake clients that run; the default set when nil.
	Clients []*fakes.Profile
	// Revisions restrict the run; all offered ones when empty. AllRevisions
	// runs every scenario under every offered revision.
	Revisions    []string
	AllRevisions bool
	// Scenarios are globs of scenario or check ids; everything when empty.
	Scenarios []string
	// LabelFilter is a Ginkgo label expression over client:, rev:, transport:,
	// level:, scenario: and check: labels.
	LabelFilter string

	Allow     Allow
	AllowList []string
	DenyList  []string
	Calls     []scenarios.ToolCall
	Roles     []scenarios.Role
	Expect    json.RawMessage
	// Behind is "h3" or "toolkit" when a framework answers part of the protocol itself.
	Behind   string
	Patience time.Duration
	Waive    []report.Waiver

	Seed int64
	// Jobs is how many cells are driven at the same time, Processes how many
	// stdio processes may live at the same time.
	Jobs, Processes int
	// Start bounds the opening of a session, Answer one request on a quiet line.
	Start, Answer time.Duration
	// Timeout bounds the whole run.
	Timeout time.Duration
	// Evidence is how many bytes of transcripts are kept.
	Evidence int
	// ShardIndex and ShardCount run a part of the cells: index from 1.
	ShardIndex, ShardCount int
	// Catalogue replaces the whole catalogue, for tests.
	Catalogue scenarios.Catalogue
	// Progress is told in words how far the run is; it may be nil.
	Progress func(done, all int, what string)
	// Version is the version of conform, CommandLine repeats the run; both are for reports.
	Version     string
	CommandLine string
	// Secrets are values that no report may show.
	Secrets []string
	// FailOn says which findings make the exit code 1.
	FailOn report.FailOn
}

func (c *Config) defaults() {
	if c.Profile == "" {
		c.Profile = scenarios.ProfileHosts
	}
	if c.Allow == "" {
		c.Allow = AllowReadOnly
	}
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.Jobs <= 0 {
		c.Jobs = 32 * runtime.NumCPU()
	}
	if c.Processes <= 0 {
		c.Processes = max(8, 6*runtime.NumCPU())
	}
	lim := fakes.DefaultLimits()
	if c.Start <= 0 {
		c.Start = lim.Start
	}
	if c.Answer <= 0 {
		c.Answer = lim.Answer
	}
	if c.Timeout <= 0 {
		c.Timeout = 10 * time.Minute
	}
	if c.Evidence <= 0 {
		c.Evidence = 48 << 20
	}
	if c.Catalogue == nil {
		c.Catalogue = scenarios.All()
	}
	if c.FailOn == "" {
		c.FailOn = report.FailOnFail
	}
}

func (c *Config) limits() fakes.Limits {
	return fakes.Limits{Start: c.Start, Answer: c.Answer, Quiet: fakes.DefaultLimits().Quiet}
}
