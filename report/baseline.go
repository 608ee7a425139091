package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/agntn/conform/scenarios"
)

// BaselineSchema is the name of the baseline format.
const BaselineSchema = "conform/baseline/v1"

// Baseline lists findings that are known and do not fail a run.
type Baseline struct {
	Schema  string          `json:"schema"`
	Entries []BaselineEntry `json:"entries"`
}

// BaselineEntry names a known finding by outcome id, or by check and as many of
// client, revision and transport as matter; what is left out matches anything.
type BaselineEntry struct {
	ID        string `json:"id,omitempty"`
	Check     string `json:"check,omitempty"`
	Client    string `json:"client,omitempty"`
	Revision  string `json:"revision,omitempty"`
	Transport string `json:"transport,omitempty"`
	// Server limits the entry to one server of a report on several, by its name.
	Server string `json:"server,omitempty"`
	// Subject limits the entry to one subject, so that the same fault of another
	// tool is still new.
	Subject string `json:"subject,omitempty"`
	Reason  string `json:"reason,omitempty"`
	// Added is the day of the entry, as 2006-01-02.
	Added string `json:"added,omitempty"`
}

// matches reports whether o, an outcome of the named server, is one of the cells
// that the entry names.
func (e BaselineEntry) matches(server string, o scenarios.Outcome) bool {
	same := func(want, got string) bool { return want == "" || want == got }
	return same(e.Server, server) && same(e.ID, o.ID) && same(e.Check, o.Check) && same(e.Client, o.Client) &&
		same(e.Revision, o.Revision) && same(e.Transport, o.Transport)
}

// String names the entry for a person.
func (e BaselineEntry) String() string {
	name := e.ID
	if name == "" {
		name = e.Check
		for _, part := range []string{e.Client, e.Revision, e.Transport} {
			if part != "" {
				name += "@" + part
			}
		}
	}
	if e.Server != "" {
		name = e.Server + ": " + name
	}
	if e.Subject != "" {
		name += fmt.Sprintf(" (%s)", Bound(Visible(e.Subject), 80))
	}
	return name
}

// Apply marks the findings of r that b lists as known and takes them out of the
// gate. A finding is known when each of its subjects is listed; one with a new
// subject stays as it is and a note says so. Entries that no finding backs any more
// go to r.Stale. Complete says that the run left no cell out (no filter, no shard):
// only then is an entry stale whose cell is missing altogether.
func Apply(r *Report, b Baseline, complete bool) {
	parts := serverReports(r)
	for _, p := range parts {
		for i := range p.report.Outcomes {
			o := &p.report.Outcomes[i]
			if o.Verdict != scenarios.Fail && o.Verdict != scenarios.Warn {
				continue
			}
			known, fresh := b.split(p.server, *o)
			switch {
			case len(fresh) == 0:
				o.Known, o.Gate = true, false
			case len(known) > 0:
				p.report.Notes = append(p.report.Notes, fmt.Sprintf("%s: new for %s; the baseline lists %s",
					o.ID, quoted(fresh, 3), quoted(known, 3)))
			}
		}
	}
	r.Stale = append(r.Stale, b.stale(parts, complete)...)
}

// stale tells the entries that no finding backs any more, one line a check and reason.
func (b Baseline) stale(parts []serverReport, complete bool) []string {
	type kind struct{ server, check, why string }
	gone := map[kind][]BaselineEntry{}
	var kinds []kind
	for _, e := range b.Entries {
		why := e.stale(parts, complete)
		if why == "" {
			continue
		}
		check, _, _ := strings.Cut(cmp.Or(e.Check, e.ID), "@")
		k := kind{e.Server, check, why}
		if gone[k] == nil {
			kinds = append(kinds, k)
		}
		gone[k] = append(gone[k], e)
	}
	var out []string
	for _, k := range kinds {
		switch list := gone[k]; len(list) {
		case 1:
			out = append(out, fmt.Sprintf("stale baseline entry: %s: %s; remove the entry, or run with --update-baseline", list[0], k.why))
		default:
			all := BaselineEntry{Server: k.server, Check: k.check}
			out = append(out, fmt.Sprintf("%d stale baseline entries: %s: %s; remove the entries, or run with --update-baseline", len(list), all, k.why))
		}
	}
	return out
}

// split parts the subjects of a finding into those that the baseline lists and new ones.
func (b Baseline) split(server string, o scenarios.Outcome) (known, fresh []string) {
	for _, s := range Subjects(o) {
		if slices.ContainsFunc(b.Entries, func(e BaselineEntry) bool { return e.covers(server, o, s) }) {
			known = append(known, s)
		} else {
			fresh = append(fresh, s)
		}
	}
	return known, fresh
}

func (e BaselineEntry) covers(server string, o scenarios.Outcome, subject string) bool {
	return e.matches(server, o) && (e.Subject == "" || e.Subject == subject)
}

// stale says why no finding backs the entry any more; "" when one does, or when
// the run cannot tell, because its cell did not run, was not observed or broke.
func (e BaselineEntry) stale(parts []serverReport, complete bool) string {
	var met, unsure bool
	for _, p := range parts {
		if p.report.lacksClient(e) {
			unsure = true // a client that did not run tells nothing of its findings
		}
		for _, o := range p.report.Outcomes {
			if !e.matches(p.server, o) {
				continue
			}
			met = true
			switch {
			case o.Verdict == scenarios.Unseen || o.Verdict == scenarios.Error:
				unsure = true
			case faulty(o.Verdict) && (e.Subject == "" || slices.Contains(Subjects(o), e.Subject)):
				return ""
			}
		}
	}
	switch {
	case unsure:
		return ""
	case met:
		return "the finding is gone"
	case complete:
		return "this run has no such check"
	}
	return ""
}

// lacksClient says whether the entry is of a client that the run left out.
func (r *Report) lacksClient(e BaselineEntry) bool {
	client := e.Client
	if parts := strings.Split(e.ID, "@"); len(parts) == 4 {
		client = parts[1]
	}
	return client != "" && client != Neutral && !slices.ContainsFunc(r.Clients, func(c Client) bool { return c.ID == client })
}

// UpdateBaseline returns the baseline that lets r pass: entries that still hold or
// that this run could not judge are kept as they are, stale ones are dropped, and
// every other finding that would fail the run gets an entry of its own subject,
// dated now. Waived findings get none. Mask r first, for subjects are written.
func UpdateBaseline(r Report, old Baseline, failOn FailOn, complete bool, now time.Time) Baseline {
	b := Baseline{Schema: BaselineSchema, Entries: []BaselineEntry{}}
	parts := serverReports(&r)
	for _, e := range old.Entries {
		if e.stale(parts, complete) == "" {
			b.Entries = append(b.Entries, e)
		}
	}
	day := now.UTC().Format(time.DateOnly)
	for _, p := range parts {
		for _, o := range p.report.Outcomes {
			if o.Waived != "" || o.Verdict != scenarios.Fail && (o.Verdict != scenarios.Warn || failOn != FailOnWarn) {
				continue
			}
			_, fresh := b.split(p.server, o)
			if o.MoreFaults > 0 && len(fresh) > 0 {
				fresh = []string{""} // not every subject is told: the entry stands for all
			}
			for _, s := range fresh {
				b.Entries = append(b.Entries, BaselineEntry{ID: o.ID, Server: p.server, Subject: s, Added: day})
			}
		}
	}
	sortBy(b.Entries, func(x, y BaselineEntry) int {
		return cmp.Or(cmp.Compare(x.String(), y.String()), cmp.Compare(x.Added, y.Added))
	})
	return b
}

// WriteBaseline writes b, one entry a line, so that changes read well in a diff.
func WriteBaseline(w io.Writer, b Baseline) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "{\n  \"schema\": %q,\n  \"entries\": [", BaselineSchema)
	for i, e := range b.Entries {
		line, err := marshal(e)
		if err != nil {
			return fmt.Errorf("write the baseline: %w", err)
		}
		separate(out, i, "    ")
		out.Write(line)
	}
	closeList(out, len(b.Entries), "  ")
	out.WriteString("\n}\n")
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the baseline: %w", err)
	}
	return nil
}

// ReadBaseline reads a baseline. Unknown members and entries that name nothing are
// errors, for an entry that is misspelt would let everything pass.
func ReadBaseline(rd io.Reader) (Baseline, error) {
	data, err := io.ReadAll(rd)
	if err != nil {
		return Baseline{}, fmt.Errorf("read the baseline: %w", err)
	}
	if err := checkSchema(data, BaselineSchema, "conform baseline", "conform run --baseline FILE --update-baseline"); err != nil {
		return Baseline{}, err
	}
	var b Baseline
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		return Baseline{}, fmt.Errorf("the baseline is not right: %w", err)
	}
	for i, e := range b.Entries {
		if e.ID == "" && e.Check == "" {
			return Baseline{}, fmt.Errorf("baseline entry %d names neither an id nor a check; add one", i+1)
		}
		if _, err := time.Parse(time.DateOnly, e.Added); e.Added != "" && err != nil {
			return Baseline{}, fmt.Errorf("baseline entry %d (%s): added is %q, not a day like 2026-07-28", i+1, e, Bound(e.Added, 40))
		}
	}
	return b, nil
}

// quoted lists the first n subjects for a sentence.
func quoted(list []string, n int) string {
	shown := make([]string, len(list))
	for i, s := range list {
		shown[i] = fmt.Sprintf("“%s”", Bound(Visible(s), 60))
	}
	return strings.TrimSpace(listed(shown, n))
}
