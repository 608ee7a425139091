package scenarios

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/agntn/conform/fakes"
)

const noSessions = "the server works without session ids"

// minted lists the session ids that the server gave, with the requests that brought them.
func (e *Evidence) minted() (ids []string, by map[string]*Exchange) {
	by = map[string]*Exchange{}
	for _, p := range e.posts() {
		id := p.header("Mcp-Session-Id")
		if id == "" || p.Request.Method != "initialize" || p.Sent.HTTP.Header.Get("Mcp-Session-Id") != "" {
			continue
		}
		ids = append(ids, id)
		if by[id] == nil {
			by[id] = p.Exchange
		}
	}
	return ids, by
}

func judgeSessionID(e *Evidence) Ruling {
	ids, by := e.minted()
	if len(ids) == 0 {
		return NotApplicable(noSessions)
	}
	var r Ruling
	for _, id := range ids {
		r.Seen++
		for i := range len(id) {
			if id[i] < 0x21 || id[i] > 0x7e {
				r.Faults = append(r.Faults, Fault{Subject: "Mcp-Session-Id", Expected: "characters from 0x21 to 0x7E", Observed: fmt.Sprintf("%q", short(id, 100)), Proof: []*Exchange{by[id]}})
				break
			}
		}
	}
	return r
}

func judgeSessionIDs(e *Evidence) Ruling {
	ids, by := e.minted()
	switch {
	case len(ids) == 0:
		return NotApplicable(noSessions)
	case len(ids) < 4:
		return NotSeen("too few sessions could be opened to compare their ids")
	}
	r := Ruling{Seen: len(ids), Proof: []*Exchange{by[ids[0]]}}
	fault := func(observed string, id string) {
		r.Faults = append(r.Faults, Fault{Subject: "Mcp-Session-Id", Expected: "ids that nobody can guess", Observed: observed, Proof: []*Exchange{by[id]}})
	}
	unique := slices.Compact(slices.Sorted(slices.Values(ids)))
	switch {
	case len(unique) < len(ids):
		fault(fmt.Sprintf("of %d sessions %d have an id that another has too", len(ids), len(ids)-len(unique)), ids[0])
	case countsUp(unique):
		fault("ids that count up: "+short(strings.Join(unique, ", "), 160), unique[0])
	case variety(unique) < 16:
		fault(fmt.Sprintf("ids in which no more than %d characters differ, such as %q", variety(unique), short(unique[0], 60)), unique[0])
	}
	return r
}

// countsUp says that ids differ in a number only, and that these numbers are close together.
func countsUp(ids []string) bool {
	prefix := ids[0]
	for _, id := range ids {
		for !strings.HasPrefix(id, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	prefix = strings.TrimRight(prefix, "0123456789")
	var numbers []int
	for _, id := range ids {
		n, err := strconv.Atoi(id[len(prefix):])
		if err != nil {
			return false
		}
		numbers = append(numbers, n)
	}
	return slices.Max(numbers)-slices.Min(numbers) < 100*len(numbers)
}

// variety is at how many places ids differ: what they share cannot be guessed wrong.
func variety(ids []string) int {
	most := 0
	for _, id := range ids {
		most = max(most, len(id))
	}
	n := 0
	for i := range most {
		for _, id := range ids {
			if i >= len(id) || i >= len(ids[0]) || id[i] != ids[0][i] {
				n++
				break
			}
		}
	}
	return n
}

func judgeSessionRequired(e *Evidence) Ruling {
	x := e.Get("no-session")
	switch {
	case x == nil:
		return NotApplicable(noSessions)
	case x.Head == nil:
		return NotSeen("the request was not answered")
	case x.Status() == http.StatusBadRequest:
		return Passed("refused with HTTP 400", x)
	case x.Result().Exists():
		return Passed("served without its id", x)
	}
	return Broken(Fault{Subject: "a request without Mcp-Session-Id", Expected: "HTTP 400, or the answer", Observed: sayHTTP(x), Proof: []*Exchange{x}})
}

func judgeUnknownSession(e *Evidence) Ruling {
	x := e.Get("unknown-session")
	ids, _ := e.minted()
	switch {
	case len(ids) == 0:
		return NotApplicable(noSessions)
	case x == nil || x.Head == nil:
		return NotSeen("the request was not answered")
	case x.Status() == http.StatusNotFound:
		return Passed("", x)
	}
	return Broken(Fault{Subject: "a session id that was never given", Expected: "HTTP 404", Observed: sayHTTP(x), Proof: []*Exchange{x}})
}

func judgeDelete(e *Evidence) Ruling {
	del, x := e.Get("delete"), e.Get("after-delete")
	switch {
	case del == nil:
		return NotApplicable(noSessions)
	case del.Status() < 200 || del.Status() > 299:
		return NotApplicable(fmt.Sprintf("the server does not let clients end sessions: HTTP %d", del.Status()))
	case x == nil || x.Head == nil:
		return NotSeen("the request after DELETE was not answered")
	case x.Status() == http.StatusNotFound:
		return Passed("", del, x)
	}
	return Broken(Fault{Subject: "a session after DELETE", Expected: "HTTP 404", Observed: sayHTTP(x), Proof: []*Exchange{del, x}})
}

func judgeDeleteStatus(e *Evidence) Ruling {
	del := e.Get("delete")
	switch {
	case del == nil:
		return NotApplicable(noSessions)
	case del.Head == nil:
		return NotSeen("DELETE was not answered")
	case del.Status() >= 200 && del.Status() <= 299, del.Status() == http.StatusMethodNotAllowed:
		return Passed(fmt.Sprintf("HTTP %d", del.Status()), del)
	}
	return Broken(Fault{Subject: "DELETE", Expected: "a 2xx status, or 405", Observed: fmt.Sprintf("HTTP %d", del.Status()), Proof: []*Exchange{del}})
}

func judgeNotMinted(e *Evidence) Ruling {
	return e.eachPost(
		func(p post) bool { return p.isRequest() && fakes.Modern(metaVersion(p.Exchange)) },
		func(p post) (string, string) {
			if id := p.header("Mcp-Session-Id"); id != "" {
				return "no Mcp-Session-Id", "Mcp-Session-Id: " + short(id, 60)
			}
			return "", ""
		})
}

func judgeOldHeaders(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("old:") {
		var f *Fault
		if !x.Result().Exists() {
			f = &Fault{Subject: "server/discover with " + labelOf(x), Expected: "the answer as without it", Observed: sayHTTP(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeGetDelete405(e *Evidence) Ruling {
	var r Ruling
	for _, label := range []string{"get", "delete"} {
		x := e.Get(label)
		if x == nil || x.Head == nil {
			continue
		}
		r.Seen++
		// A server of both eras may read these as requests of an older client.
		old := e.dualEra() && (x.Status() >= 400 && x.Status() < 500 || x.Head.HTTP.SSE)
		if x.Status() != http.StatusMethodNotAllowed && !old {
			r.Faults = append(r.Faults, Fault{Subject: strings.ToUpper(label), Expected: "HTTP 405", Observed: fmt.Sprintf("HTTP %d", x.Status()), Proof: []*Exchange{x}})
			continue
		}
		r.Proof = append(r.Proof, x)
	}
	return r
}

func judgeVersionHeader(e *Evidence) Ruling {
	if e.Cell.Revision < fakes.Rev20250618 {
		return NotApplicable("the header belongs to 2025-06-18 and later")
	}
	var r Ruling
	for _, x := range e.All("version:") {
		var f *Fault
		if x.Status() != http.StatusBadRequest {
			f = &Fault{Subject: "MCP-Protocol-Version: " + labelOf(x), Expected: "HTTP 400", Observed: sayHTTP(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeVersionAbsent(e *Evidence) Ruling {
	if e.Cell.Revision < fakes.Rev20250618 {
		return NotApplicable("the header belongs to 2025-06-18 and later")
	}
	x := e.Get("no-version")
	if x.Unusable() {
		return NotSeen("the request was not sent")
	}
	var f *Fault
	if !x.Result().Exists() {
		f = &Fault{Subject: "a request without MCP-Protocol-Version", Expected: "the answer", Observed: sayHTTP(x), Proof: []*Exchange{x}}
	}
	return Ruling{}.add(x, f)
}
