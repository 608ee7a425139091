package sample

import (
	"slices"
	"time"
)

// Fault is one deviation from the right server.
type Fault struct {
	// Name is what Options.Faults takes: the id of the check that must catch it
	// with "-" for "/", and a suffix where one check has several.
	Name string
	// What is one sentence about what the server does wrong.
	What string
	// Checks are the ids of the checks that must catch it, the main one first.
	// A star stands for any client: "host-*/array-items".
	Checks []string
	// Collateral are ids of checks that rightly see it too; a star stands for any text.
	Collateral []string
	// Eras are where it shows: [Legacy], [Modern] or both.
	Eras []string
	// Transports are where it shows: [Stdio], [HTTP] or both.
	Transports []string
	// Except are pairs of era and transport, "2026@http", where it does not show after all.
	Except []string
	// Revisions are handshake revisions, beside the newest, that have to be asked for it to show.
	Revisions []string
	// Header opens a server that wants one on every HTTP request, "Name: value"; "" for none.
	Header string
	// Shows are scenarios that have to run for it to show, beside those of Checks.
	Shows []string
	// NeedsExpect says that it shows only to those who know the right listing,
	// NeedsBoth only to those who see the server over both transports.
	NeedsExpect, NeedsBoth bool
	// Patience is how long a person has to take for it to show.
	Patience time.Duration
	plant    func(b *behaviour)
}

// The eras and transports of a fault.
const (
	// Legacy are the handshake revisions, 2024-11-05 to 2025-11-25.
	Legacy = "2025"
	// Modern is 2026-07-28.
	Modern = "2026"
	// Stdio and HTTP are the transports.
	Stdio = "stdio"
	HTTP  = "http"
)

// Faults lists all faults, by area and name.
func Faults() []Fault {
	all := slices.Concat(
		openingFaults(), openingMoreFaults(), listingFaults(), listingDetailFaults(), listingMoreFaults(), presentationFaults(), hostFaults(),
		unknownToolFaults(), inputFaults(), thrownFaults(), outputFaults(), contentFaults(), messageMoreFaults(),
		progressFaults(), progressMoreFaults(), cancelFaults(), cancelMoreFaults(), elicitationFaults(), inputRequiredFaults(), questionMoreFaults(), parityFaults(),
		envelopeFaults(), envelopeMoreFaults(), framingFaults(), framingMoreFaults(), processFaults(), concurrencyFaults(),
		httpFaults(), httpModernFaults(), httpMoreFaults(), loginFaults(), metaFaults(), resourceFaults(), resourceMoreFaults(), promptFaults(), loggingFaults(), loggingMoreFaults(), promptMoreFaults(), subscriptionMoreFaults(), rootsFaults(), samplingFaults(), subscriptionFaults(), taskFaults(),
	)
	for i := range all {
		if all[i].Eras == nil {
			all[i].Eras = []string{Legacy, Modern}
		}
		if all[i].Transports == nil {
			all[i].Transports = []string{Stdio, HTTP}
		}
	}
	return all
}

// In says whether the fault shows in an era over a transport.
func (f Fault) In(era, transport string) bool {
	return slices.Contains(f.Eras, era) && slices.Contains(f.Transports, transport) &&
		!slices.Contains(f.Except, era+"@"+transport)
}

func faultNamed(name string) (Fault, bool) {
	all := Faults()
	i := slices.IndexFunc(all, func(f Fault) bool { return f.Name == name })
	if i < 0 {
		return Fault{}, false
	}
	return all[i], true
}

func ids(names ...string) []string { return names }

// only is a list of one, for eras and transports.
func only(name string) []string { return []string{name} }

// editTool changes one tool as it is listed.
func editTool(b *behaviour, name string, edit func(t object)) {
	b.listing.tools = append(b.listing.tools, editEntry("name", name, edit))
}

// editEntry changes the listed entry whose member has a value.
func editEntry(member, value string, edit func(entry object)) func(*exchange, list) list {
	return func(_ *exchange, entries list) list {
		for _, e := range entries {
			if entry := asObject(e); entry[member] == value {
				edit(entry)
			}
		}
		return entries
	}
}

// inputOf and propertyOf reach into a listed tool.
func inputOf(t object) object { return asObject(t["inputSchema"]) }

func propertyOf(t object, name string) object {
	return asObject(asObject(inputOf(t)["properties"])[name])
}

// editResult changes the results of one method; "" of all.
func editResult(b *behaviour, method string, edit func(x *exchange, result object)) {
	b.results = append(b.results, func(x *exchange, result object) object {
		if method == "" || x.method == method {
			edit(x, result)
		}
		return result
	})
}

// editCall changes the successful results of one tool; "" of all.
func editCall(b *behaviour, tool string, edit func(x *exchange, result object)) {
	editResult(b, "tools/call", func(x *exchange, result object) {
		if (tool == "" || x.params["name"] == tool) && result["isError"] != true && result["inputRequests"] == nil {
			edit(x, result)
		}
	})
}

// editNotification changes the params of what is sent under one method.
func editNotification(b *behaviour, method string, edit func(x *exchange, params object)) {
	b.messages = append(b.messages, func(x *exchange, m object) []object {
		if m["method"] == method {
			edit(x, asObject(m["params"]))
		}
		return []object{m}
	})
}

// editFailure changes the errors with one code.
func editFailure(b *behaviour, code int, edit func(x *exchange, f *failure)) {
	b.failures = append(b.failures, func(x *exchange, f *failure) *failure {
		if f.code == code {
			edit(x, f)
		}
		return f
	})
}

// takeOver answers some requests in place of the server; done says that one is taken.
func takeOver(b *behaviour, take func(x *exchange) (done bool)) {
	b.before = append(b.before, take)
}

// failOn refuses every request of a method.
func failOn(b *behaviour, method string, f func() *failure) {
	takeOver(b, func(x *exchange) bool {
		if x.method != method {
			return false
		}
		x.answer(nil, f())
		return true
	})
}

// muteOn never answers a method.
func muteOn(b *behaviour, method string) {
	takeOver(b, func(x *exchange) bool { return x.method == method && x.silence() })
}

// silence keeps an exchange from ever being answered.
func (x *exchange) silence() bool {
	x.end()
	return true
}

// diesWhen ends the server on a request.
func diesWhen(b *behaviour, when func(x *exchange) bool) {
	takeOver(b, func(x *exchange) bool {
		if !when(x) {
			return false
		}
		x.srv.die()
		return x.silence()
	})
}

// calls says that an exchange is a call of a tool.
func (x *exchange) calls(tool string) bool {
	return x.method == "tools/call" && x.params["name"] == tool
}

// overHTTP says that an exchange came over HTTP.
func (x *exchange) overHTTP() bool {
	_, ok := x.out.(*answerOutlet)
	return ok
}

// firstText returns the first content block of a result, where it is text.
func firstText(result object) object {
	blocks := asList(result["content"])
	if len(blocks) == 0 {
		return object{}
	}
	return asObject(blocks[0])
}
