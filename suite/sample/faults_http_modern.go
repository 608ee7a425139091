package sample

import (
	"encoding/json"
	"net/http"
	"slices"
)

// httpModernFaults are in Streamable HTTP of 2026-07-28.
func httpModernFaults() []Fault {
	// skipping leaves out one of the header checks, by its place in headerChecks.
	skipping := func(place int) func(b *behaviour) {
		return func(b *behaviour) { b.http.headerChecks = slices.Delete(headerChecks(), place, place+1) }
	}
	replacing := func(place int, check headerCheck) func(b *behaviour) {
		return func(b *behaviour) {
			b.http.headerChecks = headerChecks()
			b.http.headerChecks[place] = check
		}
	}
	const version, method, name, params = 0, 1, 2, 3
	seen := ids("http/*")
	faults := []Fault{
		{
			Name: "http-method-headers", What: "Mcp-Name is not compared with the name in the body.",
			Checks: ids("http/method-headers"), Collateral: ids("http/name-header-broken-base64", "http/base64-marker-exact"),
			plant: replacing(name, func(x *exchange, h http.Header, v string) *failure {
				if named()[x.method] != "" && len(h.Values("Mcp-Name")) == 0 {
					return checkNameHeader(x, h, v)
				}
				return nil
			}),
		},
		{
			Name: "http-method-headers-name-absent", What: "A call without Mcp-Name is served.",
			Checks: ids("http/method-headers"),
			plant: replacing(name, func(x *exchange, h http.Header, v string) *failure {
				if len(h.Values("Mcp-Name")) == 0 {
					return nil
				}
				return checkNameHeader(x, h, v)
			}),
		},
		{
			Name: "http-method-headers-method", What: "Mcp-Method is neither wanted nor compared.",
			Checks: ids("http/method-headers"),
			plant:  skipping(method),
		},
		{
			Name: "http-method-headers-version", What: "MCP-Protocol-Version is not compared with the version in _meta.",
			Checks: ids("http/method-headers"), Collateral: seen,
			plant: skipping(version),
		},
		{
			Name: "http-method-headers-code", What: "A header that differs from the body is refused with -32602.",
			Checks: ids("http/method-headers"), Collateral: ids("http/*"),
			plant: func(b *behaviour) {
				editFailure(b, codeHeaderMismatch, func(_ *exchange, f *failure) { f.code = codeInvalidParams })
			},
		},
		{
			Name: "http-name-header-base64", What: "An Mcp-Name in base64 is compared as it stands.",
			Checks: ids("http/name-header-base64"), Collateral: ids("http/param-headers"),
			plant: func(b *behaviour) { b.http.decode = func(v string) (string, bool) { return v, true } },
		},
		{
			Name: "http-param-headers", What: "Mcp-Param headers are not looked at.",
			Checks: ids("http/param-headers"),
			plant:  skipping(params),
		},
		{
			Name: "http-param-headers-absent", What: "An Mcp-Param header is wanted even where its argument is left out.",
			Checks: ids("http/param-headers"), Collateral: ids("*"),
			plant: replacing(params, func(x *exchange, h http.Header, v string) *failure {
				if x.calls("word_lookup") && h.Get("Mcp-Param-Language") == "" {
					return mismatch("Mcp-Param-Language", "is missing")
				}
				return checkParamHeaders(x, h, v)
			}),
		},
		{
			Name: "http-param-integer-numeric", What: "An Mcp-Param header of a number is compared as text.",
			Checks: ids("http/param-integer-numeric"),
			plant: replacing(params, func(x *exchange, h http.Header, v string) *failure {
				given, number := asObject(x.params["arguments"])["shortest"].(json.Number)
				if got := h.Get("Mcp-Param-Shortest"); x.calls("word_lookup") && number && got != "" && got != string(given) {
					return mismatch("Mcp-Param-Shortest", "differs from the body")
				}
				return checkParamHeaders(x, h, v)
			}),
		},
		{
			Name: "http-status-codes-method", What: "An unknown method has status 200.",
			Checks: ids("http/status-codes"), Collateral: seen,
			plant: func(b *behaviour) {
				editFailure(b, codeMethodNotFound, func(_ *exchange, f *failure) { f.status = http.StatusOK })
			},
		},
		{
			Name: "http-method-headers-status", What: "A header that differs from the body is refused with status 200.",
			Checks: ids("http/method-headers"), Collateral: ids("http/param-headers"),
			plant: func(b *behaviour) {
				editFailure(b, codeHeaderMismatch, func(_ *exchange, f *failure) { f.status = http.StatusOK })
			},
		},
		{
			Name: "http-status-codes-version", What: "An unknown revision is refused with status 200.",
			Checks: ids("http/status-codes"), Collateral: ids("opening/unsupported-version-error", "http/*"),
			plant: func(b *behaviour) {
				editFailure(b, codeUnsupportedVersion, func(_ *exchange, f *failure) { f.status = http.StatusOK })
			},
		},
		{
			Name: "meta-refusal-http-400", What: "A request without its _meta is refused with status 200.",
			Checks: ids("meta/refusal-http-400"), Collateral: seen,
			plant: func(b *behaviour) {
				editFailure(b, codeInvalidParams, func(x *exchange, f *failure) {
					if x.modern && f.status == http.StatusBadRequest {
						f.status = http.StatusOK
					}
				})
			},
		},
		{
			Name: "http-buffering-header", What: "Streams do not tell proxies to pass them on at once.",
			Checks: ids("http/buffering-header"),
			plant:  func(b *behaviour) { b.http.unbuffered = false },
		},
		{
			Name: "http-get-delete-405", What: "GET and DELETE of 2026-07-28 are answered with 200.",
			Checks: ids("http/get-delete-405"), Collateral: ids("http/delete"),
			plant: func(b *behaviour) {
				onRequest(b, func(_ *web, rw http.ResponseWriter, r *http.Request) bool {
					taken := r.Method != http.MethodPost && r.Header.Get("MCP-Protocol-Version") == revisionModern
					if taken {
						rw.WriteHeader(http.StatusOK)
					}
					return taken
				})
			},
		},
		{
			Name: "http-old-headers-ignored", What: "A request of 2026-07-28 with a session id is refused, where the id should count for nothing.",
			Checks: ids("http/old-headers-ignored"), Collateral: seen,
			plant: func(b *behaviour) {
				onRequest(b, func(_ *web, rw http.ResponseWriter, r *http.Request) bool {
					taken := r.Header.Get("MCP-Protocol-Version") == revisionModern && r.Header.Get("Mcp-Session-Id") != ""
					if taken {
						refuse(rw, http.StatusNotFound, nil, fail(codeInvalidRequest, "Session not found"))
					}
					return taken
				})
			},
		},
	}
	for i := range faults {
		faults[i].Eras, faults[i].Transports = only(Modern), only(HTTP)
	}
	return faults
}
