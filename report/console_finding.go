package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/agntn/conform/scenarios"
)

// finding prints one finding in full: what, who, what was sent and came back, how to mend it.
func (p *printer) finding(r Report, g Group) {
	o, t := g.Lead, p.opts.Texts[g.Check]
	p.heading(g.Verdict, g.Check, aside(g))
	p.text(2, p.style.plain, Bound(sentenceOf(o, t), 500))
	if g.Verdict == scenarios.Error {
		p.field("note", "conform or this machine failed here; the server is not to blame")
	}
	if t.Claim != "" && o.Message != "" {
		p.field("rule", Bound(t.Claim, 300))
	}
	if s := subjectsLine(g); !strings.Contains(sentenceOf(o, t), s) {
		p.field("about", s)
	}
	p.field("met by", whereMet(r, g))
	p.frames(o)
	p.field("expected", Bound(o.Expected, 400))
	p.field("observed", Bound(o.Observed, 400))
	p.field("why", Bound(t.Why, 400))
	if g.Cause != nil {
		p.field("cause", Bound(g.Cause.SDK+": "+g.Cause.Text, 400))
	}
	p.field("mend", Bound(remedyOf(g.Lead, t), 400))
	if line, why := reproOf(o, commandLimit); line != "" {
		p.command("try", line)
	} else if why != "" {
		p.field("try", "no shell line shows this: "+Bound(why, 200))
	}
	p.command("more", "conform explain "+g.Check)
}

// aside says of a group what stands at the right of its heading.
func aside(g Group) string {
	level := string(g.Level)
	if n := len(g.Cells); n > 1 {
		level += fmt.Sprintf(", %d times", n)
	}
	return level
}

// subjectsLine lists what a group is about, unless its one subject is nothing.
func subjectsLine(g Group) string {
	subjects := subjectsOf(g)
	shown := make([]string, len(subjects))
	for i, s := range subjects {
		shown[i] = Bound(s, 80)
	}
	return listedOf(shown, 6, g.Lead.MoreFaults)
}

// frames prints what was sent and came back, as far as the first fault shows in it.
func (p *printer) frames(o scenarios.Outcome) {
	most, chars := consoleFrames, consoleFrame
	if p.opts.Verbose {
		most, chars = verboseFrames, verboseFrame
	}
	frames, more := keyFrames(o, most)
	for _, f := range frames {
		label := "note"
		switch f.Dir {
		case "send":
			label = "sent"
		case "recv":
			label = "back"
		}
		p.field(label, excerpt(f.Text, o.Subject, chars))
	}
	if more > 0 {
		p.field("", "("+count(more, "more frame is", "more frames are")+" in the JSON and HTML reports)")
	}
}

// more lists findings that were too many to print in full.
func (p *printer) more(groups []Group) {
	if len(groups) == 0 {
		return
	}
	p.title(count(len(groups), "more finding", "more findings"), "--verbose shows them in full.")
	for _, g := range groups {
		p.tagged(2, g.Verdict, "", g.Check+"  "+Bound(sentenceOf(g.Lead, p.opts.Texts[g.Check]), 120))
	}
}

func (p *printer) warnings(groups []Group) {
	if len(groups) == 0 {
		return
	}
	p.title(count(len(groups), "warning", "warnings"), "")
	for i, g := range groups {
		if i == consoleWarnings && !p.opts.Verbose {
			p.bullet(fmt.Sprintf("and %d more; --verbose shows them", len(groups)-i))
			break
		}
		t := p.opts.Texts[g.Check]
		p.heading(g.Verdict, g.Check, aside(g))
		text := Bound(sentenceOf(g.Lead, t), 200)
		if s := subjectsLine(g); s != "" && !strings.Contains(text, s) {
			text = strings.TrimSuffix(text, ".") + ": " + s
		}
		p.text(2, p.style.plain, text)
		if g.Cause != nil {
			p.field("cause", Bound(cmp.Or(g.Cause.SDK, g.Cause.Text), 160))
		}
		p.field("mend", Bound(remedyOf(g.Lead, t), 200))
		if p.opts.Verbose {
			p.frames(g.Lead)
		}
	}
}

// excused prints findings that a baseline or waivers took out of the gate.
func (p *printer) excused(groups []Group) {
	if len(groups) == 0 {
		return
	}
	p.title("Known and waived", "")
	for _, g := range groups {
		p.tagged(2, g.Verdict, "", g.Check+": "+excuse(g.Lead))
	}
}

// notObserved prints what would let more be seen, each wish once.
func (p *printer) notObserved(groups []Group) {
	if len(groups) == 0 {
		return
	}
	p.title("Not observed", "")
	checks := map[string][]string{}
	var wishes []string
	for _, g := range groups {
		wish := cmp.Or(g.Lead.Message, g.Lead.Observed, "no reason given")
		if checks[wish] == nil {
			wishes = append(wishes, wish)
		}
		checks[wish] = append(checks[wish], g.Check)
	}
	for _, wish := range wishes {
		n := 3
		if p.opts.Verbose {
			n = len(groups)
		}
		p.tagged(2, scenarios.Unseen, "", listed(tidy(checks[wish]), n)+": "+Bound(wish, 200))
	}
}

// noted names what the profile only mentions.
func (p *printer) noted(groups []Group) {
	if len(groups) == 0 {
		return
	}
	p.title("Noted, not counted under this profile", "")
	checks := make([]string, len(groups))
	for i, g := range groups {
		checks[i] = g.Check
	}
	n := 6
	if p.opts.Verbose {
		n = len(checks)
	}
	p.tagged(2, scenarios.Info, "", listed(tidy(checks), n))
}
