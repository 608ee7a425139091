package report

import (
	g "maragu.dev/gomponents"
)

// limited says that there is something that the run did not prove, or a note about it.
func (s section) limited() bool {
	return len(s.NotProven)+len(s.NotCalled)+len(s.Notes) > 0
}

// limits is what the run did not prove, nil when nothing is to be said.
func (s section) limits() g.Node {
	if !s.limited() {
		return nil
	}
	under := func(title string, says []string) g.Node {
		return g.If(len(says) > 0, g.Group{heading(s.Base+2, text(title)), list(says)})
	}
	return s.part("part limits", "limits", "What this run did not prove", lines(
		g.If(len(s.NotProven) > 0, list(s.NotProven)),
		under("Tools that were not called", s.NotCalled),
		under("About the run", s.Notes),
	))
}

// stats are the figures of the run, nil when they were not asked for.
func (s section) stats() g.Node {
	f := s.Report.Stats
	if f == nil {
		return nil
	}
	return el("p", class("dim small stats"), text(
		thousands(f.Outcomes)+" outcomes from "+thousands(f.Requests)+" requests to "+count(f.Processes, "process", "processes")+": "+
			duration(f.StartupMS)+" to start, "+duration(f.DriveMS)+" to drive, "+duration(f.JudgeMS)+" to judge."))
}

// list shows texts, a long list folded after the first few.
func list(texts []string) g.Node {
	const whole, first = 15, 10
	items := func(texts []string) g.Node {
		return el("ul", each(texts, func(s string) g.Node { return el("li", text(s)) }))
	}
	if len(texts) <= whole {
		return items(texts)
	}
	return g.Group{items(texts[:first]), el("details", el("summary", text(thousands(len(texts)-first)+" more")), items(texts[first:]))}
}
