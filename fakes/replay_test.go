package fakes_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

const recordings = "testdata/recordings"

// TestReplay lets each fake open, list and call against the server of its
// recording, and compares what it sends with what the real client sent.
func TestReplay(t *testing.T) {
	t.Parallel()
	set := load(t)
	files, err := filepath.Glob(recordings + "/*.jsonl")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			t.Parallel()
			r, err := fakes.LoadRecording(file)
			if err != nil {
				t.Fatal(err)
			}
			p, ok := set.Get(r.Client)
			if !ok {
				t.Fatalf("no profile %s", r.Client)
			}
			for _, d := range replay(t, p, r) {
				t.Error(d)
			}
		})
	}
}

// TestReplayNotices changes one fact of a profile at a time: the comparison has
// to see each of them.
func TestReplayNotices(t *testing.T) {
	t.Parallel()
	set := load(t)
	for _, c := range []struct {
		recording string
		change    func(*fakes.Profile)
	}{
		{"codex-legacy-stdio", func(p *fakes.Profile) { p.Asking.FirstID = 1 }},
		{"codex-legacy-stdio", func(p *fakes.Profile) { p.Asking.Order = "sdk" }},
		{"codex-legacy-stdio", func(p *fakes.Profile) { p.Asking.TokenOnAll = false }},
		{"codex-legacy-stdio", func(p *fakes.Profile) { p.Asking.CallMeta = nil }},
		{"codex-legacy-stdio", func(p *fakes.Profile) { p.Answers.Form = "cancel" }},
		{"codex-legacy-stdio", func(p *fakes.Profile) { p.Opening.Pages = false }},
		{"codex-legacy-stdio", func(p *fakes.Profile) { p.Stdio.Shutdown = nil }},
		{"codex-legacy-http", func(p *fakes.Profile) { p.Over.HTTP = nil }},
		{"codex-legacy-http", func(p *fakes.Profile) { p.HTTP.Delete = false }},
		{"codex-legacy-http", func(p *fakes.Profile) { p.HTTP.Headers = nil }},
		{"gemini-cli-legacy-stdio", func(p *fakes.Profile) { p.Asking.ProgressToken = "id" }},
		{"gemini-cli-legacy-stdio", func(p *fakes.Profile) { p.Opening.EmptyParams = false }},
		{"gemini-cli-legacy-http", func(p *fakes.Profile) { p.HTTP.NoVersionHeader = false }},
		{"gemini-cli-legacy-http", func(p *fakes.Profile) { p.HTTP.Stream = false }},
		{"go-sdk-legacy-http", func(p *fakes.Profile) { p.HTTP.StreamBefore = nil }},
		{"go-sdk-legacy-stdio", func(p *fakes.Profile) { p.Opening.InitializedParams = false }},
		{"ai-sdk-legacy-http", func(p *fakes.Profile) { p.HTTP.VersionOnInitialize = false }},
		{"claude-code-modern-stdio", func(p *fakes.Profile) { p.ModernCapabilities = nil }},
		{"claude-code-modern-stdio", func(p *fakes.Profile) { p.Opening.Listen = nil }},
		{"claude-code-modern-stdio", func(p *fakes.Profile) { p.Over.Modern = nil }},
		{"copilot-cli-modern-stdio", func(p *fakes.Profile) { p.Opening.CancelsListen = false }},
		{"copilot-cli-legacy-stdio", func(p *fakes.Profile) { p.Answers.Sampling = "unsupported" }},
		{"mastra-modern-stdio", func(p *fakes.Profile) { p.Asking.Meta = nil }},
		{"opencode-legacy-stdio", func(p *fakes.Profile) { p.Asking.CancelsFinished = false }},
		{"inspector-legacy-stdio", func(p *fakes.Profile) { p.Opening.SetLevel = "" }},
	} {
		r, err := fakes.LoadRecording(filepath.Join(recordings, c.recording+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		p, _ := set.Get(r.Client)
		q := *p
		c.change(&q)
		if len(replay(t, &q, r)) == 0 {
			before, _ := json.Marshal(p)
			after, _ := json.Marshal(&q)
			t.Errorf("%s: the change is not seen: %s", c.recording, cmp.Diff(string(before), string(after)))
		}
	}
}

// replay returns the differences between the recorded client and its fake.
func replay(t *testing.T, p *fakes.Profile, r *fakes.Recording) []string {
	q := *p
	if r.App.ClientInfo != nil {
		q.ClientInfo = r.App.ClientInfo
	}
	all := scripts(r)
	dial, tapes := dialer(t, r, all)
	w := fakes.Want{Transport: r.Transport, Capabilities: r.App.Capabilities, Purpose: "replay", Limits: fakes.DefaultLimits()}
	if r.Note != "" {
		w.Revision = fakes.Rev20251125 // the recording was made with the probe switched off
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	s, err := fakes.Open(ctx, &q, dial, w)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	want, skipped := sends(r)
	called := 0
	for _, m := range calls(r) {
		if skipped[m.ID] {
			continue
		}
		if unanswered(r, m) {
			s.Start(ctx, fakes.Ask{Label: "replay/silent", Method: m.Method, Params: plain(m)})
			time.Sleep(100 * time.Millisecond) // for an answer to come that should not
			continue
		}
		if m.Method == "tools/list" {
			_, err = s.List(ctx, "replay/list", m.Method, 64)
		} else {
			err = s.Do(ctx, fakes.Ask{Label: "replay/call", Method: m.Method, Params: plain(m)})
		}
		if err != nil {
			t.Fatalf("%s: %v", m.Root.Raw, err)
		}
		called++
		// A cancellation comes on its own time, well before the next call in life.
		for n := 0; q.Asking.CancelsFinished && n < 200 && len(apart(sent(tapes()), true)) < called; n++ {
			time.Sleep(5 * time.Millisecond)
		}
	}
	s.Close()
	var out []string
	for _, sc := range all {
		if len(sc.strange) > 0 {
			out = append(out, fmt.Sprintf("sends what was not recorded: %s", sc.strange))
		}
	}
	got := sent(tapes())
	out = append(out, compare(t, &q, apart(want, false), apart(got, false))...)
	out = append(out, compare(t, &q, apart(want, true), apart(got, true))...)
	if step := firstStep(r); step != "" && step != q.For(r.Transport, s.Revision).Stdio.Steps()[0].Do {
		out = append(out, fmt.Sprintf("the real client ends its server with %s, the profile says %+v", step, q.Stdio.Steps()))
	}
	return out
}

// dialer opens lines to the scripts, one after the other.
func dialer(t *testing.T, r *fakes.Recording, all []*script) (fakes.Dial, func() []*wire.Tape) {
	var tapes []*wire.Tape
	url := ""
	if r.Transport == "http" {
		srv := httptest.NewServer(all[0].handler())
		t.Cleanup(srv.Close)
		url = srv.URL
	}
	dial := func(context.Context, string, fakes.Stdio) (wire.Line, error) {
		tape := wire.NewTape(fmt.Sprint(len(tapes)), wire.NewBudget(1<<20))
		tapes = append(tapes, tape)
		if url != "" {
			return wire.OpenHTTP(url, http.Header{}, wire.NewHTTPClient(), tape, wire.DefaultLimits()), nil
		}
		if len(tapes) > len(all) {
			return nil, fmt.Errorf("process %d was not recorded", len(tapes))
		}
		return wire.OpenPipe(all[len(tapes)-1].serve, tape, wire.DefaultLimits()), nil
	}
	return dial, func() []*wire.Tape { return tapes }
}

// frame is one message or HTTP request of a client.
type frame struct {
	method string
	header map[string]string
	raw    string
	later  bool
}

// sends are the frames of the recorded client, less the calls in which it
// answered as its application wished; those are named by id.
func sends(r *fakes.Recording) (out []frame, skipped map[string]bool) {
	skipped = map[string]bool{}
	answers := map[string]bool{}
	call := ""
	for _, s := range r.Steps {
		m := wire.ParseMessage([]byte(s.Raw))
		switch {
		case s.Dir == "send" && m.Method == "tools/call":
			call = m.ID
		case s.Dir == "recv" && m.IsRequest() && r.App.Answers[kindOf(m.Root)] != "":
			skipped[call], answers[m.ID] = true, true
		}
	}
	for _, s := range r.Steps {
		m := wire.ParseMessage([]byte(s.Raw))
		if s.Dir == "send" && !(m.Method == "tools/call" && skipped[m.ID]) && !(m.IsResponse() && answers[m.ID]) {
			out = append(out, frame{s.Method, s.Header, s.Raw, s.Later})
		}
	}
	return out, skipped
}

// sent are the frames on the tapes of a fake.
func sent(tapes []*wire.Tape) []frame {
	var out []frame
	for _, t := range tapes {
		for _, e := range t.Events() {
			if e.Kind != wire.Send {
				continue
			}
			f := frame{raw: string(e.Raw)}
			if e.HTTP != nil {
				f.method, f.header = e.HTTP.Method, map[string]string{}
				for k, v := range e.HTTP.Header {
					f.header[strings.ToLower(k)] = strings.Join(v, ", ")
				}
			}
			out = append(out, f)
		}
	}
	return out
}

// apart keeps the cancellations, which come at no fixed moment, or the rest.
func apart(all []frame, cancelled bool) []frame {
	return slices.DeleteFunc(slices.Clone(all), func(f frame) bool {
		return (gjson.Get(f.raw, "method").Str == "notifications/cancelled") != cancelled
	})
}

func compare(t *testing.T, p *fakes.Profile, want, got []frame) []string {
	t.Helper()
	var out []string
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(want):
			out = append(out, fmt.Sprintf("frame %d: the fake sends more: %s %s", i+1, got[i].method, got[i].raw))
		case i >= len(got):
			out = append(out, fmt.Sprintf("frame %d: the fake does not send: %s %s", i+1, want[i].method, want[i].raw))
		default:
			if d := cmp.Diff(view(t, p, want[i], want[i].later), view(t, p, got[i], want[i].later)); d != "" {
				out = append(out, fmt.Sprintf("frame %d (-real +fake):\n%s\nreal %s\nfake %s", i+1, d, want[i].raw, got[i].raw))
			}
		}
	}
	return out
}

// face is what has to agree between two frames.
type face struct {
	HTTP   string
	Header map[string]string
	Body   any
	// Order holds the members of the frame, of params and of _meta, in order.
	Order [][]string
}

// mask stands for what differs from run to run.
const mask = "(masked)"

func view(t *testing.T, p *fakes.Profile, f frame, later bool) face {
	t.Helper()
	out := face{HTTP: f.method, Header: map[string]string{}}
	for k, v := range f.header {
		matters := strings.HasPrefix(k, "mcp-") || slices.Contains([]string{"accept", "content-type", "user-agent", "accept-language", "sec-fetch-mode"}, k)
		if f.method == http.MethodDelete && k == "accept" || k == "accept-encoding" && v == "identity" {
			matters = k != "accept"
		}
		if matters {
			out.Header[k] = v
		}
	}
	if f.raw == "" {
		return out
	}
	for _, path := range []string{"@this", "params", "params._meta"} {
		var keys []string
		gjson.Get(f.raw, path).ForEach(func(k, _ gjson.Result) bool {
			keys = append(keys, k.Str)
			return true
		})
		out.Order = append(out.Order, keys)
	}
	var body map[string]any
	if err := json.Unmarshal([]byte(f.raw), &body); err != nil {
		t.Fatalf("%s: %v", f.raw, err)
	}
	if body["method"] != nil && body["id"] != nil && later {
		body["id"] = mask
	}
	params, _ := body["params"].(map[string]any)
	if params["requestId"] != nil && later {
		params["requestId"] = mask
	}
	meta, _ := params["_meta"].(map[string]any)
	if token, ok := meta["progressToken"]; ok && (later || p.Asking.ProgressToken == "uuid") {
		meta["progressToken"] = fmt.Sprintf("%s %T", mask, token)
	}
	gjson.ParseBytes(p.Asking.CallMeta).ForEach(func(k, _ gjson.Result) bool {
		if _, ok := meta[k.Str]; ok {
			meta[k.Str] = mask
		}
		return true
	})
	result, _ := body["result"].(map[string]any)
	if roots, _ := result["roots"].([]any); len(roots) > 0 {
		result["roots"] = mask
	}
	if e, ok := body["error"].(map[string]any); ok {
		body["error"] = e["code"] // what an error says is for people
	}
	out.Body = body
	return out
}

// unanswered says that the real client left open what it was asked during a call.
func unanswered(r *fakes.Recording, call *wire.Message) bool {
	question, in := "", false
	for _, s := range r.Steps {
		m := wire.ParseMessage([]byte(s.Raw))
		switch {
		case s.Dir == "send" && m.Method == "tools/call":
			in = m.ID == call.ID
		case in && s.Dir == "recv" && m.IsRequest():
			question = m.ID
		case s.Dir == "send" && m.IsResponse() && m.ID == question:
			return false
		}
	}
	return question != ""
}

// firstStep is what the real client did first to end the last process.
func firstStep(r *fakes.Recording) string {
	step := ""
	for _, s := range r.Steps {
		switch s.Event {
		case "start":
			step = ""
		case "eof", "sigint", "sigterm":
			if step == "" {
				step = s.Event
			}
		}
	}
	return step
}
