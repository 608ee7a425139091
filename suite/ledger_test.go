package suite_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
	"github.com/agntn/conform/suite/fixtures"
)

// ledgerFolder holds the findings on real servers that were looked at, frame by
// frame, and held true. Its README.md tells the form of a line.
const ledgerFolder = "testdata/ledger"

// alwaysInLedger are the servers of every test run: the four official ones from
// npm, four more from npm, and fastmcp. All others run with CONFORM_LONG=1; the
// SDKs and frameworks also have tests of their own.
func alwaysInLedger() []string {
	return []string{
		"everything/http", "filesystem/stdio", "memory/stdio", "sequential-thinking/stdio",
		"agent-filesystem/stdio", "calc/stdio", "graphql-schema/stdio", "time/stdio", "fastmcp/http",
	}
}

// entry is one line of the ledger: a check that finds something on a server.
// Cause is the known cause that the finding names, "" when it is the server's own.
type entry struct {
	server, verdict, check, cause string
}

func (e entry) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s %s", e.server, e.verdict, e.check, e.cause))
}

// TestLedger runs every real server in the default profile under the default
// clients. What fails or warns stands in the ledger with its proof, and what
// stands there still shows. CONFORM_LEDGER=write puts new findings into it, with
// a question mark where the proof belongs, and takes out what is gone.
func TestLedger(t *testing.T) {
	if testing.Short() {
		t.Skip("starts some hundred processes")
	}
	book := readLedger(t)
	seen := &findingsSeen{of: map[entry]string{}}
	var alone sync.Mutex
	over := func(t *testing.T, transport string, beside bool) {
		for _, target := range fixtures.Targets() {
			if transport == "stdio" && target.Command == nil || transport == "http" && target.HTTP == nil {
				continue
			}
			t.Run(target.Name+"/"+transport, func(t *testing.T) {
				if beside {
					t.Parallel()
				}
				server := target.Name + "/" + transport
				if !slices.Contains(alwaysInLedger(), server) && os.Getenv("CONFORM_LONG") == "" {
					t.Skip("set CONFORM_LONG=1")
				}
				cfg := ledgerRun(t, target.Name, transport)
				var now map[entry]string
				fixtures.HoldAlone(t, &alone, func() []string {
					now = findingsOf(t, cfg, server, book)
					return differences(book, now, server)
				})
				seen.add(server, now)
			})
		}
	}
	// What is cancelled over HTTP is seen by its timing: these run before the
	// tests that keep the machine busy, one by one.
	over(t, "http", false)
	t.Parallel()
	t.Run("servers", func(t *testing.T) { over(t, "stdio", true) })
	if os.Getenv("CONFORM_LEDGER") == "write" {
		writeLedger(t, book, seen)
	}
}

// differences says what was found that has no line, and which lines show no more.
func differences(book, now map[entry]string, server string) []string {
	var out []string
	for e, observed := range now {
		if _, ok := book[e]; !ok {
			out = append(out, fmt.Sprintf("not in the ledger: %s: %s", e, observed))
		}
	}
	for e := range book {
		if _, ok := now[e]; !ok && e.server == server {
			out = append(out, fmt.Sprintf("in the ledger, and shows no more: %s", e))
		}
	}
	slices.Sort(out)
	return out
}

// findingsSeen gathers what was found on the servers that ran.
type findingsSeen struct {
	mu  sync.Mutex
	ran []string
	of  map[entry]string
}

func (s *findingsSeen) add(server string, now map[entry]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ran = append(s.ran, server)
	maps.Copy(s.of, now)
}

// ledgerRun is the run of a server over a transport.
func ledgerRun(t *testing.T, name, transport string) suite.Config {
	t.Helper()
	target := fixtures.Require(t, name)
	cfg := suite.Config{Profile: scenarios.ProfileHosts, Start: time.Minute} // eight servers start at once
	if transport == "stdio" {
		cfg.Target = overStdio(target)
	} else {
		cfg.Target.URL = fixtures.StartHTTP(t, target)
	}
	return cfg
}

// findingsOf returns what fails or warns in a run, with what was observed.
func findingsOf(t *testing.T, cfg suite.Config, server string, book map[entry]string) map[entry]string {
	t.Helper()
	r, _, err := suite.Engine(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Outcomes) == 0 {
		t.Fatalf("nothing was judged: %s", strings.Join(r.Notes, "; "))
	}
	now := map[entry]string{}
	for _, o := range r.Outcomes {
		switch o.Verdict {
		case scenarios.Unseen:
			if _, ok := book[entry{server: server, verdict: "warn", check: o.Check}]; ok {
				t.Logf("%s was not seen: %s", o.ID, o.Message)
			}
		case scenarios.Error:
			t.Errorf("conform itself failed in %s: %s", o.ID, o.Message)
		case scenarios.Fail, scenarios.Warn:
			e := entry{server: server, verdict: string(o.Verdict), check: o.Check}
			if o.Cause != nil {
				e.cause = o.Cause.ID
			}
			now[e] = cmp.Or(now[e], o.ID+": "+report.Visible(report.Bound(o.Message, 300)))
		}
	}
	t.Logf("%d processes, %d requests, %d ms", r.Stats.Processes, r.Stats.Requests, r.DurationMS)
	return now
}

// readLedger returns the proofs by entry. A line of causes.tsv stands for all
// the servers that it names.
func readLedger(t *testing.T) map[entry]string {
	t.Helper()
	book := map[entry]string{}
	add := func(file string, line int, e entry, proof string) {
		if _, twice := book[e]; twice {
			t.Errorf("%s:%d: %s stands there twice", file, line, e)
		}
		if len(proof) < 20 || strings.HasPrefix(proof, "?") {
			t.Errorf("%s:%d: %s has no proof", file, line, e)
		}
		book[e] = proof
	}
	each := func(file string, columns int, take func(line int, c []string)) {
		raw, err := os.ReadFile(filepath.Join(ledgerFolder, file))
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n") {
			c := strings.Split(l, "\t")
			if i == 0 {
				continue // the names of the columns
			}
			if len(c) != columns {
				t.Fatalf("%s:%d: %d columns instead of %d", file, i+1, len(c), columns)
			}
			take(i+1, c)
		}
	}
	each(ownFile, 4, func(line int, c []string) {
		add(ownFile, line, entry{server: c[0], verdict: c[1], check: c[2]}, c[3])
	})
	each(causesFile, 5, func(line int, c []string) {
		for _, server := range strings.Fields(c[3]) {
			add(causesFile, line, entry{server: server, verdict: c[1], check: c[2], cause: c[0]}, c[4])
		}
	})
	return book
}

const (
	ownFile    = "findings.tsv"
	causesFile = "causes.tsv"
)

// writeLedger brings the files to what was seen. Servers that did not run keep their lines.
func writeLedger(t *testing.T, book map[entry]string, seen *findingsSeen) {
	t.Helper()
	all := map[entry]string{}
	for e, proof := range book {
		if _, ok := seen.of[e]; ok || !slices.Contains(seen.ran, e.server) {
			all[e] = proof
		}
	}
	for e, observed := range seen.of {
		if all[e] == "" {
			all[e] = "? " + strings.ReplaceAll(observed, "\t", " ")
		}
	}
	type row struct{ cause, verdict, check string }
	servers, proofs := map[row][]string{}, map[row]string{}
	own := []string{"server\tverdict\tcheck\tproof"}
	for e, proof := range all {
		if e.cause == "" {
			own = append(own, strings.Join([]string{e.server, e.verdict, e.check, proof}, "\t"))
			continue
		}
		r := row{e.cause, e.verdict, e.check}
		servers[r] = append(servers[r], e.server)
		if old := proofs[r]; old == "" || strings.HasPrefix(old, "?") {
			proofs[r] = proof
		}
	}
	causes := []string{"cause\tverdict\tcheck\tservers\tproof"}
	for r, names := range servers {
		slices.Sort(names)
		causes = append(causes, strings.Join([]string{r.cause, r.verdict, r.check, strings.Join(names, " "), proofs[r]}, "\t"))
	}
	for file, lines := range map[string][]string{ownFile: own, causesFile: causes} {
		slices.Sort(lines[1:])
		if err := os.WriteFile(filepath.Join(ledgerFolder, file), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
