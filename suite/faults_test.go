package suite

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite/fixtures"
	"github.com/agntn/conform/suite/sample"
)

// Faults wait for most of their time, so many are tried at once; where the
// whole catalogue runs on each they compute as well.
const atOnce, atOnceWhole = 28, 4

// trial is one fault over one transport, and what came of it.
type trial struct {
	fault     sample.Fault
	transport string
	report    report.Report
	got       map[string]scenarios.Verdict
	took      time.Duration
	lines     []line
	// wrong is what does not hold; alone says that it lets nobody in, which is its fault.
	wrong []string
	alone bool
	// anew starts a server over HTTP again, nil over stdio.
	anew func()
}

// TestEveryFaultIsCaught plants every fault of the sample server: the checks
// it names must see it, with the verdict and the exit code of their level, and
// no check outside its list may see anything. What the report prints as a line
// that shows the fault without conform is run in a shell and has to show it.
// Over the first transport of a fault, and of every other fault the second one,
// it runs the scenarios of those checks and the line of one outcome. CONFORM_ALL=1
// runs the whole catalogue over every transport and the lines of all outcomes;
// CONFORM_FAULTS, globs of names, chooses some faults, over every transport.
func TestEveryFaultIsCaught(t *testing.T) {
	t.Parallel()
	whole := os.Getenv("CONFORM_ALL") != ""
	todo := trials(strings.Fields(os.Getenv("CONFORM_FAULTS")), whole)
	right := sync.OnceValue(func() map[string]scenarios.Verdict { return rightFindings(t) })
	places := make(chan struct{}, map[bool]int{false: atOnce, true: atOnceWhole}[whole])
	var wg sync.WaitGroup
	shells := make(chan struct{}, shellsAtOnce)
	for i := range todo {
		wg.Go(func() {
			places <- struct{}{}
			todo[i].run(t, whole)
			<-places
			todo[i].look(t, right, shells)
		})
	}
	wg.Wait()
	var alone sync.Mutex
	again := 0
	for i := range todo {
		x, ran := &todo[i], true
		t.Run(x.fault.Name+"/"+x.transport, func(t *testing.T) {
			if fixtures.HoldAlone(t, &alone, func() []string {
				if !ran {
					x.run(t, whole)
					x.look(t, right, shells)
				}
				ran = false
				return x.wrong
			}) {
				again++
			}
		})
	}
	t.Logf("%d of %d runs were tried a second time", again, len(todo))
	t.Log("\n" + tableOf(todo))
}

// trials lists what is to be tried.
func trials(globs []string, whole bool) []trial {
	var out []trial
	for i, f := range sample.Faults() {
		if len(globs) > 0 && !sample.Names(globs, f.Name) {
			continue
		}
		transports := f.Transports
		if f.NeedsBoth || i%2 == 1 && !whole && len(globs) == 0 { // one server either way, or half of the time
			transports = transports[:1]
		}
		for _, tr := range transports {
			out = append(out, trial{fault: f, transport: tr})
		}
	}
	return out
}

// run plants the fault and runs the checks.
func (x *trial) run(t *testing.T, whole bool) {
	f := x.fault
	cfg := sampleConfig(t)
	cfg.Profile, cfg.Start, cfg.Patience = scenarios.ProfileHosts, 10*time.Second, f.Patience
	cfg.Revisions = append(cfg.Revisions, f.Revisions...)
	opts := sample.Options{Faults: []string{f.Name}}
	x.anew = target(t, &cfg, x.transport, opts)
	if cfg.Target.Serve != nil { // for those who want to see it without conform
		cfg.Target.Command = []string{program(t), "serve", f.Name}
	}
	if f.NeedsBoth {
		one := cfg.Target
		target(t, &cfg, map[string]string{overHTTP: overStdio, overStdio: overHTTP}[x.transport], opts)
		cfg.Target = Target{URL: one.URL + cfg.Target.URL, Serve: one.Serve, Command: one.Command, LikeStdio: true}
	}
	if name, value, ok := strings.Cut(f.Header, ":"); ok {
		cfg.Target.Header = http.Header{name: {strings.TrimSpace(value)}}
	}
	if f.NeedsExpect {
		cfg.Expect, cfg.Calls = rightListing(t), rightCalls()
	}
	if sample.Names(f.Checks, "clients/shows-answers") {
		cfg.Clients = nil // the four of the other trials are shown everything: take those of an ordinary run
	}
	if !whole {
		cfg.Scenarios = append(around(f.Checks), f.Shows...)
	}
	begin := time.Now()
	r, rec, err := Engine(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	x.took = time.Since(begin)
	finish(&r, &cfg)
	x.report, x.got = r, findings(r)
	x.lines = x.linesOf(&cfg, rec, whole)
}

// look runs the lines and keeps what does not hold. The evidence is let go: that
// of all trials takes gigabytes.
func (x *trial) look(t *testing.T, right func() map[string]scenarios.Verdict, shells chan struct{}) {
	x.tryLines(t.Context(), shells)
	x.wrong = append(x.problems(right()), x.lineProblems()...)
	x.alone = len(x.report.Outcomes) == 0 && x.caught()
	x.report, x.lines = report.Report{}, nil
}

// problems compares what was found with what the fault says.
func (x *trial) problems(right map[string]scenarios.Verdict) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if !x.caught() {
		add("not caught: %s; findings: %s; notes: %v", x.missed(), keys(x.got), x.report.Notes)
	}
	if len(x.report.Outcomes) == 0 {
		return out
	}
	exit := report.ExitOK
	for id, v := range x.got {
		if v == scenarios.Fail {
			exit = report.ExitFailed
		}
		if sample.Names(x.fault.Checks, id) {
			if p := graded(id, v); p != "" {
				add("%s", p)
			}
			continue
		}
		noise := right[id] == scenarios.Info && v == scenarios.Info
		if !noise && !sample.Names(x.fault.Collateral, id) {
			add("trips %s (%s): %s", id, v, example(x.report, id))
		}
	}
	if x.report.Exit != exit {
		add("exit %d, want %d", x.report.Exit, exit)
	}
	return out
}

// caught says that every check that the fault names saw it. A server that lets
// nobody in proves nothing: there it counts that the run says so.
func (x *trial) caught() bool {
	if len(x.report.Outcomes) == 0 {
		return x.fault.Checks[0] == "opening/answers-initialize" && len(x.report.Notes) > 0 && x.report.Exit == report.ExitNothing
	}
	return !slices.ContainsFunc(x.fault.Checks, func(c string) bool { return !hasMatch(x.got, c) })
}

// missed says what became of the checks that should have seen the fault.
func (x *trial) missed() string {
	var out []string
	for _, want := range x.fault.Checks {
		if hasMatch(x.got, want) {
			continue
		}
		said := want
		for _, o := range x.report.Outcomes {
			if sample.Names([]string{want}, o.Check) && o.Verdict != scenarios.NA {
				said += fmt.Sprintf(" (%s, %s: %s)", o.ID, o.Verdict, report.Bound(o.Message, 120))
			}
		}
		out = append(out, said)
	}
	return strings.Join(out, ", ")
}

// graded holds a verdict to the level of its check: a must fails the run, a should warns.
func graded(id string, v scenarios.Verdict) string {
	k, _ := scenarios.All().Check(id)
	want, ruled := map[scenarios.Level]scenarios.Verdict{
		scenarios.Must: scenarios.Fail, scenarios.Should: scenarios.Warn, scenarios.Note: scenarios.Info,
	}[k.Level]
	if ruled && v != want {
		return fmt.Sprintf("%s is of level %s: verdict %s, want %s", id, k.Level, v, want)
	}
	return ""
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

// rightFindings are the notes that the right server gets over either transport
// from the clients of an ordinary run.
func rightFindings(t *testing.T) map[string]scenarios.Verdict {
	t.Helper()
	out := map[string]scenarios.Verdict{}
	for _, tr := range []string{overStdio, overHTTP} {
		cfg := sampleConfig(t)
		cfg.Profile, cfg.Clients = scenarios.ProfileHosts, nil
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

func hasMatch(got map[string]scenarios.Verdict, pattern string) bool {
	for id := range got {
		if sample.Names([]string{pattern}, id) {
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

// tableOf sums the trials up by the scenario of the fault's first check. A kill
// is a fault and a check that it names and that saw it, collateral a fault and a
// check that saw it too.
func tableOf(all []trial) string {
	type row struct {
		checks, faults, kills, collateral map[string]bool
		trials                            int
		took                              time.Duration
	}
	rows := map[string]*row{}
	for _, x := range all {
		area, _, _ := strings.Cut(x.fault.Checks[0], "/")
		for _, a := range []string{area, "total"} {
			r := rows[a]
			if r == nil {
				r = &row{checks: map[string]bool{}, faults: map[string]bool{}, kills: map[string]bool{}, collateral: map[string]bool{}}
				rows[a] = r
			}
			r.trials++
			r.took += x.took
			r.faults[x.fault.Name] = true
			for _, c := range x.fault.Checks {
				r.checks[c] = true
				if hasMatch(x.got, c) || x.alone {
					r.kills[x.fault.Name+" "+c] = true
				}
			}
			for id := range x.got {
				if !sample.Names(x.fault.Checks, id) && sample.Names(x.fault.Collateral, id) {
					r.collateral[x.fault.Name+" "+id] = true
				}
			}
		}
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "area\tchecks\tfaults\truns\tkills\tcollateral\tseconds\t")
	for _, a := range slices.Sorted(maps.Keys(rows)) {
		r := rows[a]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%.1f\t\n", a, len(r.checks), len(r.faults), r.trials, len(r.kills), len(r.collateral), r.took.Seconds())
	}
	w.Flush()
	return b.String()
}

// TestEveryCheckHasAFault holds the catalogue to its promise: a check that no
// fault can fail proves nothing.
func TestEveryCheckHasAFault(t *testing.T) {
	t.Parallel()
	for _, id := range scenarios.All().IDs() {
		if !slices.ContainsFunc(sample.Faults(), func(f sample.Fault) bool { return sample.Names(f.Checks, id) }) {
			t.Errorf("%s: no fault of the sample names it; plant one in suite/sample", id)
		}
	}
}
