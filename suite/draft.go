package suite

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// WriteBetween writes what was recorded between a host and a server, so that
// conform replay can judge the server's side of it.
func WriteBetween(w io.Writer, b *Between, command []string, endpoint, version string) error {
	t := b.Tape
	facts := &scenarios.Facts{Transport: t.Transport, Revision: spokenRevision(t)}
	t.Revision = facts.Revision
	run := &scenarios.RunFacts{Seed: 1, Command: command, URL: endpoint, Offered: map[string][]string{t.Transport: {facts.Revision}}}
	facts.Run = run
	rec := &scenarios.Record{Facts: run, Targets: []*scenarios.Facts{facts}, Tapes: []*wire.Tape{t}}
	for _, x := range rec.Exchanges(t) {
		switch x.Request.Method {
		case "initialize", "server/discover":
			if x.Result().Exists() {
				facts.Opened = json.RawMessage(x.Result().Raw)
			}
		case "tools/list":
			x.Result().Get("tools").ForEach(func(_, v gjson.Result) bool {
				facts.Tools = append(facts.Tools, scenarios.Tool{Name: v.Get("name").String(), Raw: json.RawMessage(v.Raw)})
				facts.Listed = true
				return true
			})
		}
	}
	for _, s := range scenarios.All() {
		if s.Scope == scenarios.Passive && applies(s, facts) {
			rec.Cells = append(rec.Cells, scenarios.Cell{Scenario: s.ID, Client: fakes.Any, Revision: facts.Revision, Transport: t.Transport, Attempt: 1})
		}
	}
	r := report.Report{Target: report.Target{
		Name: facts.ServerName(), Version: facts.ServerInfo().Get("version").String(), Command: shellJoin(command),
		Transports: []string{t.Transport}, Revisions: []string{facts.Revision}, Tools: len(facts.Tools),
	}}
	return WriteRecord(w, Config{Version: version}, r, rec)
}

// spokenRevision is the revision that host and server came to.
func spokenRevision(t *wire.Tape) string {
	rec := scenarios.Record{}
	revision := ""
	for _, x := range rec.Exchanges(t) {
		if v := x.Result().Get("protocolVersion").Str; x.Request.Method == "initialize" && v != "" {
			revision = v
		}
		meta := x.Request.Root.Get("params._meta." + strings.ReplaceAll(fakes.MetaVersion, ".", `\.`)).Str
		if meta != "" && x.Result().Exists() && revision == "" {
			revision = meta
		}
	}
	if revision == "" {
		return fakes.Rev20251125
	}
	return revision
}

// Draft makes a client profile of what the host did: a beginning, to be
// completed by hand.
func Draft(t *wire.Tape, id, when string) *fakes.Profile {
	p := &fakes.Profile{
		ID: id, Product: id, Source: "observed", Seen: "recorded with conform record on " + when, Drives: true,
		Transports: []string{t.Transport}, Reader: "sdk-v1",
		Asking:  fakes.Asking{Order: "plain", ProgressToken: "none"},
		Answers: fakes.Answers{Form: "unsupported", URL: "unsupported", Roots: "unsupported", Sampling: "unsupported"},
		Stdio:   fakes.Stdio{Env: []string{"*"}},
		Notes:   []string{"a draft: the reader, the answers to questions and the environment were not looked at"},
	}
	rec := scenarios.Record{}
	for i, x := range rec.Exchanges(t) {
		draftFrame(p, x, i == 0)
	}
	for _, e := range t.Events() {
		if e.Kind == wire.Notice && e.Status == "shutdown" {
			do := map[string]string{"eof": "eof", "interrupt": "sigint", "terminated": "sigterm"}[string(e.Raw)]
			if do != "" {
				p.Stdio.Shutdown = append(p.Stdio.Shutdown, fakes.ShutdownStep{Do: do, WaitMS: 2000})
			}
		}
		if e.Kind == wire.Send && e.HTTP != nil {
			p.HTTP.Stream = p.HTTP.Stream || e.HTTP.Method == "GET"
			p.HTTP.Delete = p.HTTP.Delete || e.HTTP.Method == "DELETE"
			if ua := e.HTTP.Header.Get("User-Agent"); ua != "" {
				p.HTTP.UserAgent = ua
			}
		}
	}
	return p
}

func draftFrame(p *fakes.Profile, x *scenarios.Exchange, first bool) {
	m := x.Request
	if first && strings.HasPrefix(m.Root.Raw, `{"method"`) {
		p.Asking.Order = "sdk"
	}
	switch m.Method {
	case "server/discover":
		if p.Opening.Probe == nil && p.Opening.Legacy == "" {
			p.Opening.Probe = &fakes.Probe{ID: json.RawMessage(m.ID), WaitMS: 10_000}
		}
		meta := m.Root.Get("params._meta")
		p.ClientInfo = rawOf(meta, fakes.MetaClientInfo, p.ClientInfo)
		p.ModernCapabilities = rawOf(meta, fakes.MetaCapabilities, p.ModernCapabilities)
	case "initialize":
		p.Opening.Legacy = m.Root.Get("params.protocolVersion").Str
		p.Capabilities = json.RawMessage(m.Root.Get("params.capabilities").Raw)
		p.ClientInfo = json.RawMessage(m.Root.Get("params.clientInfo").Raw)
		p.Version = m.Root.Get("params.clientInfo.version").Str
		if n, err := strconv.ParseInt(m.ID, 10, 64); err == nil {
			p.Asking.FirstID = n
		}
	case "subscriptions/listen":
		p.Opening.Listen = json.RawMessage(m.ID)
	case "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		if !slices.Contains(p.Opening.Lists, m.Method) {
			p.Opening.Lists = append(p.Opening.Lists, m.Method)
		}
		p.Opening.Pages = p.Opening.Pages || m.Root.Get("params.cursor").Exists()
		p.Opening.EmptyParams = p.Opening.EmptyParams || m.Root.Get("params").Raw == "{}"
	case "tools/call":
		switch token := m.Root.Get("params._meta.progressToken"); {
		case token.Exists() && token.Raw == m.ID:
			p.Asking.ProgressToken = "id"
		case token.Type == gjson.String:
			p.Asking.ProgressToken = "uuid"
		case token.Exists():
			p.Asking.ProgressToken = "counter"
		}
	}
}

func rawOf(meta gjson.Result, key string, or json.RawMessage) json.RawMessage {
	if v := meta.Get(strings.ReplaceAll(key, ".", `\.`)); v.Exists() {
		return json.RawMessage(v.Raw)
	}
	return or
}

// WriteDraft writes a profile as a data file.
func WriteDraft(w io.Writer, p *fakes.Profile) error {
	b, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return fmt.Errorf("write the client profile: %w", err)
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
