package scenarios

import (
	"slices"
	"strings"
)

// knownCause is a fault that a framework, not the author, brought in. A row
// matches when the server is built with one of By, and every fault shows it.
type knownCause struct {
	Cause
	// By are the SDKs that bring it, as RecogniseSDK names them; "TypeScript SDK"
	// stands for both lines. Without any, the text alone tells.
	By []string
	// Registers restricts it to servers whose tools the SDK lists and calls itself.
	Registers bool
	// Checks are the ids that it can explain; "*" stands for every check.
	Checks []string
	// Says are texts of which one stands in what was observed; any text when empty.
	Says []string
	// Not are texts that tell that it is something else.
	Not []string
	// Transport restricts it to "stdio" or "http".
	Transport string
}

// FindCause names the known cause of all faults that a check found in a cell:
// one that every fault shows, or several that explain them together.
// It is nil when a fault is left that none explains.
func FindCause(e *Evidence, k Check, faults []Fault) *Cause {
	if e.Run == nil || len(faults) == 0 {
		return nil
	}
	sdk := e.Run.sdk()
	var rows []knownCause
	for _, c := range knownCauses() {
		if !c.explains(k.ID) || len(c.By) > 0 && !sdk.is(c.By...) || c.Registers && !sdk.registers || c.Transport != "" && c.Transport != e.Cell.Transport {
			continue
		}
		if !slices.ContainsFunc(faults, func(f Fault) bool { return !c.shows(f) }) {
			cause := c.Cause
			return &cause
		}
		rows = append(rows, c)
	}
	return causeTogether(rows, faults)
}

// causeTogether joins the causes that faults have one by one; it is nil when one has none.
func causeTogether(rows []knownCause, faults []Fault) *Cause {
	var out *Cause
	var used []string
	for _, f := range faults {
		i := slices.IndexFunc(rows, func(c knownCause) bool { return c.shows(f) })
		switch {
		case i < 0:
			return nil
		case out == nil:
			cause := rows[i].Cause
			out = &cause
		case !slices.Contains(used, rows[i].ID):
			out.Text += "; " + rows[i].Text
			if !strings.Contains(out.SDK, rows[i].SDK) {
				out.SDK += ", " + rows[i].SDK
			}
			if !strings.Contains(out.Remedy, rows[i].Remedy) {
				out.Remedy += " " + rows[i].Remedy
			}
		}
		used = append(used, rows[i].ID)
	}
	return out
}

func (c knownCause) explains(check string) bool {
	return slices.Contains(c.Checks, check) || slices.Contains(c.Checks, "*")
}

// shows says that a fault has the marks of the cause.
func (c knownCause) shows(f Fault) bool {
	text := f.Subject + "\n" + f.Observed + "\n" + f.Message
	for _, x := range f.Proof {
		if x.Answered() {
			text += "\n" + x.Text()
		}
	}
	has := func(s string) bool { return strings.Contains(text, s) }
	return (len(c.Says) == 0 || slices.ContainsFunc(c.Says, has)) && !slices.ContainsFunc(c.Not, has)
}

// knownCauses is the table of causes, those of one SDK together. What stands on
// top of an SDK comes before it.
func knownCauses() []knownCause {
	return slices.Concat(fastmcpCauses(), typescriptCauses(), typescriptV1Causes(), goCauses(), frameworkCauses())
}

// frameworkCauses are told by their text.
func frameworkCauses() []knownCause {
	return []knownCause{
		{
			Cause: Cause{
				ID: "nuxt-async-context", SDK: "Nuxt MCP Toolkit", Text: "without asyncContext a helper finds no request to work in",
				Remedy: "Set nitro.experimental.asyncContext to true in nuxt.config.",
			},
			Checks: []string{"*"}, Says: []string{"Nitro request context is not available"},
		},
		{
			Cause: Cause{
				ID: "doubled-mcp-error-prefix", SDK: "TypeScript SDK v1", Text: "an McpError puts its code before the message; thrown again, it does so twice",
				Remedy: "Throw a plain Error, or pass the McpError on as it is.",
			},
			Checks: []string{"*"}, Says: []string{"MCP error -32602: MCP error -32602:", "MCP error -32603: MCP error -32603:"},
		},
		{
			Cause: Cause{
				ID: "nuxt-session-ids", SDK: "Nuxt MCP Toolkit", Text: "a session id that it cannot have given is refused with 400, not with 404",
				Remedy: waiveOrReport,
			},
			Checks: []string{"http/unknown-session-404"}, Says: []string{"Invalid session ID format"},
		},
	}
}
