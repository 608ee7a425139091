package report

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/mattn/go-isatty"

	"github.com/agntn/conform/scenarios"
)

// ConsoleOptions say how a report is printed for a person.
type ConsoleOptions struct {
	// Width is the number of columns, 0 for 80. Commands to copy are never broken.
	Width int
	// Color adds colour; symbol and word say the same without it.
	Color bool
	// Quiet prints one line. Verbose prints every outcome and every frame.
	Quiet   bool
	Verbose bool
	Texts   Texts
}

// Bounds of the console report without --verbose.
const (
	consoleFull     = 25 // findings in full
	consoleWarnings = 15
	consoleFrames   = 4
	consoleFrame    = 220 // characters of one frame
	verboseFrames   = 40
	verboseFrame    = 2000
)

// Terminal tells how to print to f: its width and whether colour is welcome, by
// what f is and by the environment (NO_COLOR, CLICOLOR_FORCE, TERM=dumb).
func Terminal(f *os.File, getenv func(string) string) (width int, color, terminal bool) {
	terminal = isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
	if terminal {
		if w, _, err := term.GetSize(f.Fd()); err == nil {
			width = w
		}
	}
	switch {
	case getenv("NO_COLOR") != "":
	case getenv("CLICOLOR_FORCE") != "" && getenv("CLICOLOR_FORCE") != "0":
		color = true
	default:
		color = terminal && getenv("TERM") != "dumb"
	}
	return width, color, terminal && getenv("TERM") != "dumb"
}

// WriteConsole prints r for a person: failures first, by cause, then warnings,
// a line a client, what was not called and not proven, and one line that sums up.
func WriteConsole(w io.Writer, r Report, o ConsoleOptions) error {
	out := bufio.NewWriter(w)
	p := newPrinter(out, o)
	if o.Quiet {
		p.raw(guardLine(Bound(Visible(targetName(r)), 60) + ": " + verdictLine(r)))
	} else {
		for i, s := range serverReports(&r) {
			if i > 0 {
				p.blank()
			}
			p.server(*s.report)
		}
		p.list("Stale, and failing the run until it is removed", "", r.Stale)
		p.blank()
		p.raw(p.style.ofExit(r.Exit).Render(verdictLine(r)))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	return nil
}

func (p *printer) server(r Report) {
	p.header(r)
	if len(r.Outcomes) == 0 {
		p.list("Nothing could be tested", "", r.Notes)
		if len(r.Notes) == 0 {
			p.list("What this run did not prove", "", beyond(r))
		}
		return
	}
	var counted, broken, warned, other, excusedOnes, unseen, info []Group
	for _, g := range Groups(r) {
		switch {
		case allExcused(g):
			excusedOnes = append(excusedOnes, g)
		case g.Verdict == scenarios.Fail:
			counted = append(counted, g)
		case g.Verdict == scenarios.Error:
			broken = append(broken, g)
		case g.Verdict == scenarios.Warn:
			warned = append(warned, g)
		case g.Verdict == scenarios.Unseen:
			unseen = append(unseen, g)
		default:
			info = append(info, g)
		}
	}
	// What the author can mend comes before what only conform can.
	for i, g := range append(counted, broken...) {
		if i >= consoleFull && !p.opts.Verbose {
			other = append(other, g)
			continue
		}
		p.blank()
		p.finding(r, g)
	}
	p.more(other)
	p.warnings(warned)
	p.excused(excusedOnes)
	p.notObserved(unseen)
	p.noted(info)
	p.clients(r)
	if p.opts.Verbose {
		p.outcomes(r)
	}
	p.notCalled(r.NotCalled)
	p.list("What this run did not prove", "", beyond(r))
	p.list("Notes", "", r.Notes)
}

func (p *printer) header(r Report) {
	parts := []string{targetName(r)}
	for _, list := range [][]string{r.Target.Transports, r.Target.Revisions} {
		if len(list) > 0 {
			parts = append(parts, strings.Join(list, ", "))
		}
	}
	p.text(0, p.style.strong, strings.Join(parts, " · "))
	facts := []string{"profile " + string(r.Profile), count(r.Target.Tools, "tool", "tools")}
	if n := len(r.Clients); n > 0 {
		facts = append(facts, count(n, "client", "clients"))
	}
	facts = append(facts, fmt.Sprintf("seed %d", r.Seed))
	if r.Target.SDK != "" {
		facts = append(facts, "built on "+r.Target.SDK)
	}
	if r.DurationMS > 0 {
		facts = append(facts, duration(r.DurationMS))
	}
	p.text(0, p.style.dim, strings.Join(facts, ", "))
}

func (p *printer) clients(r Report) {
	if len(r.Clients) == 0 {
		return
	}
	p.title("Clients", "")
	wide := 0
	names := make([]string, len(r.Clients))
	for i, c := range r.Clients {
		names[i] = Bound(Visible(strings.TrimSpace(c.Product+" "+c.Version)), 64)
		wide = max(wide, columns(names[i]))
	}
	for i, c := range r.Clients {
		p.tagged(2, c.Verdict, names[i]+strings.Repeat(" ", wide-columns(names[i])), c.Says)
	}
}

// outcomes prints every outcome on a line, for --verbose.
func (p *printer) outcomes(r Report) {
	p.title("Every outcome", "")
	list := append([]scenarios.Outcome(nil), r.Outcomes...)
	sortOutcomes(list)
	for _, o := range list {
		p.tagged(2, o.Verdict, "", o.ID)
		if why := excuse(o); why != "" {
			p.text(12, p.style.dim, why)
		}
		if o.Message != "" {
			p.text(12, p.style.dim, Bound(o.Message, 400))
		}
	}
}

func (p *printer) notCalled(list []NotCalled) {
	if len(list) == 0 {
		return
	}
	p.title(count(len(list), "tool was not called", "tools were not called"),
		"To have them called: --allow all, or name them under allow: in conform.yaml.")
	byReason := map[string][]string{}
	var reasons []string
	for _, n := range list {
		if byReason[n.Reason] == nil {
			reasons = append(reasons, n.Reason)
		}
		byReason[n.Reason] = append(byReason[n.Reason], Bound(n.Tool, 60))
	}
	for _, reason := range reasons {
		n := 8
		if p.opts.Verbose {
			n = len(list)
		}
		p.bullet(listed(byReason[reason], n) + ": " + reason)
	}
}

// list prints short texts, one a bullet.
func (p *printer) list(title, under string, items []string) {
	if len(items) == 0 {
		return
	}
	p.title(title, under)
	const most = 12
	for i, item := range items {
		if i == most && !p.opts.Verbose {
			p.bullet("and " + thousands(len(items)-i) + " more; --verbose shows them")
			break
		}
		p.bullet(item)
	}
}

// verdictLine sums a run up on one line: counts, and what the exit code means.
func verdictLine(r Report) string {
	return fmt.Sprintf("%s %s (exit %d: %s)", overall(r).symbol, countsLine(r), r.Exit, ExitMeaning(r.Exit))
}

// countsLine counts the outcomes of all servers. A finding counts once for each
// client, revision and transport it was met in, so it also says how many failures
// there are to mend.
func countsLine(r Report) string {
	var sum Summary
	causes, excusedOnes := 0, 0
	for _, s := range serverReports(&r) {
		for _, o := range s.report.Outcomes {
			sum.Add(o.Verdict)
			if excused(o) {
				excusedOnes++
			}
		}
		for _, g := range Groups(*s.report) {
			if g.Verdict == scenarios.Fail {
				causes++
			}
		}
	}
	counts := tally(sum)
	if failed := thousands(sum.Fail) + " failed"; causes > 0 && causes != sum.Fail {
		counts = strings.Replace(counts, failed, failed+" ("+count(causes, "finding", "findings")+")", 1)
	}
	if excusedOnes > 0 {
		counts += ", " + thousands(excusedOnes) + " excused"
	}
	return counts
}
