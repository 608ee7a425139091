package readers

import (
	"encoding/json"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// mcpUse reads as mcp-use 1.34.6 does: SDK v1, the first page only, and a list
// that fails counts as empty.
type mcpUse struct{ *sdkV1 }

func newMCPUse() mcpUse { return mcpUse{newSDKV1()} }

// Listing reads the first page.
func (r mcpUse) Listing(revision string, pages [][]byte) fakes.Listing {
	l := firstPage(pages, func(raw []byte) fakes.Listing { return r.sdkV1.Listing(revision, [][]byte{raw}) })
	if l.State == fakes.Lost {
		l.Why += "; the agent is told nothing and has no tools"
	}
	return l
}

// mcporter reads as mcporter 0.12.3 does, called from a shell: SDK v1, all
// pages, no check of results, since each call is a process of its own.
type mcporter struct{ *sdkV1 }

func newMCPorter() mcporter { return mcporter{newSDKV1()} }

// Call prints what of a result reads as JSON, else its texts.
func (r mcporter) Call(_ string, _ *fakes.ListedTool, response []byte) fakes.Answer {
	result, a := r.sdkV1.result(nil, response)
	if a != nil {
		return *a
	}
	out := fakes.Answer{State: fakes.Accepted, Source: "text", IsError: result.Get("isError").IsTrue()}
	texts := blockTexts(result.Get("content"))
	out.Text = strings.Join(texts, "\n")
	switch sc := result.Get("structuredContent"); {
	case sc.Kind > js.Null:
		out.Source, out.Text = "structuredContent", sc.Indent(2)
		out.Hides = hidden(result, "content", "_meta")
	case len(texts) == 0:
		out.Source, out.Text = "none", result.Indent(2)
	case json.Valid([]byte(out.Text)):
		if v, err := js.Parse([]byte(out.Text)); err == nil && v.Kind >= js.Array {
			out.Text = v.Indent(2)
		}
	}
	return out
}

// inspector reads as the Inspector CLI 2.12.0 does: SDK v2, all pages, results
// whole.
type inspector struct{ *sdkV2 }

func newInspector() inspector { return inspector{newSDKV2()} }
