package scenarios

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

// hostAppChecks are ChatGPT's rules on tools with a page of their own.
func hostAppChecks() []Check {
	extensions := []string{"openai/mcp-extensions: specification 0.2.0"}
	guide := []string{"OpenAI: guide to MCP servers in ChatGPT"}
	gpt := []string{"chatgpt"}
	return []Check{
		{
			ID: "host-chatgpt/entry-points", Claim: "Tools that ChatGPT opens by itself take what it sends and have a page.", Level: Host, Breaks: true, Source: Official,
			Why:    "The entry in the side bar, thread or file menu opens on an error.",
			Remedy: `Let global and thread entries take {}, file entries {"file": {"name", "resourceUri"}} with extensions such as ".csv", and give each a _meta.ui.resourceUri that begins with ui://.`,
			Basis:  extensions, Hosts: gpt, Judge: judgeEntryPoints,
		},
		{
			ID: "host-chatgpt/widget-resource", Claim: "The page of a tool is a ui:// resource of the type text/html;profile=mcp-app.", Level: Host, Breaks: true, Source: Official,
			Why:    "ChatGPT does not draw a page of another type.",
			Remedy: "Serve the resource with mimeType text/html;profile=mcp-app and a text that is not empty.",
			Basis:  extensions, Hosts: gpt, Judge: judgeWidgetResource,
		},
		{
			ID: "host-chatgpt/output-template", Claim: "openai/outputTemplate and _meta.ui.resourceUri name the same page.", Level: Host, Source: Official,
			Why:    "They are two names of one thing: which page shows is open where they differ.",
			Remedy: "Write one address into both, or leave openai/outputTemplate out.",
			Basis:  guide, Hosts: gpt, Judge: judgeOutputTemplate,
		},
		{
			ID: "host-chatgpt/status-length", Claim: "Texts shown while a tool runs have at most 64 characters.", Level: Host, Source: Official,
			Why:    "ChatGPT's guide sets the limit for openai/toolInvocation/invoking and invoked.",
			Remedy: "Shorten the text.",
			Basis:  guide, Hosts: gpt, Judge: judgeStatusLength,
		},
		{
			ID: "host-chatgpt/auth-challenge", Claim: "A call that needs a login is answered with isError and challenges that can be read.", Level: Host, Source: Official,
			Why:    "ChatGPT and Oh My Pi offer the person a login when they find the challenge; without one the model reads an error and gives up.",
			Remedy: `Answer isError: true with _meta["mcp/www_authenticate"] as a list of challenges, each with error and error_description.`,
			Basis:  []string{"OpenAI: guide to authentication"},
			Hosts:  []string{"chatgpt", "omp"}, Judge: judgeAuthChallenge,
		},
	}
}

// pageOf is the address of a tool's page and whether it is named in OpenAI's older way alone.
func pageOf(t gjson.Result) (uri gjson.Result, older bool) {
	for _, path := range []string{"_meta.ui.resourceUri", "_meta.ui/resourceUri"} {
		if v := t.Get(path); v.Exists() {
			return v, false
		}
	}
	return t.Get("_meta.openai/outputTemplate"), true
}

func judgeEntryPoints(e *Evidence) Ruling {
	seen := 0
	r := e.eachTool(func(t gjson.Result) []Fault {
		entries := t.Get("_meta.openai/ui.entrypoints")
		if !entries.Exists() {
			return nil
		}
		seen++
		if !entries.IsArray() {
			return one(true, "a list of entry points", "entrypoints is "+short(entries.Raw, 100))
		}
		tool := &Tool{Name: t.Get("name").Str, Raw: []byte(t.Raw)}
		var out []Fault
		if page, _ := pageOf(t); !strings.HasPrefix(page.Str, "ui://") {
			out = append(out, one(true, "a page that begins with ui://", "_meta.ui.resourceUri is "+orNone(page))...)
		}
		for _, p := range entries.Array() {
			out = append(out, entryFault(tool, p)...)
		}
		return out
	})
	if r.NA == "" && seen == 0 {
		return NotApplicable("no tool is an entry point of ChatGPT")
	}
	return r
}

// entryFault says what is wrong with one entry point of a tool.
func entryFault(tool *Tool, p gjson.Result) []Fault {
	switch kind := p.Get("type").Str; kind {
	case "global", "thread":
		return one(!takes(tool, `{}`), "a tool that takes {}", "a "+kind+" entry whose inputSchema refuses {}")
	case "file":
		extensions := p.Get("extensions").Array()
		if len(extensions) == 0 {
			return one(true, `extensions such as [".csv"]`, "a file entry with extensions "+orNone(p.Get("extensions")))
		}
		for _, x := range extensions {
			if len(x.Str) < 2 || x.Str[0] != '.' {
				return one(true, "extensions that begin with a dot", "the extension "+short(x.Raw, 40))
			}
		}
		file := `{"file":{"name":"a` + extensions[0].Str + `","resourceUri":"host-resource://a"}}`
		return one(!takes(tool, file), "a tool that takes "+file, "a file entry whose inputSchema refuses it")
	default:
		return one(true, "the type global, thread or file", "an entry of the type "+orNone(p.Get("type")))
	}
}

func judgeWidgetResource(e *Evidence) Ruling {
	pages := 0
	r := e.eachTool(func(t gjson.Result) []Fault {
		uri, older := pageOf(t)
		if !uri.Exists() {
			return nil
		}
		pages++
		if !strings.HasPrefix(uri.Str, "ui://") {
			return one(true, "an address that begins with ui://", "the page is "+short(uri.Raw, 100))
		}
		for _, found := range e.resourceSeen(uri.Str) {
			mime := found.resource.Get("mimeType")
			if (found.read || mime.Exists()) && !pageType(mime.Str, older) {
				return []Fault{{Expected: "text/html;profile=mcp-app", Observed: fmt.Sprintf("%s has the type %s", short(uri.Str, 80), orNone(mime)), Proof: []*Exchange{found.x}}}
			}
			if found.read && found.resource.Get("text").Str == "" && found.resource.Get("blob").Str == "" {
				return []Fault{{Expected: "a page", Observed: short(uri.Str, 80) + " is empty", Proof: []*Exchange{found.x}}}
			}
		}
		return nil
	})
	if r.NA == "" && pages == 0 {
		return NotApplicable("no tool has a page")
	}
	return r
}

// pageType says that a media type is one that ChatGPT draws. The older
// templates have a type of their own.
func pageType(mime string, older bool) bool {
	mime = strings.ToLower(strings.ReplaceAll(mime, " ", ""))
	return mime == "text/html;profile=mcp-app" || older && mime == "text/html+skybridge"
}

// seenResource is a resource as it was listed or read.
type seenResource struct {
	resource gjson.Result
	read     bool
	x        *Exchange
}

// resourceSeen finds a resource in all lists and reads of the neutral voice.
func (e *Evidence) resourceSeen(uri string) []seenResource {
	var out []seenResource
	for _, t := range e.Run.Select(fakes.Any, e.Facts.Revision, e.Facts.Transport) {
		for _, x := range e.Run.Exchanges(t) {
			member := map[string]string{"resources/list": "resources", "resources/read": "contents"}[x.Request.Method]
			if member == "" {
				continue
			}
			for _, v := range x.Result().Get(member).Array() {
				if v.Get("uri").Str == uri {
					out = append(out, seenResource{v, member == "contents", x})
				}
			}
		}
	}
	return out
}

func judgeOutputTemplate(e *Evidence) Ruling {
	seen := 0
	r := e.eachTool(func(t gjson.Result) []Fault {
		a, b := t.Get("_meta.ui.resourceUri"), t.Get("_meta.openai/outputTemplate")
		if !a.Exists() || !b.Exists() {
			return nil
		}
		seen++
		return one(a.String() != b.String(), "one address", fmt.Sprintf("openai/outputTemplate %s, ui.resourceUri %s", short(b.Raw, 80), short(a.Raw, 80)))
	})
	if r.NA == "" && seen == 0 {
		return NotApplicable("no tool names its page twice")
	}
	return r
}

func judgeStatusLength(e *Evidence) Ruling {
	seen := 0
	r := e.eachTool(func(t gjson.Result) []Fault {
		var out []Fault
		for _, key := range []string{"openai/toolInvocation/invoking", "openai/toolInvocation/invoked"} {
			v := t.Get("_meta." + key)
			if !v.Exists() {
				continue
			}
			seen++
			out = append(out, one(v.Type != gjson.String || runes(v.Str) > 64, "a text of at most 64 characters", fmt.Sprintf("%s: %s (%s)", key, short(v.Raw, 100), count(runes(v.String()), "character")))...)
		}
		return out
	})
	if r.NA == "" && seen == 0 {
		return NotApplicable("no tool has texts for its status")
	}
	return r
}

func judgeAuthChallenge(e *Evidence) Ruling {
	var with []*Exchange
	for _, x := range e.calls() {
		if x.Result().Get("_meta.mcp/www_authenticate").Exists() {
			with = append(with, x)
		}
	}
	if len(with) == 0 {
		return NotApplicable("no answer asked for a login")
	}
	return e.overTools(with, func(_ *Tool, x *Exchange) (*Fault, bool) {
		list, bad := x.Result().Get("_meta.mcp/www_authenticate"), ""
		for _, c := range list.Array() {
			if c.Type != gjson.String || !strings.Contains(c.Str, "error=") {
				bad = "a challenge without error: " + short(c.Raw, 120)
			}
		}
		switch {
		case !x.IsToolError():
			bad = "a challenge beside an answer that is no error"
		case !list.IsArray() || len(list.Array()) == 0:
			bad = "mcp/www_authenticate is " + short(list.Raw, 120)
		}
		if bad == "" {
			return nil, true
		}
		return &Fault{Expected: `isError with a list such as ["Bearer error=..., error_description=..."]`, Observed: bad}, true
	})
}
