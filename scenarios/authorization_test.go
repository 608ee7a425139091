package scenarios

import (
	"net/http"
	"slices"
	"testing"
)

func TestAuthorization(t *testing.T) {
	t.Parallel()
	challenge := http.Header{"Www-Authenticate": {`Bearer resource_metadata="http://127.0.0.1:9/.well-known/oauth-protected-resource/mcp", scope="tools"`}}
	bare := http.Header{"Www-Authenticate": {"Bearer"}}
	denied := func(label string, h http.Header) web {
		return web{label: label, body: listAsk, status: 401, header: h, reply: refusal}
	}
	none, invalid := denied("none", challenge), denied("invalid", challenge)
	doc := func(label, body string) web { return web{label: label, method: "GET", status: 200, reply: body} }
	const right = `{"resource":"http://127.0.0.1:9/mcp","authorization_servers":["https://auth.example.com"]}`
	opened := web{label: "open/initialize", body: `{"jsonrpc":"2.0","id":9,"method":"initialize"}`, sent: http.Header{"Authorization": {"Bearer x"}}, status: 200, reply: `{"jsonrpc":"2.0","id":9,"result":{}}`}
	tests := []webRuled{
		{name: "401 with a challenge", judge: judgeChallenge, all: []web{none, invalid}, want: "pass"},
		{name: "open server", judge: judgeChallenge, all: []web{ok("none"), ok("invalid")}, want: "na"},
		{name: "invalid token taken", judge: judgeChallenge, all: []web{none, ok("invalid")}, want: "fault"},
		{name: "invalid token, 403", judge: judgeChallenge, all: []web{none, refusedBy("invalid", 403)}, want: "fault"},
		{name: "no challenge", judge: judgeChallenge, all: []web{denied("none", http.Header{})}, want: "fault"},
		{name: "challenge without metadata", judge: judgeChallenge, all: []web{denied("none", bare)}, want: "pass"},
		{name: "challenge without metadata under 2025-06-18", judge: judgeChallenge, cell: Cell{Revision: "2025-06-18"}, all: []web{denied("none", bare)}, want: "fault"},
		{name: "error inside 200", judge: judgeChallenge, all: []web{opened, {label: "none", body: listAsk, status: 200, reply: refusal}}, want: "fault"},
		{name: "opening is free, the rest is not", judge: judgeChallenge, all: []web{ok("none"), denied("none:tools/list", challenge), invalid}, want: "pass"},
		{name: "metadata", judge: judgeMetadata, all: []web{none, doc("metadata:named", right)}, want: "pass"},
		{name: "metadata at the origin", judge: judgeMetadata, all: []web{none, {label: "metadata:named", method: "GET", status: 404}, doc("metadata:of the origin", right)}, want: "pass"},
		{name: "no metadata", judge: judgeMetadata, all: []web{none, {label: "metadata:named", method: "GET", status: 404}}, want: "fault"},
		{name: "no authorization server", judge: judgeMetadata, all: []web{none, doc("metadata:named", `{"resource":"x"}`)}, want: "fault"},
		{name: "this resource", judge: judgeMetadataResource, all: []web{none, doc("metadata:named", right)}, want: "pass"},
		{name: "another resource", judge: judgeMetadataResource, all: []web{none, doc("metadata:named", `{"resource":"https://other.example/mcp"}`)}, want: "fault"},
		{name: "malformed, 400", judge: judgeMalformedToken, all: []web{none, refusedBy("malformed:x", 400)}, want: "pass"},
		{name: "malformed, 500", judge: judgeMalformedToken, all: []web{none, refusedBy("malformed:x", 500)}, want: "fault"},
		{name: "scope", judge: judgeScope, all: []web{none}, want: "pass"},
		{name: "no scope", judge: judgeScope, all: []web{denied("none", bare)}, want: "fault"},
		{name: "offline_access", judge: judgeScope, cell: Cell{Revision: "2026-07-28"}, all: []web{none, doc("metadata:named", `{"scopes_supported":["offline_access"]}`)}, want: "fault"},
		{name: "query token refused", judge: judgeQueryToken, all: []web{none, denied("query token", challenge)}, want: "pass"},
		{name: "query token taken", judge: judgeQueryToken, all: []web{none, ok("query token")}, want: "fault"},
		{name: "no token to try", judge: judgeQueryToken, all: []web{none}, want: "unseen"},
		{name: "unknown method, 401", judge: judgeBeforeProtocol, all: []web{none, denied("unknown method", challenge)}, want: "pass"},
		{name: "unknown method, 404", judge: judgeBeforeProtocol, all: []web{none, refusedBy("unknown method", 404)}, want: "fault"},
		{name: "server metadata", judge: judgeLegacyMetadata, cell: Cell{Revision: "2025-03-26"}, all: []web{none, doc("server-metadata", `{}`)}, want: "pass"},
		{name: "no server metadata", judge: judgeLegacyMetadata, cell: Cell{Revision: "2025-03-26"}, all: []web{none, {label: "server-metadata", method: "GET", status: 404}}, want: "fault"},
	}
	runWeb(t, "authorization", tests)
}

func TestMetadataPlaces(t *testing.T) {
	t.Parallel()
	labels := func(challenge string) []string {
		var out []string
		for _, p := range metadataPlaces("http://127.0.0.1:9/mcp", challenge) {
			out = append(out, p.label)
		}
		return out
	}
	own := `Bearer resource_metadata="http://127.0.0.1:9/x"`
	if got := labels(own); !slices.Contains(got, "metadata:named") {
		t.Errorf("an address of the server itself is not tried: %v", got)
	}
	for _, foreign := range []string{`Bearer resource_metadata="http://169.254.169.254/x"`, `Bearer resource_metadata="https://127.0.0.1:9/x"`, `Bearer resource_metadata="http://127.0.0.1:99/x"`, `Bearer resource_metadata="file:///etc/passwd"`} {
		if got := labels(foreign); slices.Contains(got, "metadata:named") {
			t.Errorf("%s: an address elsewhere is fetched", foreign)
		}
	}
}

func TestChallengeParam(t *testing.T) {
	t.Parallel()
	const c = `Bearer error="invalid_token", resource_metadata="http://x/y", scope=tools`
	for name, want := range map[string]string{"resource_metadata": "http://x/y", "scope": "tools", "realm": ""} {
		if got := challengeParam(c, name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
