package sample

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/agntn/conform/suite/fixtures"
)

// asProgram makes the test binary the sample server, for tests that need a process.
const asProgram = "SAMPLE_TEST_AS_PROGRAM"

// TestMain lets many tests wait at once: most of them listen for silence.
// With a word in the environment the test binary is the sample server.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(Main(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// TestFaultTable holds the table to its form.
func TestFaultTable(t *testing.T) {
	t.Parallel()
	id := regexp.MustCompile(`^[a-z]+(-[a-z0-9*]+)*/[a-z0-9]+(-[a-z0-9]+)*$`)
	collateral := regexp.MustCompile(`^(\*|[a-z*-]+(/[a-z0-9*-]+)?)$`)
	name := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)+$`)
	seen := map[string]bool{}
	for _, f := range Faults() {
		if seen[f.Name] {
			t.Errorf("%s: the name is used twice", f.Name)
		}
		seen[f.Name] = true
		if !name.MatchString(f.Name) {
			t.Errorf("%s: not a name", f.Name)
		}
		if !strings.HasSuffix(f.What, ".") || strings.Contains(f.What, "\n") {
			t.Errorf("%s: What is not one sentence: %q", f.Name, f.What)
		}
		if len(f.Checks) == 0 || f.plant == nil {
			t.Errorf("%s: no check or no deviation", f.Name)
		}
		for _, c := range f.Checks {
			if !id.MatchString(c) {
				t.Errorf("%s: %q is not the id of a check", f.Name, c)
			}
		}
		for _, c := range f.Collateral {
			if !collateral.MatchString(c) {
				t.Errorf("%s: collateral %q is neither an id nor a pattern", f.Name, c)
			}
		}
		for _, e := range f.Eras {
			if e != Legacy && e != Modern {
				t.Errorf("%s: unknown era %q", f.Name, e)
			}
		}
		for _, tr := range f.Transports {
			if tr != Stdio && tr != HTTP {
				t.Errorf("%s: unknown transport %q", f.Name, tr)
			}
		}
	}
}

// asksOfProcess are faults that no message shows; [Process] does.
func asksOfProcess() map[string]func(p Process) bool {
	return map[string]func(p Process) bool{
		"opening-answers-initialize-exit": func(p Process) bool { return p.Exit != nil && *p.Exit == 1 },
		"shutdown-eof-exits":              func(p Process) bool { return p.Linger },
		"http-bind-localhost":             func(p Process) bool { return p.AllInterfaces },
		"framing-stderr-text":             func(p Process) bool { return !utf8.ValidString(p.Noise) },
		"shutdown-exit-status":            func(p Process) bool { return p.EndCode == 3 },
		"shutdown-no-orphans":             func(p Process) bool { return p.Orphan },
		"framing-stdout-clean-farewell":   func(p Process) bool { return p.Farewell != "" },
		"shutdown-sigterm-exits":          func(p Process) bool { return p.IgnoreTerm },
	}
}

// TestFaultsDeviate plants each fault and compares what it says with what the
// right server says, in every era and over every transport that the fault names.
func TestFaultsDeviate(t *testing.T) {
	t.Parallel()
	right := &transcripts{seen: map[string]func() string{}}
	for _, f := range Faults() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			if asked, ok := asksOfProcess()[f.Name]; ok {
				if !asked(newServer(t, Options{Faults: []string{f.Name}}).Process()) {
					t.Error("the fault asks nothing of the process")
				}
				return
			}
			ask := probeFor(f.Name)
			if ask == nil {
				t.Fatal("no probe shows this fault")
			}
			deviates := 0
			for _, era := range f.Eras {
				for _, transport := range f.Transports {
					if !f.In(era, transport) {
						continue
					}
					shape := ""
					switch {
					case strings.HasPrefix(f.Name, "authorization-"):
						shape = "protected"
					case probeKey(f.Name) == "tasks-":
						shape = "tasks"
					}
					want := right.of(t, f.Name, era, transport, shape)
					c := newClient(t, newServer(t, Options{Faults: []string{f.Name}}), era, transport)
					c.quiet = quiet
					ask(c)
					if got := c.log.String(); got == want {
						if !strings.HasPrefix(f.Name, "parity-") {
							t.Errorf("%s over %s: says the same as the right server", era, transport)
						}
					} else {
						deviates++
					}
				}
			}
			if deviates == 0 {
				t.Error("deviates nowhere")
			}
		})
	}
}

// of returns what the right server says to the probe of a fault.
func (r *transcripts) of(t testing.TB, fault, era, transport, shape string) string {
	key := strings.Join([]string{probeKey(fault), era, transport}, " ")
	r.mu.Lock()
	said, ok := r.seen[key]
	if !ok {
		said = sync.OnceValue(func() string {
			c := newClient(t, newServer(t, Options{Shape: shape}), era, transport)
			probeFor(fault)(c)
			return c.log.String()
		})
		r.seen[key] = said
	}
	r.mu.Unlock()
	return said()
}

func probeKey(name string) string {
	best := ""
	for key := range probes() {
		if strings.HasPrefix(name, key) && len(key) > len(best) {
			best = key
		}
	}
	return best
}

// TestRightServerIsSteady asks the right server everything twice: what a probe
// hears may not depend on chance, or a fault would seem to show where none is.
func TestRightServerIsSteady(t *testing.T) {
	t.Parallel()
	var alone sync.Mutex
	for key, ask := range probes() {
		for _, era := range []string{Legacy, Modern} {
			for _, transport := range []string{Stdio, HTTP} {
				if !applies(key, era, transport) {
					continue
				}
				t.Run(key+" "+era+" "+transport, func(t *testing.T) {
					t.Parallel()
					fixtures.HoldAlone(t, &alone, func() []string {
						var said [2]string
						for i := range said {
							c := newClient(t, newServer(t, Options{}), era, transport)
							ask(c)
							said[i] = c.log.String()
						}
						if said[0] != said[1] {
							return []string{fmt.Sprintf("first\n%s\nthen\n%s", said[0], said[1])}
						}
						return nil
					})
				})
			}
		}
	}
}

// applies says that some fault is looked for by that probe in that place.
func applies(key, era, transport string) bool {
	return slices.ContainsFunc(Faults(), func(f Fault) bool {
		return probeKey(f.Name) == key && f.In(era, transport)
	})
}
