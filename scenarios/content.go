package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/scenarios/message"
)

func content(shapes *message.Shapes) Scenario {
	return Scenario{
		ID: "content", Title: "Content", Scope: Passive, Every: true,
		Summary: "Looks at the content blocks of every answer: pictures, sounds, embedded resources.",
		Checks: []Check{
			{
				ID: "content/base64-decodes", Claim: "Binary data of resources and prompts is base64 with the standard alphabet.", Level: Must,
				Why:    "A client that cannot decode the data shows nothing, or refuses the whole answer.",
				Remedy: "Encode with the standard alphabet and padding, without a data: prefix and line breaks.",
				Basis:  []string{"server/prompts#image-content", "server/resources#security-considerations"}, Requirements: []string{"prompts.get.image-base64", "prompts.get.audio-base64", "resources.read.blob-base64"},
				Judge: func(e *Evidence) Ruling {
					return judgeBinary(e, shapes, []string{"prompts/get", "resources/read"}, []string{"prompts.get.image-base64", "prompts.get.audio-base64", "resources.read.blob-base64"})
				},
			},
			{
				ID: "content/tool-data-decodes", Claim: "Pictures and sounds in answers of tools are base64 with a media type.", Level: Should,
				Why:    "SDK v1 clients refuse the whole answer over one picture that does not decode; others show a broken one.",
				Remedy: "Encode with the standard alphabet and padding, and name the media type, such as image/png.",
				Basis:  []string{"schema#imagecontent", "schema#audiocontent"}, Requirements: []string{"content.image-base64", "content.audio-base64"},
				Hosts: []string{"sdk-v1"},
				Judge: func(e *Evidence) Ruling {
					return judgeBinary(e, shapes, []string{"tools/call"}, []string{"content.image-base64", "content.audio-base64"})
				},
			},
			{
				ID: "content/embedded-needs-resources", Claim: "A server that answers with embedded resources declares the resources capability.", Level: Should,
				Why:    "A client without a sign of resources does not expect to read them again or to follow their links.",
				Remedy: "Declare the resources capability, or send the text as a plain text block.",
				Basis:  []string{"server/tools#embedded-resources"}, Requirements: []string{"content.embedded-needs-resources"},
				Judge: judgeEmbeddedNeedsResources,
			},
			{
				ID: "content/prompt-resource-complete", Claim: "An embedded resource in a prompt has a uri, a media type, and text or blob.", Level: Should,
				Why:    "Clients choose by the media type how to show it to the model.",
				Remedy: "Give each embedded resource a mimeType.",
				Basis:  []string{"server/prompts#embedded-resources"}, Requirements: []string{"prompts.get.embedded-resource"},
				Judge: judgePromptResource,
			},
		},
	}
}

// judgeBinary looks at the blocks with binary data in answers to some methods.
func judgeBinary(e *Evidence, shapes *message.Shapes, methods, requirements []string) Ruling {
	var r Ruling
	accused := map[string]bool{}
	for _, f := range e.frames() {
		if f.x == nil || !f.x.Answered() || f.event.Message() != f.x.Answer || f.event.Cut > 0 || f.revision == "" || !slices.Contains(methods, f.x.Request.Method) || !holdsBinary(f.x.Result()) {
			continue
		}
		clean := true
		for _, fault := range e.shapeFaults(f, f.revision, f.context(), shapes) {
			if !slices.ContainsFunc(fault.Requirements, func(id string) bool { return slices.Contains(requirements, id) }) {
				continue
			}
			clean = false
			subject := f.x.Request.Root.Get("params.name").String()
			if subject == "" {
				subject = f.x.Request.Root.Get("params.uri").String()
			}
			if key := subject + pattern(fault.Path); !accused[key] {
				accused[key] = true
				r.Seen++
				r.Faults = append(r.Faults, Fault{Subject: subject, Expected: fault.Path + ": " + fault.Expected, Observed: fault.Observed, Proof: []*Exchange{f.x}})
			}
		}
		if clean {
			r = r.add(f.x, nil)
		}
	}
	if r.Seen == 0 {
		return NotApplicable(fmt.Sprintf("no answer to %s held binary data", strings.Join(methods, " or ")))
	}
	return r
}

// holdsBinary says that a result has a block or resource with binary data.
func holdsBinary(result gjson.Result) bool {
	for _, path := range []string{"content.#.data", "content.#.resource.blob", "messages.#.content.data", "messages.#.content.resource.blob", "contents.#.blob"} {
		if len(result.Get(path).Array()) > 0 {
			return true
		}
	}
	return false
}

func judgeEmbeddedNeedsResources(e *Evidence) Ruling {
	if e.Facts.Revision < fakes.Rev20250618 {
		return NotApplicable("the advice came with 2025-06-18")
	}
	var r Ruling
	for _, x := range e.calls() {
		for _, b := range x.Result().Get("content").Array() {
			if b.Get("type").Str != "resource" {
				continue
			}
			var f *Fault
			if !e.Facts.Capability("resources").Exists() {
				f = &Fault{Subject: toolName(x), Expected: "the resources capability", Observed: "an embedded resource, and capabilities " + short(gjson.GetBytes(e.Facts.Opened, "capabilities").Raw, 160), Proof: []*Exchange{x}}
			}
			if r = r.add(x, f); f != nil {
				return r
			}
			break
		}
	}
	if r.Seen == 0 {
		return NotApplicable("no answer of a tool held an embedded resource")
	}
	return r
}

func judgePromptResource(e *Evidence) Ruling {
	if !e.Facts.Capability("prompts").Exists() {
		return NotApplicable("the server offers no prompts")
	}
	var r Ruling
	for _, f := range e.frames() {
		if f.x == nil || f.event.Message() != f.x.Answer || f.x.Request.Method != "prompts/get" {
			continue
		}
		for _, m := range f.x.Result().Get("messages").Array() {
			res := m.Get("content.resource")
			if m.Get("content.type").Str != "resource" || !res.IsObject() {
				continue
			}
			var fault *Fault
			for _, need := range []struct {
				what string
				ok   bool
			}{
				{"uri", res.Get("uri").Type == gjson.String}, {"mimeType", res.Get("mimeType").Type == gjson.String},
				{"text or blob", res.Get("text").Exists() || res.Get("blob").Exists()},
			} {
				if !need.ok && fault == nil {
					fault = &Fault{Subject: f.x.Request.Root.Get("params.name").String(), Expected: "an embedded resource with " + need.what, Observed: short(res.Raw, 200), Proof: []*Exchange{f.x}}
				}
			}
			r = r.add(f.x, fault)
		}
	}
	if r.Seen == 0 {
		return NotApplicable("no prompt that was fetched held an embedded resource")
	}
	return r
}
