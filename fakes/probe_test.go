package fakes_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

const (
	modernResult = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"private"}`
	noType       = `{"supportedVersions":["2026-07-28"],"capabilities":{}}`
	oldOnly      = `{"resultType":"complete","supportedVersions":["2025-11-25"],"capabilities":{}}`
	shaken       = `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`
)

func refusal(code int, data string) string {
	return fmt.Sprintf(`{"code":%d,"message":"no"%s}`, code, data)
}

func supports(list string) string { return `,"data":{"supported":[` + list + `]}` }

// prober is a server that answers server/discover in one way, and initialize well.
type prober struct {
	result, err string
	junk        bool // a line that is no JSON comes first
	exits       bool // the process ends instead of answering
	silent      bool
}

func (p prober) serve(_ context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		m := wire.ParseMessage(lines.Bytes())
		switch {
		case m.Method == "initialize":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, shaken)
		case m.Method != "server/discover":
		case p.exits:
			return nil
		case p.silent:
		default:
			if p.junk {
				fmt.Fprintln(out, "listening")
			}
			kind, body := "result", p.result
			if p.err != "" {
				kind, body = "error", p.err
			}
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"%s":%s}`+"\n", m.ID, kind, body)
		}
	}
	return nil
}

// TestProbe gives clients each outcome of their first question. want is
// "modern", "legacy", or the kind of the error after which the client gives up.
func TestProbe(t *testing.T) {
	t.Parallel()
	set := load(t)
	for name, c := range map[string]struct {
		server prober
		want   map[string]string
	}{
		"modern":          {prober{result: modernResult}, map[string]string{"claude-code": "modern", "copilot-cli": "modern", "sdk-v2": "modern", "ai-sdk": "modern", "go-sdk": "modern", "mastra": "modern"}},
		"no resultType":   {prober{result: noType}, map[string]string{"claude-code": "modern", "sdk-v2": "modern", "ai-sdk": "legacy"}},
		"old only":        {prober{result: oldOnly}, map[string]string{"claude-code": "legacy", "sdk-v2": "legacy", "ai-sdk": "legacy"}},
		"not found":       {prober{err: refusal(-32601, "")}, map[string]string{"claude-code": "legacy", "sdk-v2": "legacy", "ai-sdk": "legacy", "go-sdk": "legacy"}},
		"unsupported":     {prober{err: refusal(-32022, supports(`"2025-11-25"`))}, map[string]string{"claude-code": "legacy", "sdk-v2": "legacy", "ai-sdk": "refused", "go-sdk": "legacy"}},
		"contradiction":   {prober{err: refusal(-32022, supports(`"2026-07-28"`))}, map[string]string{"claude-code": "legacy", "sdk-v2": "version", "ai-sdk": "refused"}},
		"future only":     {prober{err: refusal(-32022, supports(`"2099-01-01"`))}, map[string]string{"claude-code": "legacy", "sdk-v2": "version", "ai-sdk": "refused"}},
		"exit":            {prober{exits: true}, map[string]string{"claude-code": "legacy", "sdk-v2": "legacy", "go-sdk": "dead"}},
		"silence":         {prober{silent: true}, map[string]string{"claude-code": "legacy", "sdk-v2": "legacy", "go-sdk": "silent"}},
		"junk, then yes":  {prober{junk: true, result: modernResult}, map[string]string{"claude-code": "modern", "sdk-v2": "modern", "go-sdk": "junk"}},
		"no capabilities": {prober{result: `{"resultType":"complete","supportedVersions":["2026-07-28"]}`}, map[string]string{"sdk-v2": "legacy"}},
	} {
		for id, want := range c.want {
			t.Run(name+"/"+id, func(t *testing.T) {
				t.Parallel()
				p, ok := set.Get(id)
				if !ok {
					t.Fatal("no such client")
				}
				dial := func(context.Context, string, fakes.Stdio) (wire.Line, error) {
					return wire.OpenPipe(c.server.serve, wire.NewTape("t", wire.NewBudget(1<<20)), wire.DefaultLimits()), nil
				}
				if got := opened(t, p, dial, "stdio"); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			})
		}
	}
}

func TestProbeHTTP(t *testing.T) {
	t.Parallel()
	set := load(t)
	for _, c := range []struct {
		client string
		status int
		body   string // of the answer to server/discover, with the id in it
		want   string
	}{
		{"chatgpt", 404, ``, "legacy"},
		{"chatgpt", 400, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"no session"}}`, "legacy"},
		{"chatgpt", 200, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, "legacy"},
		{"chatgpt", 200, `{"jsonrpc":"2.0","id":%s,"result":` + oldOnly + `}`, "version"},
		{"chatgpt", 200, `{"jsonrpc":"2.0","id":%s,"result":` + modernResult + `}`, "modern"},
		{"claude-code", 500, ``, "legacy"},
		{"claude-code", 401, ``, "refused"},
		{"claude-code", 200, `{"jsonrpc":"2.0","id":%s,"result":` + oldOnly + `}`, "legacy"},
		{"sdk-v2", 503, ``, "refused"},
		{"sdk-v2", 403, ``, "refused"},
		{"sdk-v2", 405, ``, "legacy"},
	} {
		t.Run(fmt.Sprintf("%s/%d", c.client, c.status), func(t *testing.T) {
			t.Parallel()
			p, _ := set.Get(c.client)
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				m := wire.ParseMessage(body)
				w.Header().Set("Content-Type", "application/json")
				switch {
				case m.Method == "server/discover":
					w.WriteHeader(c.status)
					if c.body != "" {
						fmt.Fprintf(w, c.body, m.ID)
					}
				case m.Method == "initialize":
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, shaken)
				case r.Method == http.MethodGet:
					w.WriteHeader(http.StatusMethodNotAllowed)
				default:
					w.WriteHeader(http.StatusAccepted)
				}
			}))
			t.Cleanup(srv.Close)
			dial := func(context.Context, string, fakes.Stdio) (wire.Line, error) {
				return wire.OpenHTTP(srv.URL, http.Header{}, wire.NewHTTPClient(), wire.NewTape("t", wire.NewBudget(1<<20)), wire.DefaultLimits()), nil
			}
			if got := opened(t, p, dial, "http"); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func opened(t *testing.T, p *fakes.Profile, dial fakes.Dial, transport string) string {
	t.Helper()
	limits := fakes.DefaultLimits()
	limits.Start = 300 * time.Millisecond // silence is not waited for as long as in life
	s, err := fakes.Open(context.Background(), p, dial, fakes.Want{Transport: transport, Limits: limits, NoLists: true})
	if s != nil {
		defer s.CloseWith(wire.Quick())
	}
	var oe *fakes.OpenError
	switch {
	case errors.As(err, &oe):
		return oe.Kind
	case err != nil:
		return err.Error()
	case s.Modern():
		return "modern"
	}
	return "legacy"
}
