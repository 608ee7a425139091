package scenarios

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// authorization asks without credentials, and with wrong ones, where a server
// wants them, and looks for the metadata that say where to get them.
func authorization() Scenario {
	return Scenario{
		ID: "authorization", Title: "Authorization", Transport: "http", Every: true,
		Summary: "Asks without a token, with an invalid and with a malformed one, and reads the metadata of the protected resource.",
		Drive:   driveAuthorization,
		Checks: []Check{
			{
				ID: "authorization/challenge", Claim: "Without a valid token a request is refused with 401 and a challenge, never with 200 and an error inside.", Level: Must,
				Why:    "Clients begin their login on 401. On anything else the person sees a server that fails.",
				Remedy: "Answer 401 with WWW-Authenticate: Bearer resource_metadata=\"...\" before you look at the body.",
				Basis:  []string{"basic/authorization#token-handling", "basic/authorization#error-handling", "RFC 9110 15.5.2"},
				Requirements: []string{
					"auth.unauthorized-401", "auth.challenge-header", "auth.invalid-token-401", "auth.status-codes",
				},
				Judge: judgeChallenge,
			},
			{
				ID: "authorization/metadata", Claim: "The metadata of the protected resource can be found and names an authorization server.", Level: Must,
				Why:    "Without it a client does not know where to send the person to log in.",
				Remedy: "Serve /.well-known/oauth-protected-resource with authorization_servers, and name it in the challenge.",
				Basis:  []string{"basic/authorization#authorization-server-discovery"}, Requirements: []string{"auth.metadata-discoverable", "auth.metadata-authorization-servers"},
				Judge: judgeMetadata,
			},
			{
				ID: "authorization/metadata-resource", Claim: "The resource in the metadata is this server.", Level: Note,
				Why:    "Clients ask for a token for that resource; one for another is refused.",
				Remedy: "Write the address of the endpoint, or of its origin, into resource.",
				Basis:  []string{"basic/authorization#resource-parameter-implementation"}, Requirements: []string{"auth.metadata-resource"},
				Judge: judgeMetadataResource,
			},
			{
				ID: "authorization/malformed", Claim: "A malformed Authorization header is refused with 400 or 401.", Level: Should,
				Why:    "Another status sends clients looking for a fault elsewhere.",
				Remedy: "Treat what you cannot read like a missing token.",
				Basis:  []string{"basic/authorization#error-handling"}, Requirements: []string{"auth.malformed-header"},
				Judge: protected(judgeMalformedToken),
			},
			{
				ID: "authorization/scope", Claim: "The challenge names the scopes that are needed, and not offline_access.", Level: Should,
				Why:    "Clients ask for what the challenge names; without it they ask for everything or for nothing.",
				Remedy: "Add scope=\"...\" to the challenge.",
				Basis:  []string{"basic/authorization#scope-selection-strategy"}, Requirements: []string{"auth.scope-challenge", "auth.no-offline-access"},
				Judge: protected(judgeScope),
			},
			{
				ID: "authorization/query-token", Claim: "A token in the query of the address does not count.", Level: Must,
				Why:    "Addresses end up in logs and histories, and the token with them.",
				Remedy: "Read tokens from the Authorization header alone.",
				Basis:  []string{"basic/authorization#token-requirements"}, Requirements: []string{"auth.query-token-refused"},
				Judge: protected(judgeQueryToken),
			},
			{
				ID: "authorization/legacy-metadata", Claim: "Under 2025-03-26 the metadata of the authorization server are at the origin's root.", Level: Should,
				Why:    "Clients of that revision look nowhere else.",
				Remedy: "Serve /.well-known/oauth-authorization-server.",
				Basis:  []string{"basic/authorization#server-metadata-discovery"}, Requirements: []string{"auth.legacy-metadata"},
				Judge: protected(judgeLegacyMetadata),
			},
			{
				ID: "authorization/before-protocol", Claim: "Who has no token learns nothing of the methods of the server.", Level: Note,
				Why:    "A 404 for an unknown method tells strangers which ones exist.",
				Remedy: "Check the token before you read the body.",
				Basis:  []string{"basic/authorization"}, Requirements: []string{"auth.before-protocol"},
				Judge: protected(judgeBeforeProtocol),
			},
		},
	}
}

const wellKnownResource, wellKnownServer = "/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server"

func driveAuthorization(ctx context.Context, d *Drive) error {
	r, err := d.Raw(ctx, "requests without credentials")
	if r == nil || err != nil {
		return err
	}
	defer r.Done()
	r.Session.Revision = d.Facts.Revision
	where, given := d.sentTo()
	method, body := openingRequest(d.Facts, "")
	_ = r.Send(ctx, "none", http.MethodPost, setToken(r.headers(method, ""), ""), body)
	challenge := r.challenge()
	if d.Session != nil {
		// A server may let anybody open a session and protect the rest.
		v := d.Shared(ctx)
		_, list := openingRequest(d.Facts, "tools/list")
		_ = v.Send(ctx, "none:tools/list", http.MethodPost, setToken(v.headers("tools/list", ""), ""), list)
		challenge = cmp.Or(challenge, v.challenge())
	}
	if where == "" || challenge == "" && given == "" {
		return nil // nobody asks for a token
	}
	for _, p := range []struct{ label, token string }{
		{"invalid", "Bearer conform-invalid"}, {"malformed:Bearer without a token", "Bearer "}, {"malformed:Basic", "Basic x"},
	} {
		_ = r.Send(ctx, p.label, http.MethodPost, setToken(r.headers(method, ""), p.token), body)
	}
	_, unknown := openingRequest(d.Facts, "conform/no-such-method")
	_ = r.Send(ctx, "unknown method", http.MethodPost, setToken(r.headers("conform/no-such-method", ""), ""), unknown)
	for _, m := range metadataPlaces(where, challenge) {
		h := setToken(header("Accept", "application/json"), "")
		r.peek(ctx, m.label, wire.Frame{Method: http.MethodGet, URL: m.url, Header: h}, 5*time.Second)
	}
	if token, ok := strings.CutPrefix(given, "Bearer "); ok {
		u, err := url.Parse(where)
		if err != nil {
			return nil
		}
		q := u.Query()
		q.Set("access_token", token)
		u.RawQuery = q.Encode()
		r.peek(ctx, "query token", wire.Frame{URL: u.String(), Raw: body, Header: setToken(r.headers(method, ""), "")}, 5*time.Second)
	}
	return nil
}

// openingRequest is the request that opens a session, or another one that needs none.
func openingRequest(f *Facts, method string) (string, []byte) {
	switch {
	case method == "" && f.Modern():
		return "server/discover", []byte(rawRequest(f, "1"))
	case method == "":
		return "initialize", []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":` + string(initializeWith(f.Revision, `{}`)) + `}`)
	}
	_, params := harmless(f)
	return method, []byte(`{"jsonrpc":"2.0","id":2,"method":"` + method + `"` + params + `}`)
}

// setToken sets the Authorization header, or with "" keeps the user's own from being sent.
func setToken(h http.Header, token string) http.Header {
	h["Authorization"] = nil
	if token != "" {
		h["Authorization"] = []string{token}
	}
	return h
}

// sentTo is where the shared session's requests go, and the Authorization header that they carry.
func (d *Drive) sentTo() (where, token string) {
	if d.Session == nil {
		return "", ""
	}
	for _, ev := range d.Session.Tape().Events() {
		if ev.Kind == wire.Send && ev.HTTP != nil {
			return ev.HTTP.URL, ev.HTTP.Header.Get("Authorization")
		}
	}
	return "", ""
}

// challenge is the last WWW-Authenticate header that came with a 401, or "401" when it had none.
func (v *Voice) challenge() string {
	out := ""
	for _, ev := range v.Tape().Events() {
		if ev.Kind == wire.Head && ev.HTTP.Status == http.StatusUnauthorized {
			out = cmp.Or(strings.Join(ev.HTTP.Header.Values("Www-Authenticate"), ", "), "401")
		}
	}
	return out
}

// challengeParam reads a parameter of a challenge, "" when it is not there.
func challengeParam(challenge, name string) string {
	m := regexp.MustCompile(`(?i)(?:^|[\s,])` + name + `\s*=\s*(?:"([^"]*)"|([^\s,"]+))`).FindStringSubmatch(challenge)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}

// place is where metadata may lie.
type place struct{ label, url string }

// metadataPlaces lists where the metadata of an endpoint may lie, in the order in
// which clients look. What the server names is fetched from its own origin only:
// a target does not choose whom conform talks to.
func metadataPlaces(endpoint, challenge string) []place {
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil
	}
	origin := u.Scheme + "://" + u.Host
	var out []place
	if named, err := url.Parse(challengeParam(challenge, "resource_metadata")); err == nil && named.Scheme == u.Scheme && named.Host == u.Host {
		out = append(out, place{"metadata:named", named.String()})
	}
	if path := strings.TrimSuffix(u.EscapedPath(), "/"); path != "" {
		out = append(out, place{"metadata:of the path", origin + wellKnownResource + path})
	}
	return append(out, place{"metadata:of the origin", origin + wellKnownResource}, place{"server-metadata", origin + wellKnownServer})
}

// protected makes a judge that applies to servers that want a token.
func protected(j func(*Evidence) Ruling) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		if !e.wantsToken() {
			return NotApplicable("the server answers without a token")
		}
		return j(e)
	}
}

// wantsToken says that some request without a token was answered with 401.
func (e *Evidence) wantsToken() bool {
	for _, x := range e.All("none") {
		if x.Status() == http.StatusUnauthorized {
			return true
		}
	}
	return false
}

// metadata is the first description of the protected resource that was found.
func (e *Evidence) metadata() (gjson.Result, *Exchange) {
	for _, x := range e.All("metadata:") {
		if x.Status() != http.StatusOK {
			continue
		}
		for _, ev := range x.Tape.Events()[x.At:] {
			if ev.Kind == wire.Recv && ev.Post == x.Sent.Post && ev.Message().Root.IsObject() {
				return ev.Message().Root, x
			}
		}
	}
	return gjson.Result{}, nil
}

// since says that the cell's revision is at least another.
func (e *Evidence) since(revision string) bool { return e.Cell.Revision >= revision }
