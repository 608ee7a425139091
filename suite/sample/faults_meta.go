package sample

import (
	"crypto/rand"
	"net/http"
)

// metaFaults are in what every request of 2026-07-28 says of itself.
func metaFaults() []Fault {
	// filling serves a request although a member of _meta is missing or wrong.
	filling := func(wrong func(meta object) bool, key string, value func() any) func(b *behaviour) {
		return func(b *behaviour) {
			takeOver(b, func(x *exchange) bool {
				if meta := asObject(x.params["_meta"]); x.modern && wrong(meta) {
					filled := clone(meta)
					filled[key] = value()
					x.params["_meta"] = filled
				}
				return false
			})
		}
	}
	lacks := func(key string) func(meta object) bool {
		return func(meta object) bool { _, given := meta[key]; return !given && meta != nil }
	}
	required := func(edit func(f *failure)) func(b *behaviour) {
		return func(b *behaviour) {
			b.asking.without = demandForm
			editFailure(b, codeMissingCapability, func(_ *exchange, f *failure) { edit(f) })
		}
	}
	seen := ids("meta/*", "opening/*", "envelope/*", "http/*", "input-required/*", "input-examples/usable")
	faults := []Fault{
		{
			Name: "meta-absent", What: "A server of 2026-07-28 alone refuses a request without _meta with -32601, as if its method did not exist.",
			Checks: ids("meta/absent"), Collateral: seen,
			plant: func(b *behaviour) {
				b.revisions = nil
				editFailure(b, codeInvalidParams, func(x *exchange, f *failure) {
					if revision, _, _ := x.ses.view(); revision == "" && asObject(x.params["_meta"])[keyVersion] == nil {
						f.code = codeMethodNotFound
					}
				})
			},
		},
		{
			Name: "meta-protocol-version-required", What: "A request that does not name its revision is served as one of 2026-07-28.",
			Checks: ids("meta/protocol-version-required"), Collateral: seen,
			plant: filling(lacks(keyVersion), keyVersion, func() any { return revisionModern }),
		},
		{
			Name: "meta-client-capabilities-required", What: "A request that does not declare capabilities is served.",
			Checks: ids("meta/client-capabilities-required"), Collateral: seen,
			plant: filling(lacks(keyCapabilities), keyCapabilities, func() any { return object{} }),
		},
		{
			Name: "meta-wrong-type-refused", What: "Capabilities of a wrong type are taken for none.",
			Checks: ids("meta/wrong-type-refused"), Collateral: seen,
			plant: filling(func(meta object) bool {
				v, given := meta[keyCapabilities]
				return given && asObject(v) == nil
			}, keyCapabilities, func() any { return object{} }),
		},
		{
			Name: "meta-missing-capability-error", What: "A call that cannot do without a form is refused with -32603, not -32021.",
			Checks: ids("meta/missing-capability-error"), Collateral: append(ids("parity/*", "elicitation/*", "thrown-error/as-tool-error"), seen...),
			plant: required(func(f *failure) { f.code, f.status = codeInternal, 0 }),
		},
		{
			Name: "meta-missing-capability-error-data", What: "The refusal of a client without forms does not say what is missing.",
			Checks: ids("meta/missing-capability-error"), Collateral: append(ids("parity/*", "elicitation/*", "messages/every-message-valid"), seen...),
			plant: required(func(f *failure) { f.data = object{} }),
		},
		{
			Name: "meta-missing-capability-http-400", What: "The refusal of a client without forms has status 200.",
			Checks: ids("meta/missing-capability-http-400"), Collateral: append(ids("parity/*", "elicitation/*"), seen...), Transports: only(HTTP),
			plant: required(func(f *failure) { f.status = http.StatusOK }),
		},
		{
			Name: "meta-trace-context-accepted", What: "A request with a traceparent is refused.",
			Checks: ids("meta/trace-context-accepted"), Collateral: seen,
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if asObject(x.params["_meta"])["traceparent"] == nil {
						return false
					}
					x.answer(nil, badMeta("_meta has an unknown member"))
					return true
				})
			},
		},
		{
			Name: "meta-trace-context-values", What: "Results carry a traceparent that is none.",
			Checks: ids("meta/trace-context-values"), Collateral: ids("messages/*"),
			plant: func(b *behaviour) {
				editResult(b, "", func(_ *exchange, r object) {
					if meta, has := r["_meta"].(object); has {
						meta["traceparent"] = "request 17"
					}
				})
			},
		},
		{
			Name: "concurrency-no-affinity", What: "The answer to a question counts only on the line that asked it.",
			Checks: ids("concurrency/no-affinity"), Collateral: ids("input-required/*"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				mine := rand.Text()
				b.asking.sameCall = func(have, want claim) bool { return have.Line == want.Line && sameCall(have, want) }
				b.asking.mark = func(c *call) string { return mine + string(num(c.ses.number)) }
			},
		},
	}
	for i := range faults {
		faults[i].Eras = only(Modern)
	}
	return append(faults, []Fault{
		{
			Name: "meta-reverse-dns", What: "The prefix of a key in _meta is a domain name the right way round.",
			Checks: ids("meta/reverse-dns"), Collateral: ids("messages/strict-shapes"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { asObject(t["_meta"])["tools.example.com/colour"] = "blue" })
			},
		},
		{
			Name: "opening-dual-era-mixed", What: "A request of 2026-07-28 on a line that did a handshake is never answered.",
			Checks: ids("opening/dual-era-mixed"), Collateral: ids("opening/*"), Eras: only(Legacy), Transports: only(Stdio),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					revision, _, _ := x.ses.view()
					return x.modern && revision != "" && x.silence()
				})
			},
		},
		{
			Name: "concurrency-same-call-same-shape", What: "Every second answer of a tool has a further member.",
			Checks: ids("concurrency/same-call-same-shape"), Collateral: ids("parity/*"),
			plant: func(b *behaviour) {
				for _, t := range b.tools {
					editCall(b, t.name, func(x *exchange, r object) {
						if x.srv.tally("answered "+t.name)%2 == 0 {
							firstText(r)["annotations"] = object{"priority": 0.1}
						}
					})
				}
			},
		},
	}...)
}
