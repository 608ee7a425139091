package readers

import (
	"fmt"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/jsonschema"
	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/zod"
)

// sdkV2 reads as the client of the TypeScript SDK 2.4.0 does over stdio.
type sdkV2 struct{ shapes shapesV2 }

func newSDKV2() *sdkV2 { return &sdkV2{newShapesV2()} }

// modern says whether a revision belongs to the stateless era.
func modern(revision string) bool { return revision >= "2026-07-28" }

// Listing reads pages as listTools does, which asks for each page itself.
func (r *sdkV2) Listing(revision string, pages [][]byte) fakes.Listing {
	lists, lost := r.lists(revision, pages)
	if lost != nil {
		return *lost
	}
	var tools []fakes.ListedTool
	for _, l := range lists {
		tools = append(tools, keptTools(l.sent, l.kept)...)
	}
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

// maxPagesV2 is how many pages listTools asks for before it gives up.
const maxPagesV2 = 64

func (r *sdkV2) lists(revision string, pages [][]byte) ([]page, *fakes.Listing) {
	var out []page
	for n, raw := range pages {
		sent, err := js.Parse(raw)
		if err != nil {
			return nil, &fakes.Listing{State: fakes.Hang, Why: "the line is not valid JSON, so it is dropped and the request waits for its limit of 60 s"}
		}
		opened, bad := r.shapes.response.Parse(frameOf(sent))
		if len(bad) > 0 {
			return nil, &fakes.Listing{State: fakes.Hang,
				Why: "the result breaks the envelope (" + bad[0].Where() + ": " + bad[0].Message + "), so the message is dropped and the request waits for its limit of 60 s"}
		}
		if n >= maxPagesV2 {
			return nil, &fakes.Listing{State: fakes.Lost, Why: "the pages do not end",
				Error: fmt.Sprintf("tools/list: exceeded listMaxPages (%d); server pagination did not terminate", maxPagesV2)}
		}
		kept, msg := r.decode(revision, "tools/list", opened.Get("result"))
		if msg.why != "" {
			return nil, &fakes.Listing{State: fakes.Lost, Error: msg.text, Why: msg.why}
		}
		out = append(out, page{sent, kept})
	}
	return out, nil
}

// complaint is an error text and what it means; why is empty when all is well.
type complaint struct{ text, why string }

// decode checks a result by era; the complaint is empty when it passes.
func (r *sdkV2) decode(revision, method string, result js.Value) (js.Value, complaint) {
	result = dropProto(result)
	shape := r.shapes.call2025
	switch {
	case modern(revision) && method == "tools/list":
		shape = r.shapes.list2026
	case modern(revision):
		shape = r.shapes.call2026
	case method == "tools/list":
		shape = r.shapes.list2025
	}
	if modern(revision) {
		if c := resultType(method, result); c.why != "" {
			return result, c
		}
	} else if result.Has("resultType") {
		result = result.Copy()
		result.Delete("resultType")
	}
	kept, bad := shape.Parse(result)
	if len(bad) > 0 {
		return kept, complaint{"Invalid result for " + method + ": " + bad.Error(), whyRefused(bad)}
	}
	if modern(revision) {
		kept.Delete("resultType")
	}
	return kept, complaint{}
}

func whyRefused(bad zod.Issues) string {
	where := bad[0].Where()
	if where == "" {
		where = "the result"
	}
	return where + ": " + bad[0].Message + "; one bad member refuses the whole result"
}

// resultType is the check of the 2026 discriminator before all others.
func resultType(method string, result js.Value) complaint {
	pre := "Invalid result for " + method + ": "
	v := result.Get("resultType")
	switch {
	case v.Kind == js.Undefined:
		return complaint{pre + "missing required resultType — servers implementing protocol revision 2026-07-28 MUST include it (the absent-means-complete bridge applies only to earlier-revision servers)", "resultType is missing"}
	case v.Kind != js.String:
		return complaint{pre + "non-string resultType", "resultType is no string"}
	case v.Str == "input_required":
		if len(result.Get("inputRequests").Keys()) == 0 && !result.Get("requestState").IsString() {
			return complaint{pre + "input_required carries neither inputRequests nor requestState (every input_required result must include at least one of the two)", "input_required says nothing about what is needed"}
		}
		if method == "tools/list" {
			return askedInList(result)
		}
	case v.Str != "complete":
		return complaint{"Unsupported result type '" + v.Str + "' for " + method, "resultType is unknown"}
	}
	return complaint{}
}

// askedInList is what becomes of a question in the answer to tools/list, when
// the server gives the same answer to each repeat.
func askedInList(result js.Value) complaint {
	if len(result.Get("inputRequests").Keys()) > 0 {
		return complaint{"", "the list asks for input that a client without handlers does not give"}
	}
	return complaint{"Multi-round-trip request 'tools/list' still required input after 10 rounds (inputRequired.maxRounds)",
		"the list is answered with input_required each time it is asked again"}
}

// Call reads an answer as callTool does.
func (r *sdkV2) Call(revision string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	result, a := r.result(revision, tool, response)
	if a != nil {
		return *a
	}
	return libraryAnswer(result)
}

func (r *sdkV2) result(revision string, tool *fakes.ListedTool, response []byte) (js.Value, *fakes.Answer) {
	if msg := compileOutputV2(tool); msg != "" {
		return js.Value{}, refused(msg, "the output schema does not compile, so the call is refused before it is sent")
	}
	result, a := openV2(r.shapes.envelope, response)
	if a != nil {
		return result, a
	}
	if modern(revision) && result.Get("resultType").Str == "input_required" {
		if c := resultType("tools/call", result); c.why == "" {
			return result, inputRequired()
		}
	}
	kept, c := r.decode(revision, "tools/call", result)
	if c.why != "" {
		return kept, refused(c.text, c.why)
	}
	if bad := checkOutput(jsonschema.SDKv2, tool, kept, false); bad != nil {
		return kept, refused(bad.text, bad.text)
	}
	return kept, nil
}

func inputRequired() *fakes.Answer {
	return &fakes.Answer{State: fakes.Accepted, Source: "none",
		Why: "the result asks for input; the client answers what it declared and calls again, which is the driver's part"}
}

// openV2 takes an answer out of its envelope as SDK v2 does.
func openV2(e envelope, response []byte) (js.Value, *fakes.Answer) {
	frame, a := openFrame(e, maxLineV1, "Connection closed", response)
	if a != nil {
		return frame, a
	}
	if err := frame.Get("error"); err.Kind != js.Undefined {
		return frame, serverError(err.Get("message").Str)
	}
	return frame.Get("result"), nil
}
