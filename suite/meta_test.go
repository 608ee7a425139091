package suite

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
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

// target points a configuration at the sample with the given options, over stdio or HTTP.
func target(t testing.TB, cfg *Config, transport string, opts sample.Options) {
	t.Helper()
	if transport == overHTTP {
		s, err := sample.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		srv := httptest.NewServer(s.Handler())
		t.Cleanup(srv.Close)
		cfg.Target = Target{URL: srv.URL + "/mcp"}
		return
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
		return
	}
	args := []string{"-shape", opts.Shape, "-delay", opts.Delay.String(), "-page-size", fmt.Sprint(opts.PageSize)}
	cfg.Target = Target{Command: append(append([]string{program(t), "serve"}, args...), opts.Faults...)}
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
	if err := flag.Lookup("test.parallel").Value.Set("8"); err != nil {
		panic(err)
	}
	code := m.Run()
	if out, err := built(); err == nil {
		os.RemoveAll(filepath.Dir(out))
	}
	os.Exit(code)
}

// findings are the checks that found something, with the worst verdict.
func findings(r report.Report) map[string]scenarios.Verdict {
	out := map[string]scenarios.Verdict{}
	for _, o := range r.Outcomes {
		switch o.Verdict {
		case scenarios.Fail, scenarios.Warn, scenarios.Info, scenarios.Error:
			out[o.Check] = scenarios.Worst(out[o.Check], o.Verdict)
		}
	}
	return out
}

// TestEveryFaultIsCaught plants every fault of the sample server: the checks
// it names must see it, and no check outside its list may. It looks at the
// scenarios of those checks over one transport; CONFORM_ALL=1 looks at the
// whole catalogue over both. Faults named in testdata/unsettled_faults.txt are
// not caught yet, or trip a check that is not agreed on.
func TestEveryFaultIsCaught(t *testing.T) {
	t.Parallel()
	if os.Getenv("CONFORM_LONG") == "" {
		t.Skip("plants more than five hundred faults: set CONFORM_LONG=1")
	}
	whole := os.Getenv("CONFORM_ALL") != ""
	unsettled := listOf(t, "testdata/unsettled_faults.txt")
	for _, f := range sample.Faults() {
		transports := f.Transports[:1]
		if whole {
			transports = f.Transports
		}
		for _, tr := range transports {
			t.Run(f.Name+"/"+tr, func(t *testing.T) {
				t.Parallel()
				if slices.Contains(unsettled, f.Name) && !whole {
					t.Skip("named in testdata/unsettled_faults.txt")
				}
				cfg := sampleConfig(t)
				both := cfg.Revisions
				cfg.Revisions = nil
				if strings.HasPrefix(f.Name, "parity-") || strings.HasSuffix(f.Name, "extensions-kept") {
					cfg.Revisions = both // these compare revisions
				}
				for era, revision := range map[string]string{sample.Legacy: fakes.Rev20251125, sample.Modern: fakes.Rev20260728} {
					if f.In(era, tr) && len(cfg.Revisions) < 2 {
						cfg.Revisions = append(cfg.Revisions, revision)
					}
				}
				target(t, &cfg, tr, sample.Options{Faults: []string{f.Name}})
				if f.NeedsExpect {
					cfg.Expect = rightListing(t)
					cfg.Calls = rightCalls()
				}
				if !whole {
					cfg.Scenarios = around(f.Checks)
				}
				r, _, err := Engine(t.Context(), cfg)
				if err != nil {
					t.Fatal(err)
				}
				got := findings(r)
				if len(r.Outcomes) == 0 {
					// A server that cannot be opened proves nothing; the report says why.
					if f.Checks[0] != "opening/answers-initialize" || len(r.Notes) == 0 {
						t.Errorf("nothing was judged: %v", r.Notes)
					}
					return
				}
				for _, want := range f.Checks {
					if !hasMatch(got, want) && offeredCheck(want) {
						t.Errorf("not caught by %s; findings: %s", want, keys(got))
					}
				}
				for id, v := range got {
					if strings.HasPrefix(id, "clients/") || id == "presentation/label-shown" || rightFindings(t, tr)[id] == scenarios.Info && v == scenarios.Info {
						continue // what a client suffers of the fault; what the right server shows too
					}
					if !slices.ContainsFunc(append(slices.Clone(f.Checks), f.Collateral...), func(p string) bool { return matches(p, id) }) {
						t.Errorf("trips %s (%s): %s", id, v, example(r, id))
					}
				}
			})
		}
	}
}

// rightFindings are the notes that the right server gets.
func rightFindings(t *testing.T, transport string) map[string]scenarios.Verdict {
	t.Helper()
	rightMu.Lock()
	defer rightMu.Unlock()
	if rightNotes[transport] == nil {
		cfg := sampleConfig(t)
		target(t, &cfg, transport, sample.Options{})
		r, _, err := Engine(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		rightNotes[transport] = findings(r)
	}
	return rightNotes[transport]
}

var (
	rightMu    sync.Mutex
	rightNotes = map[string]map[string]scenarios.Verdict{} // filled once a transport
)

// around names the scenarios that checks belong to, with the calls that many of
// them look at.
func around(checks []string) []string {
	out := []string{"output-schema"}
	for _, c := range checks {
		prefix, _, _ := strings.Cut(c, "/")
		if strings.HasPrefix(prefix, "host-") {
			prefix = "hosts"
		}
		out = append(out, prefix)
	}
	return out
}

// listOf reads a list of names, one a line; lines that begin with # are words.
func listOf(t *testing.T, file string) []string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(regexp.MustCompile(`(?m)^#.*$`).ReplaceAllString(string(raw), ""))
}

// offeredCheck says whether the catalogue has a check that the pattern names.
func offeredCheck(pattern string) bool {
	return slices.ContainsFunc(scenarios.All().IDs(), func(id string) bool { return matches(pattern, id) })
}

func matches(pattern, id string) bool {
	if ok, _ := path.Match(pattern, id); ok {
		return true
	}
	// A star may stand for any text, slashes included.
	pre, post, star := strings.Cut(pattern, "*")
	return star && !strings.Contains(post, "*") && len(id) >= len(pre)+len(post) && strings.HasPrefix(id, pre) && strings.HasSuffix(id, post)
}

func hasMatch(got map[string]scenarios.Verdict, pattern string) bool {
	for id := range got {
		if matches(pattern, id) {
			return true
		}
	}
	return false
}

func keys(m map[string]scenarios.Verdict) string {
	var out []string
	for k, v := range m {
		out = append(out, k+" "+string(v))
	}
	sort.Strings(out)
	return strings.Join(out, ", ")
}

func example(r report.Report, check string) string {
	for _, o := range r.Outcomes {
		if o.Check == check && (o.Verdict == scenarios.Fail || o.Verdict == scenarios.Warn || o.Verdict == scenarios.Info || o.Verdict == scenarios.Error) {
			return o.ID + ": " + report.Visible(report.Bound(o.Message, 300))
		}
	}
	return ""
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

// TestEveryCheckHasAFault holds the catalogue to its promise: a check that no
// fault can fail proves nothing. Those still without one are named in
// testdata/without_fault.txt, a list that may only grow shorter.
func TestEveryCheckHasAFault(t *testing.T) {
	t.Parallel()
	owed := listOf(t, "testdata/without_fault.txt")
	for _, id := range scenarios.All().IDs() {
		caught := slices.ContainsFunc(sample.Faults(), func(f sample.Fault) bool {
			return slices.ContainsFunc(f.Checks, func(p string) bool { return matches(p, id) })
		})
		switch listed := slices.Contains(owed, id); {
		case !caught && !listed:
			t.Errorf("%s: no fault of the sample names it; plant one in suite/sample", id)
		case caught && listed:
			t.Logf("%s has a fault now; take it out of testdata/without_fault.txt", id)
		}
	}
}

// TestEveryShapeIsClean runs the right sample in every shape that a right
// server may have: nothing may fail or warn.
func TestEveryShapeIsClean(t *testing.T) {
	t.Parallel()
	shapes := append([]sample.Shape{{}}, sample.Shapes()...)
	for _, s := range shapes {
		transports := s.Transports
		if s.Name == "" {
			transports = []string{overStdio, overHTTP}
		}
		for _, tr := range transports {
			t.Run(s.Name+"/"+tr, func(t *testing.T) {
				t.Parallel()
				cfg := sampleConfig(t)
				cfg.Revisions = nil
				target(t, &cfg, tr, sample.Options{Shape: s.Name})
				if k, v, ok := strings.Cut(s.Header, ":"); ok {
					cfg.Target.Header = http.Header{k: {strings.TrimSpace(v)}}
				}
				r, _, err := Engine(t.Context(), cfg)
				if err != nil {
					t.Fatal(err)
				}
				if len(r.Outcomes) == 0 {
					t.Fatalf("nothing was judged: %v", r.Notes)
				}
				for id, v := range findings(r) {
					declared := slices.ContainsFunc(s.Declares, func(p string) bool { return matches(p, id) })
					if v != scenarios.Info && !declared {
						t.Errorf("%s %s: %s", v, id, example(r, id))
					}
				}
			})
		}
	}
}
