package scenarios

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

// loginGiven says that the user gave credentials for the server.
func (e *Evidence) loginGiven() bool {
	for _, x := range e.Opening() {
		if x.Sent.HTTP != nil && x.Sent.HTTP.Header.Get("Authorization") != "" {
			return true
		}
	}
	return false
}

func judgeChallenge(e *Evidence) Ruling {
	var r Ruling
	if !e.wantsToken() {
		// A server that works with the user's token and fails without wants one, whatever it says.
		for _, x := range e.All("none") {
			if e.loginGiven() && x.Head != nil && refusedAtDoor(x) && x.Label == "none" {
				return Broken(Fault{Subject: "a request without a token", Expected: "HTTP 401", Observed: sayHTTP(x), Proof: []*Exchange{x}})
			}
		}
		return NotApplicable("the server answers without a token")
	}
	fault := func(x *Exchange, subject, expected, observed string) {
		r.Faults = append(r.Faults, Fault{Subject: subject, Expected: expected, Observed: observed, Proof: []*Exchange{x}})
	}
	for _, x := range slices.Concat(e.All("none"), e.All("invalid")) {
		if x.Head == nil {
			continue
		}
		subject := "a request without a token"
		if x.Label == "invalid" {
			subject = "an invalid token"
		}
		switch challenge := strings.Join(x.Head.HTTP.Header.Values("Www-Authenticate"), ", "); {
		case x.Label != "invalid" && !refusedAtDoor(x):
			continue // what anybody may ask, such as to open a session
		case x.Status() != http.StatusUnauthorized:
			fault(x, subject, "HTTP 401", sayHTTP(x))
		case challenge == "":
			fault(x, subject, "HTTP 401 with WWW-Authenticate", "HTTP 401 without it")
		case e.Cell.Revision == fakes.Rev20250618 && challengeParam(challenge, "resource_metadata") == "":
			fault(x, subject, "WWW-Authenticate with resource_metadata", "WWW-Authenticate: "+short(challenge, 160))
		}
		r.Seen++
		r.Proof = append(r.Proof, x)
	}
	return r
}

func judgeMetadata(e *Evidence) Ruling {
	switch {
	case !e.wantsToken():
		return NotApplicable("the server answers without a token")
	case !e.since(fakes.Rev20250618):
		return NotApplicable("belongs to 2025-06-18 and later")
	}
	challenge := e.challenge()
	named := challengeParam(challenge, "resource_metadata")
	tried := e.All("metadata:")
	doc, x := e.metadata()
	switch {
	case x == nil && named != "" && e.Get("metadata:named") == nil:
		return NotSeen("the challenge names " + short(named, 120) + ", which is not on this server and is not fetched")
	case x == nil && len(tried) == 0:
		return NotSeen("no place of the metadata could be tried")
	case x == nil:
		var places []string
		for _, t := range tried {
			places = append(places, fmt.Sprintf("%s: HTTP %d", t.Sent.HTTP.URL, t.Status()))
		}
		return Broken(Fault{Subject: "metadata of the protected resource", Expected: "a JSON object", Observed: short(strings.Join(places, "; "), 300), Proof: tried})
	case len(doc.Get("authorization_servers").Array()) == 0 || !doc.Get("authorization_servers").IsArray():
		return Broken(Fault{Subject: "authorization_servers", Expected: "at least one authorization server", Observed: "authorization_servers: " + orNone(doc.Get("authorization_servers")), Proof: []*Exchange{x}})
	}
	return Passed("", x)
}

// challenge is the WWW-Authenticate header of a refusal without a token.
func (e *Evidence) challenge() string {
	for _, x := range e.All("none") {
		if x.Status() == http.StatusUnauthorized {
			return strings.Join(x.Head.HTTP.Header.Values("Www-Authenticate"), ", ")
		}
	}
	return ""
}

func judgeMetadataResource(e *Evidence) Ruling {
	doc, x := e.metadata()
	none := e.Get("none")
	if x == nil || none == nil {
		return NotApplicable("there are no metadata to compare")
	}
	endpoint, err := url.Parse(none.Sent.HTTP.URL)
	resource, err2 := url.Parse(doc.Get("resource").Str)
	if err != nil {
		return NotSeen("the address of the server cannot be read")
	}
	fits := err2 == nil && doc.Get("resource").Type == gjson.String && resource.Scheme == endpoint.Scheme && resource.Host == endpoint.Host &&
		strings.HasPrefix(endpoint.Path+"/", strings.TrimSuffix(resource.Path, "/")+"/")
	if !fits {
		return Broken(Fault{Subject: "resource", Expected: "an address that " + none.Sent.HTTP.URL + " begins with", Observed: "resource: " + orNone(doc.Get("resource")), Proof: []*Exchange{x}})
	}
	return Passed("", x)
}

func judgeMalformedToken(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("malformed:") {
		if x.Head == nil {
			continue
		}
		var f *Fault
		if x.Status() != http.StatusBadRequest && x.Status() != http.StatusUnauthorized {
			f = &Fault{Subject: "Authorization: " + labelOf(x), Expected: "HTTP 400 or 401", Observed: sayHTTP(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeScope(e *Evidence) Ruling {
	if !e.since(fakes.Rev20251125) {
		return NotApplicable("belongs to 2025-11-25 and later")
	}
	challenge := e.challenge()
	x := e.Get("none")
	scope := challengeParam(challenge, "scope")
	r := Ruling{Seen: 1, Proof: []*Exchange{x}}
	if challenge == "" {
		return NotSeen("there is no challenge to read")
	}
	if scope == "" {
		r.Faults = append(r.Faults, Fault{Subject: "WWW-Authenticate", Expected: "a scope parameter", Observed: short(challenge, 160), Proof: []*Exchange{x}})
	}
	doc, _ := e.metadata()
	all := strings.Fields(scope)
	for _, s := range doc.Get("scopes_supported").Array() {
		all = append(all, s.String())
	}
	if e.Facts.Modern() && slices.Contains(all, "offline_access") {
		r.Faults = append(r.Faults, Fault{Subject: "scopes", Expected: "no offline_access", Observed: strings.Join(all, " "), Proof: []*Exchange{x}})
	}
	return r
}

func judgeQueryToken(e *Evidence) Ruling {
	x := e.Get("query token")
	switch {
	case x == nil:
		return NotSeen("give a valid token with --header 'Authorization: Bearer ...'")
	case x.Head == nil:
		return NotSeen("the request was not answered")
	case !refusedAtDoor(x):
		return Broken(Fault{Subject: "access_token in the query", Expected: "HTTP 401", Observed: fmt.Sprintf("HTTP %d, %s", x.Status(), x.Channel()), Proof: []*Exchange{x}})
	}
	return Passed(fmt.Sprintf("refused with HTTP %d", x.Status()), x)
}

func judgeLegacyMetadata(e *Evidence) Ruling {
	if e.Cell.Revision != fakes.Rev20250326 {
		return NotApplicable("belongs to 2025-03-26 alone")
	}
	x := e.Get("server-metadata")
	if x == nil || x.Head == nil {
		return NotSeen("the address was not answered")
	}
	if x.Status() != http.StatusOK {
		return Broken(Fault{Subject: wellKnownServer, Expected: "metadata, or the default endpoints", Observed: fmt.Sprintf("HTTP %d", x.Status()), Proof: []*Exchange{x}})
	}
	return Passed("", x)
}

func judgeBeforeProtocol(e *Evidence) Ruling {
	x := e.Get("unknown method")
	if x == nil || x.Head == nil {
		return NotSeen("the request was not answered")
	}
	if x.Status() != http.StatusUnauthorized {
		return Broken(Fault{Subject: "an unknown method without a token", Expected: "HTTP 401", Observed: sayHTTP(x), Proof: []*Exchange{x}})
	}
	return Passed("", x)
}
