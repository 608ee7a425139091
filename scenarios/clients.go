package scenarios

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/scenarios/message"
)

// clients is what each fake client goes through: it opens as it does in life,
// lists, calls tools, and reads the answers its own way.
func clients(shapes *message.Shapes) Scenario {
	return Scenario{
		ID: "clients", Title: "Clients", Scope: PerClient,
		Summary: "Lets every fake client open a session, list the tools and call them, and reads the answers as that client does.",
		Drive:   driveClients,
		Checks: []Check{
			{
				ID: "clients/connects", Claim: "The client gets a session.", Level: Host, Breaks: true,
				Why:    "Without a session the client shows the server as failed.",
				Remedy: "Look at the frames: the first answer that the client could not use is the place to mend.",
				Basis:  []string{"the client's profile"},
				Judge:  judgeConnects,
			},
			{
				ID: "clients/keeps-list", Claim: "The client keeps the tool list.", Level: Host, Breaks: true,
				Why:    "One member that the client cannot read and no tool of this server is left.",
				Remedy: "Mend the member at the given path.",
				Basis:  []string{"the client's reader"},
				Judge:  judgeKeepsList,
			},
			{
				ID: "clients/keeps-tools", Claim: "The client keeps every tool.", Level: Host, Breaks: true,
				Why:    "The model never learns of a tool that was dropped.",
				Remedy: "Mend the member that the client named, or rename the tool.",
				Basis:  []string{"the client's reader"},
				Judge:  judgeKeepsTools,
			},
			{
				ID: "clients/takes-answers", Claim: "The client takes the answers of tools.", Level: Host, Breaks: true,
				Why:    "The tool worked, and the model is told that it failed.",
				Remedy: "Mend the member of the result that the client refuses.",
				Basis:  []string{"the client's reader"},
				Judge:  judgeTakesAnswers,
			},
			{
				ID: "clients/tools-unchanged", Claim: "The model sees names and schemas as they were written.", Level: Note,
				Why:    "Renamed tools and rewritten schemas surprise prompts that name them.",
				Remedy: "Use names of lower-case letters, digits and underscores, and plain schemas.",
				Basis:  []string{"the client's reader"},
				Judge:  judgeUnchanged,
			},
			{
				ID: "clients/shows-answers", Claim: "What an answer says reaches the model.", Level: Host,
				Why:    "Text and structuredContent reach different models: what stands only in one of them is lost to some.",
				Remedy: "Say the same in the text and in structuredContent.",
				Basis:  []string{"the client's reader"},
				Judge:  judgeShowsAnswers,
			},
			{
				ID: "clients/frames-valid", Claim: "Under this client the server sends nothing invalid that it does not send to others.", Level: Must,
				Why:    "A server may behave under one client and not under another: other order, other ids, other timing, another name.",
				Remedy: "Look at the frame: it is a line that is no message, or a member of the wrong shape. Find what the server does otherwise for this client.",
				Basis:  []string{"schema"}, Requirements: []string{"base.jsonrpc-version-member"},
				Judge: func(e *Evidence) Ruling { return judgeClientFrames(e, shapes) },
			},
			{
				ID: "presentation/label-shown", Claim: "A person sees the tool's title.", Level: Host,
				Why:    "A raw or prettified name is what the person is asked to allow.",
				Remedy: "Write the title beside the name and in annotations.title.",
				Basis:  []string{"the client's reader"}, Requirements: []string{"tools.def.display-name-order"},
				Judge: judgeLabelShown,
			},
		},
	}
}

// reading is a reader's view of the listing that this client got, or would get.
func (e *Evidence) reading() (fakes.Listing, *Exchange, bool) {
	if e.Reader == nil {
		return fakes.Listing{}, nil, false
	}
	pages := e.clientPages()
	if len(pages) == 0 {
		return fakes.Listing{}, nil, false
	}
	l := ofCell(e, "reading", func() *fakes.Listing {
		raw := ReaderPages(pages)
		if raw == nil {
			return nil
		}
		l := e.Reader.Listing(e.Cell.Revision, raw)
		return &l
	})
	if l == nil {
		return fakes.Listing{}, nil, false
	}
	return *l, pages[0], true
}

// clientPages are the pages of tools/list on the client's own tape; for a
// client whose manner on the wire is not known, those of the neutral voice.
func (e *Evidence) clientPages() []*Exchange {
	var own []*Exchange
	for _, x := range e.Opening() {
		if x.Label == "tools/list" && x.Result().Exists() {
			own = append(own, x)
		}
	}
	if len(own) > 0 || e.Client != nil && e.Client.Drives {
		return own
	}
	var out []*Exchange
	for _, x := range e.Run.Labelled(e.Run.Select(fakes.Any, e.Facts.Revision, e.Cell.Transport), "open/tools/list") {
		if x.Result().Exists() {
			out = append(out, x)
		}
	}
	if len(out) > 0 {
		out = firstTape(out)
	}
	return out
}

// source is how the facts of the cell's client are known.
func (e *Evidence) source() Confidence {
	if e.Client == nil {
		return Inferred
	}
	return Confidence(e.Client.Source)
}

// by marks a ruling as resting on the facts of the cell's client.
func (e *Evidence) by(r Ruling) Ruling {
	r.Source = e.source()
	return r
}

func judgeKeepsList(e *Evidence) Ruling {
	l, x, ok := e.reading()
	if !ok {
		return noReading(e)
	}
	switch l.State {
	case fakes.Lost, fakes.Hang:
		what := "loses all tools"
		if l.State == fakes.Hang {
			what = "waits for an answer until its limit and shows no tools"
		}
		return e.by(Broken(Fault{Subject: "tools/list", Expected: "a list that the client can read", Observed: orText(l.Why, l.Error), Message: fmt.Sprintf("%s %s: %s", e.Client.Product, what, orText(l.Why, l.Error)), Proof: []*Exchange{x}}))
	}
	return e.by(Passed("", x))
}

func orText(a, b string) string {
	if a != "" {
		return short(a, 400)
	}
	return short(b, 400)
}

func noReading(e *Evidence) Ruling {
	switch {
	case e.Reader == nil:
		return NotApplicable("what this client makes of lists is not known")
	case !e.Facts.HasTools():
		return NotApplicable("the server offers no tools")
	}
	return NotSeen("the client got no tool list, or more of it than is looked at")
}

func judgeKeepsTools(e *Evidence) Ruling {
	l, x, ok := e.reading()
	if !ok {
		return noReading(e)
	}
	if l.State != fakes.Accepted {
		return NotApplicable("the whole list is lost, which is told by clients/keeps-list")
	}
	r := Ruling{Seen: 1, Proof: []*Exchange{x}}
	for _, t := range l.Tools {
		if t.State == fakes.Dropped {
			r.Faults = append(r.Faults, Fault{Subject: t.Name, Expected: "the tool is kept", Observed: t.Why, Message: fmt.Sprintf("%s drops the tool %s: %s", e.Client.Product, short(t.Name, 60), t.Why), Proof: []*Exchange{x}})
		}
	}
	return e.by(r)
}

func judgeUnchanged(e *Evidence) Ruling {
	l, x, ok := e.reading()
	if !ok {
		return noReading(e)
	}
	r := Ruling{Seen: 1, Proof: []*Exchange{x}}
	for _, t := range l.Tools {
		if t.State == fakes.Rewritten {
			r.Faults = append(r.Faults, Fault{Subject: t.Name, Expected: "as written", Observed: t.Why, Message: fmt.Sprintf("%s changes the tool %s: %s", e.Client.Product, short(t.Name, 60), t.Why), Proof: []*Exchange{x}})
		}
	}
	return e.by(r)
}

// showsTitles says whether the client shows the title of a tool that has it everywhere.
func (e *Evidence) showsTitles() bool {
	l := e.Reader.Listing(e.Cell.Revision, [][]byte{[]byte(`{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"zz","title":"Zz Title","inputSchema":{"type":"object","properties":{}},"annotations":{"title":"Zz Title"}}]}`)})
	return len(l.Tools) == 1 && strings.Contains(l.Tools[0].Label, "Zz Title")
}

func judgeLabelShown(e *Evidence) Ruling {
	l, x, ok := e.reading()
	if !ok {
		return noReading(e)
	}
	if l.State != fakes.Accepted {
		return NotApplicable("the whole list is lost")
	}
	if !e.showsTitles() {
		return NotApplicable("this client shows no titles at all")
	}
	r := Ruling{}
	for _, t := range l.Tools {
		raw := gjson.ParseBytes(t.Raw)
		title := raw.Get("title").Str // what is no text is told by other checks
		if title == "" {
			title = raw.Get("annotations.title").Str
		}
		if title == "" || t.Label == "" || t.State == fakes.Dropped {
			continue
		}
		r.Seen++
		if !strings.Contains(t.Label, title) {
			r.Faults = append(r.Faults, Fault{Subject: t.Name, Expected: "the title " + title, Observed: t.Label, Message: fmt.Sprintf("%s shows %s instead of the title %s", e.Client.Product, short(t.Label, 60), short(title, 60)), Proof: []*Exchange{x}})
		}
	}
	if r.Seen == 0 {
		return NotApplicable("no tool has a title")
	}
	if len(r.Faults) == 0 {
		r.Proof = []*Exchange{x}
	}
	return e.by(r)
}

// answers are the calls that this client made, or would make, with what it makes of them.
func (e *Evidence) answers(look func(x *Exchange, tool *fakes.ListedTool, a fakes.Answer) *Fault) Ruling {
	l, _, ok := e.reading()
	if !ok {
		return noReading(e)
	}
	if l.State != fakes.Accepted {
		return NotApplicable("the whole list is lost")
	}
	kept := map[string]*fakes.ListedTool{}
	for i := range l.Tools {
		kept[l.Tools[i].Name] = &l.Tools[i]
	}
	calls := e.All("call:")
	if e.Client == nil || !e.Client.Drives {
		neutral := e.Run.Select(fakes.Any, e.Facts.Revision, e.Cell.Transport)
		calls = e.Run.Labelled(neutral, "output-schema/call:")
	}
	r, large := Ruling{}, false
	for _, x := range calls {
		t := kept[toolName(x)]
		if t == nil || t.State == fakes.Dropped || !x.Answered() {
			continue
		}
		raw := ForReader(x)
		if raw == nil {
			large = true
			continue
		}
		r.Seen++
		if f := look(x, t, e.Reader.Call(e.Cell.Revision, t, raw)); f != nil {
			r.Faults = append(r.Faults, *f)
		}
	}
	if r.Seen == 0 && large {
		return NotSeen("the answers are larger than what is looked at")
	}
	if r.Seen == 0 {
		return NotSeen("no tool was called; allow tools that may be called, or give calls in conform.yaml")
	}
	return e.by(r)
}

func judgeTakesAnswers(e *Evidence) Ruling {
	return e.answers(func(x *Exchange, t *fakes.ListedTool, a fakes.Answer) *Fault {
		if took, limit := e.took(x), e.Client.Limit(); limit > 0 && took > limit {
			return &Fault{Subject: t.Name, Expected: "an answer within " + limit.String(), Observed: "an answer after " + took.Round(time.Second).String(), Message: fmt.Sprintf("%s gives up the call of %s after %s, before its answer comes", e.Client.Product, short(t.Name, 60), limit), Proof: []*Exchange{x}}
		}
		if a.State == fakes.Accepted || x.Refused() || x.AsksInput() || becameTask(x) && declaresTasks(x) {
			return nil // a client that takes tasks polls for the answer
		}
		what := "is told that the call failed"
		if a.State == fakes.Hang {
			what = "waits for an answer until its limit"
		}
		return &Fault{Subject: t.Name, Expected: "an answer that the client takes", Observed: orText(a.Why, a.Error), Message: fmt.Sprintf("%s %s after a call of %s that worked: %s", e.Client.Product, what, short(t.Name, 60), orText(a.Why, a.Error)), Proof: []*Exchange{x}}
	})
}

// judgeShowsAnswers finds answers of which nothing at all reaches the model.
// What reaches only some models is told once, by the checks of output-schema.
func judgeShowsAnswers(e *Evidence) Ruling {
	return e.answers(func(x *Exchange, t *fakes.ListedTool, a fakes.Answer) *Fault {
		if !x.Succeeded() || a.State != fakes.Accepted || a.Text != "" {
			return nil
		}
		if ContentText(x.Result()) == "" && !x.Result().Get("structuredContent").Exists() {
			return nil
		}
		return &Fault{Subject: t.Name, Expected: "what the answer says", Observed: "nothing reaches the model, which reads " + a.Source, Message: fmt.Sprintf("%s: the model reads nothing of the answer of %s", e.Client.Product, short(t.Name, 60)), Proof: []*Exchange{x}}
	})
}
