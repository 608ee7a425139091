package report

// The most characters that texts from outside conform may have in a report.
const (
	nameLimit    = 300
	lineLimit    = 1500
	frameLimit   = 6000
	commandLimit = 20_000
)

// Limit cuts every text of r that can come from outside conform to a length that
// a person can read; what is cut says so. A repro line that is too long to be
// copied is left out: it would not work when it is cut. It changes r in place.
func Limit(r *Report) {
	for i := range r.Outcomes {
		if o := &r.Outcomes[i]; len(o.Repro) > commandLimit {
			o.NoRepro = "the line is too long to be copied"
		}
	}
	eachText(r, func(t *string, most int) {
		if most == commandLimit && len(*t) > most {
			*t = ""
			return
		}
		*t = Bound(*t, most)
	})
}

// eachText calls f for every text of r that can come from outside conform, with
// the most characters it may have.
func eachText(r *Report, f func(t *string, most int)) {
	each := func(most int, texts ...*string) {
		for _, t := range texts {
			f(t, most)
		}
	}
	list := func(most int, texts []string) {
		for i := range texts {
			f(&texts[i], most)
		}
	}
	each(nameLimit, &r.Target.ID, &r.Target.Name, &r.Target.Version, &r.Target.Title, &r.Target.SDK)
	each(frameLimit, &r.Target.Command, &r.Command)
	if r.Target.URL != nil {
		u := *r.Target.URL
		f(&u, lineLimit)
		r.Target.URL = &u
	}
	list(lineLimit, r.NotProven)
	list(frameLimit, r.Notes)
	list(lineLimit, r.Stale)
	for i := range r.NotCalled {
		each(nameLimit, &r.NotCalled[i].Tool, &r.NotCalled[i].Reason)
	}
	for i := range r.Clients {
		each(lineLimit, &r.Clients[i].Says)
	}
	for i := range r.Views {
		v := &r.Views[i]
		each(nameLimit, &v.Tool, &v.Label, &v.Name)
		each(lineLimit, &v.Sample, &v.Note)
		list(nameLimit, v.Hides)
	}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		each(nameLimit, &o.Subject)
		each(lineLimit, &o.Expected, &o.Observed, &o.Message, &o.Remedy, &o.Waived, &o.NoRepro)
		each(commandLimit, &o.Repro)
		for j := range o.Evidence {
			each(frameLimit, &o.Evidence[j].Text)
		}
		for j := range o.Faults {
			each(nameLimit, &o.Faults[j].Subject, &o.Faults[j].Expected, &o.Faults[j].Observed)
		}
	}
	for i := range r.Servers {
		eachText(&r.Servers[i], f)
	}
}
