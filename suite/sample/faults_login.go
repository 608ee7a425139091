package sample

import (
	"net/http"
	"strings"
)

// loginFaults spoil a server that wants a token.
func loginFaults() []Fault {
	seen := ids("authorization/*", "http/*", "host-*")
	login := func(authorize func(rw http.ResponseWriter, r *http.Request) bool) func(b *behaviour) {
		return func(b *behaviour) {
			protect(b)
			b.http.authorize = authorize
		}
	}
	faults := []Fault{
		{
			Name: "authorization-before-protocol", What: "Who has no token still learns which methods there are not.",
			Checks: ids("authorization/before-protocol"), Collateral: seen,
			plant: func(b *behaviour) {
				protect(b)
				onRequest(b, func(w *web, rw http.ResponseWriter, r *http.Request) bool {
					method := asString(peek(r)["method"])
					_, known := w.srv.methods[method]
					if method == "" || known || strings.HasPrefix(method, "notifications/") || r.Header.Get("Authorization") != "" {
						return false
					}
					refuse(rw, http.StatusNotFound, nil, fail(codeMethodNotFound, "Method not found"))
					return true
				})
			},
		},
		{
			Name: "authorization-malformed", What: "A malformed Authorization header ends in status 500.",
			Checks: ids("authorization/malformed"), Collateral: seen,
			plant: login(func(rw http.ResponseWriter, r *http.Request) bool {
				if h := r.Header.Get("Authorization"); h != "" && !strings.HasPrefix(h, "Bearer ") {
					refuse(rw, http.StatusInternalServerError, nil, fail(codeInternal, "Internal error"))
					return false
				}
				return wantToken(rw, r)
			}),
		},
		{
			Name: "authorization-query-token", What: "A token in the query of the address counts.",
			Checks: ids("authorization/query-token"), Collateral: seen,
			plant: login(func(rw http.ResponseWriter, r *http.Request) bool {
				return r.URL.Query().Get("access_token") == Token || wantToken(rw, r)
			}),
		},
		{
			Name: "authorization-scope", What: "The challenge does not name the scopes that are needed.",
			Checks: ids("authorization/scope"), Collateral: seen,
			plant: login(func(rw http.ResponseWriter, r *http.Request) bool {
				return wantToken(scopeless{rw}, r)
			}),
		},
		{
			Name: "authorization-metadata-resource", What: "The metadata are those of another server.",
			Checks: ids("authorization/metadata-resource"), Collateral: seen,
			plant: func(b *behaviour) {
				protect(b)
				b.http.metadata = func(rw http.ResponseWriter, r *http.Request) {
					if strings.HasPrefix(r.URL.Path, metadataPath) {
						writeMetadata(rw, object{"resource": "https://other.example.com/mcp", "authorization_servers": list{"https://auth.example.com"}})
						return
					}
					wellKnown(rw, r)
				}
			},
		},
		{
			Name: "authorization-legacy-metadata", What: "The metadata of the authorization server are not where 2025-03-26 looks for them.",
			Checks: ids("authorization/legacy-metadata"), Collateral: seen, Eras: only(Legacy), Revisions: ids("2025-03-26"),
			plant: func(b *behaviour) {
				protect(b)
				b.http.metadata = func(rw http.ResponseWriter, r *http.Request) {
					if strings.HasPrefix(r.URL.Path, metadataPath) {
						wellKnown(rw, r)
						return
					}
					http.NotFound(rw, r)
				}
			},
		},
		{
			Name: "authorization-challenge", What: "A server that wants a token answers 401 without saying where to get one.",
			Checks: ids("authorization/challenge"), Collateral: ids("*"),
			plant: func(b *behaviour) {
				protect(b)
				b.http.authorize = func(rw http.ResponseWriter, r *http.Request) bool {
					return wantToken(unchallenged{rw}, r)
				}
			},
		},
		{
			Name: "authorization-challenge-status", What: "A server that wants a token says so with status 200 and an error inside.",
			Checks: ids("authorization/challenge"), Collateral: ids("*"),
			plant: func(b *behaviour) {
				protect(b)
				b.http.authorize = func(rw http.ResponseWriter, r *http.Request) bool {
					return wantToken(always200{rw}, r)
				}
			},
		},
		{
			Name: "authorization-metadata", What: "The metadata of a protected server names no authorization server.",
			Checks: ids("authorization/metadata"), Collateral: ids("*"),
			plant: func(b *behaviour) {
				protect(b)
				b.http.metadata = func(rw http.ResponseWriter, r *http.Request) {
					writeMetadata(rw, object{"resource": "http://" + r.Host + endpoint})
				}
			},
		},
		{
			Name: "authorization-metadata-missing", What: "The metadata that the challenge names does not exist.",
			Checks: ids("authorization/metadata"), Collateral: ids("*"),
			plant: func(b *behaviour) {
				protect(b)
				b.http.metadata = http.NotFound
			},
		},
		{
			Name: "http-unauthenticated", What: "A server that was given credentials serves requests without them.",
			Checks: ids("http/unauthenticated"), Collateral: ids("authorization/*"),
			plant: func(b *behaviour) {
				protect(b)
				b.http.authorize = func(rw http.ResponseWriter, r *http.Request) bool {
					return r.Header.Get("Authorization") == "" || wantToken(rw, r)
				}
			},
		},
	}
	for i := range faults {
		faults[i].Transports, faults[i].Header = only(HTTP), "Authorization: Bearer "+Token
	}
	return faults
}

// scopeless takes the scopes out of a challenge.
type scopeless struct{ http.ResponseWriter }

func (w scopeless) WriteHeader(status int) {
	challenge, _, _ := strings.Cut(w.Header().Get("WWW-Authenticate"), ", scope=")
	w.Header().Set("WWW-Authenticate", challenge)
	w.ResponseWriter.WriteHeader(status)
}

// unchallenged drops the challenge of a refusal.
type unchallenged struct{ http.ResponseWriter }

func (w unchallenged) WriteHeader(status int) {
	w.Header().Del("WWW-Authenticate")
	w.ResponseWriter.WriteHeader(status)
}

// always200 hides the status of a refusal.
type always200 struct{ http.ResponseWriter }

func (w always200) WriteHeader(int) { w.ResponseWriter.WriteHeader(http.StatusOK) }
