package suite

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite/sample"
)

// atOnce is how many faults are tried at the same time: a run against a fault
// waits for most of its time.
const atOnce = 16

// trial is one fault over one transport, and what came of it.
type trial struct {
	fault     sample.Fault
	transport string
	report    report.Report
	got       map[string]scenarios.Verdict
	took      time.Duration
}

// TestEveryFaultIsCaught plants every fault of the sample server: the checks
// it names must see it, and no check outside its list may. It runs the
// scenarios of those checks over one transport; with CONFORM_ALL=1 the whole
// catalogue over every transport of the fault. CONFORM_FAULTS, globs of names,
// chooses some.
func TestEveryFaultIsCaught(t *testing.T) {
	t.Parallel()
	whole := os.Getenv("CONFORM_ALL") != ""
	var todo []trial
	for _, f := range sample.Faults() {
		if !chosen(f.Name) {
			continue
		}
		transports := f.Transports[:1]
		if whole {
			transports = f.Transports
		}
		for _, tr := range transports {
			todo = append(todo, trial{fault: f, transport: tr})
		}
	}
	right := sync.OnceValue(func() map[string]scenarios.Verdict { return rightFindings(t) })
	places := make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	for i := range todo {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			t.Run(todo[i].fault.Name+"/"+todo[i].transport, func(t *testing.T) {
				todo[i].run(t, whole)
				todo[i].hold(t, right())
			})
		})
	}
	wg.Wait()
	t.Log("\n" + tableOf(todo))
}

// chosen says whether CONFORM_FAULTS, where it is set, names a fault.
func chosen(name string) bool {
	globs := strings.Fields(os.Getenv("CONFORM_FAULTS"))
	return len(globs) == 0 || slices.ContainsFunc(globs, func(g string) bool { return matches(g, name) })
}

// run plants the fault and runs the checks.
func (x *trial) run(t *testing.T, whole bool) {
	f := x.fault
	cfg := sampleConfig(t)
	cfg.Start = 10 * time.Second
	cfg.Revisions = append(cfg.Revisions, f.Revisions...)
	target(t, &cfg, x.transport, sample.Options{Faults: []string{f.Name}})
	if f.NeedsBoth {
		other := cfg.Target
		target(t, &cfg, map[string]string{overHTTP: overStdio, overStdio: overHTTP}[x.transport], sample.Options{Faults: []string{f.Name}})
		cfg.Target.URL = cmp.Or(cfg.Target.URL, other.URL)
		if other.Serve != nil {
			cfg.Target.Serve, cfg.Target.LikeStdio = other.Serve, true
		}
	}
	if name, value, ok := strings.Cut(f.Header, ":"); ok {
		cfg.Target.Header = http.Header{name: {strings.TrimSpace(value)}}
	}
	if f.NeedsExpect {
		cfg.Expect, cfg.Calls = rightListing(t), rightCalls()
	}
	cfg.Patience = f.Patience
	if slices.ContainsFunc(f.Checks, func(c string) bool { return strings.HasPrefix(c, "clients/") }) {
		cfg.Clients = nil // what is lost on one client is not on another: take them all
	}
	if !whole {
		cfg.Scenarios = append(around(f.Checks), f.Shows...)
	}
	begin := time.Now()
	r, _, err := Engine(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	x.report, x.got, x.took = r, findings(r), time.Since(begin)
}

// hold compares what was found with what the fault says.
func (x *trial) hold(t *testing.T, right map[string]scenarios.Verdict) {
	if len(x.report.Outcomes) == 0 {
		// A server that cannot be opened proves nothing; the report says why.
		if x.fault.Checks[0] != "opening/answers-initialize" || len(x.report.Notes) == 0 {
			t.Errorf("nothing was judged: %v", x.report.Notes)
		}
		return
	}
	for _, want := range x.fault.Checks {
		if !hasMatch(x.got, want) {
			t.Errorf("not caught by %s; findings: %s", want, keys(x.got))
		}
	}
	for id, v := range x.got {
		if right[id] == scenarios.Info && v == scenarios.Info || listed(x.fault.Checks, id) || listed(x.fault.Collateral, id) {
			continue
		}
		t.Errorf("trips %s (%s): %s", id, v, example(x.report, id))
	}
}

// findings are the checks that found something, with the worst verdict.
func findings(r report.Report) map[string]scenarios.Verdict {
	out := map[string]scenarios.Verdict{}
	for _, o := range r.Outcomes {
		if isFinding(o.Verdict) {
			out[o.Check] = scenarios.Worst(out[o.Check], o.Verdict)
		}
	}
	return out
}

func isFinding(v scenarios.Verdict) bool {
	return v == scenarios.Fail || v == scenarios.Warn || v == scenarios.Info || v == scenarios.Error
}

// rightFindings are the notes that the right server gets over either transport.
func rightFindings(t *testing.T) map[string]scenarios.Verdict {
	t.Helper()
	out := map[string]scenarios.Verdict{}
	for _, tr := range []string{overStdio, overHTTP} {
		cfg := sampleConfig(t)
		target(t, &cfg, tr, sample.Options{})
		r, _, err := Engine(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		for id, v := range findings(r) {
			out[id] = scenarios.Worst(out[id], v)
		}
	}
	return out
}

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

// listed says whether one of the patterns names a check.
func listed(patterns []string, id string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, id) })
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
		if o.Check == check && isFinding(o.Verdict) {
			return o.ID + ": " + report.Visible(report.Bound(o.Message, 300))
		}
	}
	return ""
}

// tableOf sums the trials up by area: the first word of a fault's name.
func tableOf(all []trial) string {
	type row struct {
		faults, checks map[string]bool
		trials, kills  int
		collateral     int
		took           time.Duration
	}
	rows := map[string]*row{}
	var areas []string
	for _, x := range all {
		area, _, _ := strings.Cut(x.fault.Checks[0], "/")
		for _, a := range []string{area, "all"} {
			r := rows[a]
			if r == nil {
				r = &row{faults: map[string]bool{}, checks: map[string]bool{}}
				rows[a] = r
				areas = append(areas, a)
			}
			r.faults[x.fault.Name] = true
			r.trials++
			r.took += x.took
			for _, c := range x.fault.Checks {
				r.checks[c] = true
			}
			if len(x.fault.Checks) > 0 && !slices.ContainsFunc(x.fault.Checks, func(c string) bool { return !hasMatch(x.got, c) }) {
				r.kills++
			}
			for id := range x.got {
				if !listed(x.fault.Checks, id) {
					r.collateral++
				}
			}
		}
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "area\tchecks\tfaults\ttrials\tkills\tcollateral\tseconds\t")
	sort.Strings(areas)
	for _, a := range areas {
		r := rows[a]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%.1f\t\n", a, len(r.checks), len(r.faults), r.trials, r.kills, r.collateral, r.took.Seconds())
	}
	w.Flush()
	return b.String()
}

// TestEveryCheckHasAFault holds the catalogue to its promise: a check that no
// fault can fail proves nothing.
func TestEveryCheckHasAFault(t *testing.T) {
	t.Parallel()
	for _, id := range scenarios.All().IDs() {
		if !slices.ContainsFunc(sample.Faults(), func(f sample.Fault) bool { return listed(f.Checks, id) }) {
			t.Errorf("%s: no fault of the sample names it; plant one in suite/sample", id)
		}
	}
}
