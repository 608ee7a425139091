package report

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agntn/conform/scenarios"
)

// Merge joins the reports of the shards of one run into the report that the whole
// run would have given, times apart. The reports may come in any order. It is an
// error when they are not of one run: another version of conform, profile, seed or target.
func Merge(reports ...Report) (Report, error) {
	if len(reports) == 0 {
		return Report{}, errors.New("nothing to merge: name at least one report")
	}
	parts := slices.Clone(reports)
	sortBy(parts, func(a, b Report) int { return strings.Compare(a.Command, b.Command) })
	for _, p := range parts[1:] {
		if err := sameRun(parts[0], p); err != nil {
			return Report{}, err
		}
	}
	m := parts[0]
	var err error
	if m.Servers, err = mergeServers(parts); err != nil {
		return Report{}, err
	}
	var differ []string
	m.Outcomes, differ = mergeOutcomes(parts)
	m.Clients = union(parts, func(r Report) []Client { return r.Clients }, func(c Client) string { return c.ID })
	m.Views = mergeViews(parts)
	m.Notes = union(parts, func(r Report) []string { return r.Notes }, itself)
	m.Stale = union(parts, func(r Report) []string { return r.Stale }, itself)
	m.NotCalled = union(parts, func(r Report) []NotCalled { return r.NotCalled }, func(n NotCalled) string { return n.Tool })
	// What a shard alone leaves open may follow from another one's outcomes.
	m.NotProven = append(Unproven(m.Outcomes, m.NotCalled), union(parts, beyond, itself)...)
	m.Target.Transports = union(parts, func(r Report) []string { return r.Target.Transports }, itself)
	m.Target.Revisions = union(parts, func(r Report) []string { return r.Target.Revisions }, itself)
	m.Summary, m.Clients = Summarise(m.Outcomes, m.Clients, m.Views...)
	if len(differ) > 0 {
		m.Notes = append(m.Notes, fmt.Sprintf("%s in several shards with different verdicts, the worst of which counts: %s",
			count(len(differ), "check was judged", "checks were judged"), listed(differ, 3)))
	}
	if missing := shardsMissing(parts); missing != "" {
		m.NotProven = append(m.NotProven, missing)
	}
	m.Command = strings.TrimSpace(shardFlag.ReplaceAllString(m.Command, ""))
	m.Exit = mergeExits(parts)
	mergeTimes(&m, parts)
	return canonical(m), nil
}

func itself(s string) string { return s }

// sameRun says what tells b apart from a.
func sameRun(a, b Report) error {
	url := func(r Report) string {
		if r.Target.URL == nil {
			return ""
		}
		return *r.Target.URL
	}
	for _, c := range []struct{ what, a, b, mend string }{
		{"conform version", a.Tool.Version, b.Tool.Version, "run every shard with the same conform"},
		{"profile", string(a.Profile), string(b.Profile), "run every shard with the same --profile"},
		{"seed", fmt.Sprint(a.Seed), fmt.Sprint(b.Seed), "run every shard with the same --seed"},
		{"target", a.Target.Name + " " + a.Target.Version, b.Target.Name + " " + b.Target.Version, "merge shards of one server alone"},
		{"target command", a.Target.Command, b.Target.Command, "merge shards of one server alone"},
		{"target address", url(a), url(b), "merge shards of one server alone"},
	} {
		if c.a != c.b {
			return fmt.Errorf("these reports are not shards of one run: the %s differs (%q and %q); %s",
				c.what, Bound(Visible(c.a), 80), Bound(Visible(c.b), 80), c.mend)
		}
	}
	return nil
}

// union joins lists, each key once, in the order of their first appearance.
func union[T any](parts []Report, list func(Report) []T, key func(T) string) []T {
	var all []T
	met := map[string]bool{}
	for _, p := range parts {
		for _, x := range list(p) {
			if k := key(x); !met[k] {
				met[k] = true
				all = append(all, x)
			}
		}
	}
	return all
}

// mergeOutcomes joins outcomes; of two with one id the worse stays. It returns the
// ids whose verdicts differ.
func mergeOutcomes(parts []Report) (all []scenarios.Outcome, differ []string) {
	at := map[string]int{}
	for _, p := range parts {
		for _, o := range p.Outcomes {
			i, met := at[o.ID]
			if !met {
				at[o.ID] = len(all)
				all = append(all, o)
				continue
			}
			if all[i].Verdict != o.Verdict {
				differ = append(differ, o.ID)
				if scenarios.Worst(all[i].Verdict, o.Verdict) == o.Verdict {
					all[i] = o
				}
			}
		}
	}
	sortOutcomes(all)
	slices.Sort(differ)
	return all, slices.Compact(differ)
}

// mergeViews joins views of one client and tool: what one shard did not see, another may have.
func mergeViews(parts []Report) []scenarios.View {
	at := map[[2]string]int{}
	var all []scenarios.View
	for _, p := range parts {
		for _, v := range p.Views {
			k := [2]string{v.Client, v.Tool}
			i, met := at[k]
			if !met {
				at[k] = len(all)
				all = append(all, v)
				continue
			}
			known := &all[i]
			if known.Sample == "" {
				known.Sample = v.Sample
			}
			if known.Reads == "" {
				known.Reads = v.Reads
			}
			for _, h := range v.Hides {
				if !slices.Contains(known.Hides, h) {
					known.Hides = append(slices.Clone(known.Hides), h)
				}
			}
		}
	}
	return all
}

// mergeServers merges the sections of each server by itself.
func mergeServers(parts []Report) ([]Report, error) {
	var names []string
	byName := map[string][]Report{}
	for _, p := range parts {
		for _, s := range p.Servers {
			name := cmp.Or(s.Target.ID, s.Target.Name)
			if byName[name] == nil {
				names = append(names, name)
			}
			byName[name] = append(byName[name], s)
		}
	}
	var all []Report
	for _, name := range names {
		m, err := Merge(byName[name]...)
		if err != nil {
			return nil, fmt.Errorf("server %q: %w", Bound(Visible(name), 60), err)
		}
		all = append(all, m)
	}
	return all, nil
}

// mergeExits keeps what the shards decided, for a report does not hold what
// --fail-on was: a shard that proved nothing is no matter when another did.
func mergeExits(parts []Report) int {
	code := ExitNothing
	for _, p := range parts {
		switch {
		case p.Exit == ExitNothing:
		case code == ExitNothing:
			code = p.Exit
		default:
			code = worstExit([]int{code, p.Exit})
		}
	}
	return code
}

// mergeTimes spans all shards and adds up what they used.
func mergeTimes(m *Report, parts []Report) {
	end := m.Started.UnixMilli() + m.DurationMS
	var sum *Stats
	for _, p := range parts {
		if p.Started.Before(m.Started) {
			m.Started = p.Started
		}
		end = max(end, p.Started.UnixMilli()+p.DurationMS)
		m.Interrupted = m.Interrupted || p.Interrupted
		if s := p.Stats; s != nil {
			if sum == nil {
				sum = &Stats{}
			}
			sum.Processes += s.Processes
			sum.Requests += s.Requests
			sum.BytesSent += s.BytesSent
			sum.BytesRecv += s.BytesRecv
			sum.CPUMS += s.CPUMS
			sum.StartupMS += s.StartupMS
			sum.DriveMS += s.DriveMS
			sum.JudgeMS += s.JudgeMS
			sum.ReportMS += s.ReportMS
			sum.PeakMemory = max(sum.PeakMemory, s.PeakMemory)
		}
	}
	if sum != nil {
		sum.Outcomes = len(m.Outcomes)
	}
	m.Stats = sum
	m.DurationMS = end - m.Started.UnixMilli()
}

var shardFlag = regexp.MustCompile(`\s*--shard[ =](\d+)/(\d+)`)

// shardsMissing says which part of the run is missing, as far as the commands tell.
func shardsMissing(parts []Report) string {
	met, of := map[string]bool{}, ""
	for _, p := range parts {
		if f := shardFlag.FindStringSubmatch(p.Command); f != nil {
			met[f[1]], of = true, f[2]
		}
	}
	if of == "" || of == fmt.Sprint(len(met)) {
		return ""
	}
	return fmt.Sprintf("only %d of %s shards were merged; the others may hold more findings", len(met), of)
}
