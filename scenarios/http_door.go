package scenarios

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/agntn/conform/fakes"
)

// local says that the cell's server is on this machine.
func (e *Evidence) local() bool {
	x := e.Get("plain")
	return x != nil && x.Sent.HTTP != nil && loopback(x.Sent.HTTP.URL)
}

// refusedAtDoor says that a request was refused by its HTTP status or with an error.
func refusedAtDoor(x *Exchange) bool { return x.Status() >= 300 || errorOf(x).Exists() }

func judgeOrigin(e *Evidence) Ruling {
	if !e.local() {
		return NotApplicable("a public server may serve pages of any origin on purpose; only servers on this machine are tried")
	}
	if !e.Get("plain").Answered() {
		return NotSeen("the same request without Origin was not served either")
	}
	var r Ruling
	for _, x := range e.All("origin:") {
		origin := ""
		if x.Sent.HTTP != nil {
			origin = x.Sent.HTTP.Header.Get("Origin")
		}
		subject := "Origin: " + origin
		var f *Fault
		switch {
		case x.Head == nil:
		case !refusedAtDoor(x):
			f = &Fault{Subject: subject, Expected: "a refusal", Observed: sayHTTP(x), Message: fmt.Sprintf("a request with %s is served", subject), Proof: []*Exchange{x}}
		case e.Cell.Revision >= fakes.Rev20251125 && x.Status() != http.StatusForbidden:
			f = &Fault{Subject: subject, Expected: "HTTP 403", Observed: sayHTTP(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeOriginShape(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("origin:") {
		if x.Status() < 400 || x.Body == nil || !x.Body.Message().HasError {
			continue
		}
		var f *Fault
		if id := x.Body.Message().ID; id != "" {
			f = &Fault{Subject: "the refusal of an origin", Expected: "an error without id", Observed: "an error with id " + short(id, 40), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	if own := e.Get("own-origin"); own != nil && e.Get("plain").Answered() && e.local() {
		var f *Fault
		if refusedAtDoor(own) {
			f = &Fault{Subject: "Origin: the server's own", Expected: "the answer as without it", Observed: sayHTTP(own), Proof: []*Exchange{own}}
		}
		r = r.add(own, f)
	}
	if r.Seen == 0 {
		return NotApplicable("no origin is refused with a JSON-RPC error")
	}
	return r
}

func judgeHost(e *Evidence) Ruling {
	if !e.local() {
		return NotApplicable("only servers on this machine are tried")
	}
	x := e.Get("host:foreign")
	if x == nil || x.Head == nil {
		return NotSeen("the request was not answered")
	}
	if !refusedAtDoor(x) {
		return Broken(Fault{Subject: "Host: " + foreignHost, Expected: "a refusal", Observed: sayHTTP(x), Message: "a request to the host name " + foreignHost + " is served", Proof: []*Exchange{x}})
	}
	return Passed(fmt.Sprintf("refused with HTTP %d", x.Status()), x)
}

func judgeLoopback(e *Evidence) Ruling {
	if !e.local() {
		return NotApplicable("only servers on this machine are tried")
	}
	x := e.Get("other-address")
	switch {
	case x == nil || x.Unusable():
		return NotSeen("this machine has no other address to try")
	case x.Head != nil:
		return Broken(Fault{Subject: x.Sent.HTTP.URL, Expected: "no connection", Observed: fmt.Sprintf("HTTP %d", x.Status()), Message: "the server listens on " + x.Sent.HTTP.URL + " as well", Proof: []*Exchange{x}})
	case x.End != "http":
		return NotSeen("the other address gave no answer in time")
	}
	return Passed("no connection under another address of this machine", x)
}

func judgeUnauthenticated(e *Evidence) Ruling {
	x, plain := e.Get("no-credentials"), e.Get("plain")
	switch {
	case plain == nil || x == nil || x.Head == nil:
		return NotSeen("the request was not answered")
	case plain.Sent.HTTP.Header.Get("Authorization") == "":
		return NotApplicable("no credentials were given for the server (--header)")
	case !refusedAtDoor(x):
		return Broken(Fault{Subject: "Authorization", Expected: "a refusal without it", Observed: sayHTTP(x), Message: "requests without Authorization are served", Proof: []*Exchange{x}})
	}
	return Passed(fmt.Sprintf("refused with HTTP %d", x.Status()), x)
}

func judgeOldTransport(e *Evidence) Ruling {
	var r Ruling
	for _, p := range e.posts() {
		if p.method() != http.MethodGet || p.Head == nil || strings.Contains(p.Sent.HTTP.URL, "/.well-known/") {
			continue
		}
		r.Seen++
		for _, ev := range p.events {
			if ev.HTTP != nil && ev.HTTP.EventName == "endpoint" && len(r.Faults) == 0 {
				r.Faults = append(r.Faults, Fault{Subject: "GET", Expected: "no event named endpoint", Observed: "an event named endpoint: " + short(string(ev.Raw), 120), Proof: []*Exchange{p.Exchange}})
			}
		}
	}
	return r
}
