package suite

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite/fixtures"
	"github.com/agntn/conform/suite/sample"
)

// sampleConfig is a run against the sample server with everything allowed and
// every role filled.
func sampleConfig(t testing.TB) Config {
	t.Helper()
	set, err := fakes.Load()
	if err != nil {
		t.Fatal(err)
	}
	clients, err := set.Select("claude-code,chatgpt,sdk-v1,sdk-v2")
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{
		Profile: scenarios.ProfileStrict, Allow: AllowAll, Clients: clients,
		Revisions: []string{fakes.Rev20260728, fakes.Rev20251125},
		Start:     20 * time.Second, Answer: 5 * time.Second,
	}
	for _, r := range sample.Roles() {
		cfg.Roles = append(cfg.Roles, scenarios.Role{Job: r.Job, Tool: r.Tool, Arguments: r.Arguments, Alternative: r.Alternative})
	}
	return cfg
}

// target points a configuration at the sample with the given options, over
// stdio or HTTP. What it returns starts a server over HTTP anew, at the same address.
func target(t testing.TB, cfg *Config, transport string, opts sample.Options) (anew func()) {
	t.Helper()
	if transport == overHTTP {
		var now atomic.Pointer[http.Handler]
		anew = func() {
			s, err := sample.New(opts)
			if err != nil {
				t.Error(err)
				return
			}
			h := s.Handler()
			now.Store(&h)
		}
		anew()
		s, err := sample.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*now.Load()).ServeHTTP(w, r) }))
		if s.Process().AllInterfaces {
			srv.Listener.Close()
			if srv.Listener, err = net.Listen("tcp4", ":0"); err != nil {
				t.Fatal(err)
			}
		}
		srv.Start()
		t.Cleanup(srv.Close)
		_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
		cfg.Target = Target{URL: "http://127.0.0.1:" + port + "/mcp"}
		return anew
	}
	s, err := sample.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	if s.Process() == (sample.Process{}) {
		// A server on pipes costs no process; each line gets a server of its own.
		cfg.Target = Target{LikeStdio: true, Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
			s, err := sample.New(opts)
			if err != nil {
				return err
			}
			return s.ServeStdio(ctx, in, out, io.Discard)
		}}
		return nil
	}
	args := []string{"-shape", opts.Shape, "-delay", opts.Delay.String(), "-page-size", fmt.Sprint(opts.PageSize)}
	cfg.Target = Target{Command: append(append([]string{program(t), "serve"}, args...), opts.Faults...)}
	return nil
}

// program builds the conform command once.
func program(t testing.TB) string {
	t.Helper()
	out, err := built()
	if err != nil {
		t.Fatalf("cannot build the conform command: %v", err)
	}
	return out
}

var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "conform-test-")
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, "conform")
	msg, err := exec.Command("go", "build", "-o", out, "github.com/agntn/conform/cmd/conform").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, msg)
	}
	return out, nil
})

// TestMain lets many tests run at once: most of the time they wait. The value is
// set without marking the flag as given, which Ginkgo refuses.
func TestMain(m *testing.M) {
	flag.Parse()
	if !fuzzing() { // there it is how many programs run
		if err := flag.Lookup("test.parallel").Value.Set("8"); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	if out, err := built(); err == nil {
		os.RemoveAll(filepath.Dir(out))
	}
	os.Exit(code)
}

// fuzzing says that inputs are searched for.
func fuzzing() bool { return flag.Lookup("test.fuzz").Value.String() != "" }

// TestEveryShapeIsClean runs the right sample in every shape that a right
// server may have: nothing may fail or warn.
func TestEveryShapeIsClean(t *testing.T) {
	t.Parallel()
	var alone sync.Mutex
	shapes := append([]sample.Shape{{}}, sample.Shapes()...)
	for _, s := range shapes {
		transports := s.Transports
		if s.Name == "" {
			transports = []string{overStdio, overHTTP}
		}
		for _, tr := range transports {
			t.Run(s.Name+"/"+tr, func(t *testing.T) {
				t.Parallel()
				fixtures.HoldAlone(t, &alone, func() []string { return shapeFindings(t, s, tr) })
			})
		}
	}
}

// shapeFindings runs the right sample in a shape and says what was found
// against it that the shape does not declare.
func shapeFindings(t *testing.T, s sample.Shape, transport string) []string {
	t.Helper()
	cfg := sampleConfig(t)
	cfg.Revisions = nil
	target(t, &cfg, transport, sample.Options{Shape: s.Name})
	if k, v, ok := strings.Cut(s.Header, ":"); ok {
		cfg.Target.Header = http.Header{k: {strings.TrimSpace(v)}}
	}
	r, _, err := Engine(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Outcomes) == 0 {
		return []string{fmt.Sprintf("nothing was judged: %v", r.Notes)}
	}
	var out []string
	for id, v := range findings(r) {
		declared := sample.Names(s.Declares, id)
		if v != scenarios.Info && !declared {
			out = append(out, fmt.Sprintf("%s %s: %s", v, id, example(r, id)))
		}
	}
	return out
}

// rightListing is tools/list of the right sample.
func rightListing(t *testing.T) json.RawMessage {
	t.Helper()
	s, err := sample.New(sample.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := sampleConfig(t)
	cfg.Revisions = []string{fakes.Rev20251125}
	cfg.Target = Target{Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
		return s.ServeStdio(ctx, in, out, io.Discard)
	}}
	facts, err := Look(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var tools []json.RawMessage
	for _, tool := range facts[0].Tools {
		tools = append(tools, tool.Raw)
	}
	raw, _ := json.Marshal(tools)
	return raw
}

// rightCalls are calls whose answers are known.
func rightCalls() []scenarios.ToolCall {
	return []scenarios.ToolCall{{
		Tool: "text_slug", Arguments: json.RawMessage(`{"text":"Good Morning"}`),
		Expect: []scenarios.Expectation{{Path: "content.0.text", Matches: "good-morning"}},
	}}
}
