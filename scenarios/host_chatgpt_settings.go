package scenarios

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// hostSettingsChecks are ChatGPT's rules on the extensions by which a server
// has a page of settings and answers mentions.
func hostSettingsChecks() []Check {
	basis := []string{"openai/mcp-extensions: specification 0.2.0"}
	gpt := []string{"chatgpt"}
	return []Check{
		{
			ID: "host-chatgpt/settings-tools", Claim: "openai/settings names two tools: one that reads with {}, one that takes {set}.", Level: Host, Breaks: true, Source: Official,
			Why:    "ChatGPT shows no page of settings for the server, or one that saves nothing.",
			Remedy: `Name two different listed tools as readTool and updateTool; let the first take {} and the second {"set": {...}}.`,
			Basis:  basis, Hosts: gpt, Judge: judgeSettingsTools,
		},
		{
			ID: "host-chatgpt/read-tool-output-schema", Claim: "The tool that reads the settings declares an outputSchema.", Level: Host, Breaks: true, Source: Official,
			Why:    "ChatGPT asks for it: without, there is no page of settings.",
			Remedy: `Declare an object schema that requires "schema" and "values".`,
			Basis:  basis, Hosts: gpt, Judge: judgeReadToolOutput,
		},
		{
			ID: "host-chatgpt/settings-answer", Claim: "The settings come as a schema of plain fields and a value for each.", Level: Host, Breaks: true, Source: Official,
			Why:    "ChatGPT cannot draw a field without a title or of another type, and needs a value for each.",
			Remedy: `Answer with structuredContent {"schema": {"type": "object", "properties": {...}}, "values": {...}}: each property a boolean, string, number or integer with a title, each with a value.`,
			Basis:  basis, Hosts: gpt, Judge: judgeSettingsAnswer,
		},
		{
			ID: "host-chatgpt/mention-search", Claim: "The tool for mentions only reads, is open to the app, takes an empty query and answers with resource links.", Level: Host, Breaks: true, Source: Official,
			Why:    "Otherwise nothing of the server can be mentioned in ChatGPT; an empty query is the first thing it sends.",
			Remedy: `Set readOnlyHint: true and _meta.ui.visibility ["app"], allow {"query": ""}, and answer with structuredContent {"items": [{"type": "resource_link", "uri", "name"}]}.`,
			Basis:  basis, Hosts: gpt, Judge: judgeMentionSearch,
		},
		{
			ID: "host-chatgpt/extensions-kept", Claim: "Extensions of ChatGPT stand in capabilities.extensions of server/discover.", Level: Host, Breaks: true, Source: Official,
			Why:    "ChatGPT reads server/discover where there is one: what only initialize or the member experimental says goes unseen.",
			Remedy: "Write openai/settings and openai/mentions into capabilities.extensions in both eras.",
			Basis:  basis, Hosts: gpt, Judge: judgeExtensionsKept,
		},
	}
}

// complaints collects what is wrong with one subject.
type complaints struct {
	subject string
	faults  []Fault
}

func (c *complaints) unless(ok bool, expected, observed string) {
	if !ok {
		c.faults = append(c.faults, Fault{Subject: c.subject, Expected: expected, Observed: observed})
	}
}

// ruling is the ruling on claims that rest on the opening and the list.
func (c *complaints) ruling(e *Evidence) Ruling {
	proof := append(e.opened(), e.listed()...)
	if len(c.faults) == 0 {
		return Passed("", proof...)
	}
	for i := range c.faults {
		c.faults[i].Proof = proof
	}
	return Broken(c.faults...)
}

// takes says that a tool is known to accept some arguments, or that nothing
// can be said of its schema.
func takes(t *Tool, args string) bool {
	s := inputSchema(t)
	return s == nil || fits(s, json.RawMessage(args))
}

const noSettings = "the server does not declare openai/settings"

func judgeSettingsTools(e *Evidence) Ruling {
	x := e.Facts.extension("openai/settings")
	if !x.Exists() {
		return NotApplicable(noSettings)
	}
	c := &complaints{subject: "openai/settings"}
	tools := map[string]*Tool{}
	for _, member := range []string{"readTool", "updateTool"} {
		name := x.Get(member)
		c.unless(name.Type == gjson.String && strings.TrimSpace(name.Str) != "", "the name of a tool as "+member, member+" is "+orNone(name))
		if name.Type == gjson.String {
			tools[member] = e.Facts.Tool(name.Str)
			c.unless(tools[member] != nil, "a listed tool as "+member, "no tool "+short(name.Str, 60)+" is listed")
		}
	}
	if read := tools["readTool"]; read != nil {
		c.unless(takes(read, `{}`), "a readTool that takes {}", read.Name+" needs "+short(read.Get("inputSchema.required").Raw, 100))
		c.unless(read.Get("annotations.readOnlyHint").Type != gjson.False, "a readTool that only reads", read.Name+" says readOnlyHint: false")
	}
	if update := tools["updateTool"]; update != nil {
		set := update.Get("inputSchema.properties.set")
		c.unless(set.Exists(), `an updateTool that takes {"set": {...}}`, update.Name+" has no parameter set")
		for _, r := range update.Get("inputSchema.required").Array() {
			c.unless(r.Str == "set", `an updateTool that needs nothing but set`, update.Name+" needs "+short(r.Str, 60))
		}
		c.unless(tools["readTool"] == nil || tools["readTool"].Name != update.Name, "two tools", update.Name+" is both readTool and updateTool")
	}
	return c.ruling(e)
}

// settingsReader is the listed tool that reads the settings, nil when there is none.
func (e *Evidence) settingsReader() *Tool {
	if name := e.Facts.extension("openai/settings").Get("readTool"); name.Type == gjson.String {
		return e.Facts.Tool(name.Str)
	}
	return nil
}

func judgeReadToolOutput(e *Evidence) Ruling {
	read := e.settingsReader()
	if read == nil {
		return NotApplicable("the server names no tool that reads settings")
	}
	c := &complaints{subject: read.Name}
	c.unless(hasOutput(read), "an outputSchema", "no outputSchema")
	return c.ruling(e)
}

func judgeSettingsAnswer(e *Evidence) Ruling {
	read := e.settingsReader()
	if read == nil {
		return NotApplicable("the server names no tool that reads settings")
	}
	var own []*Exchange
	for _, x := range e.hostAnswers() {
		if toolName(x) == read.Name {
			own = append(own, x)
		}
	}
	r := e.overTools(own, func(_ *Tool, x *Exchange) (*Fault, bool) {
		if bad := settingsFault(structured(x)); bad != "" {
			return &Fault{Expected: `{"schema", "values"} in structuredContent`, Observed: bad}, true
		}
		return nil, true
	})
	r.Unseen = fmt.Sprintf("no call of %s succeeded; allow it, or give a call of it under calls in conform.yaml", short(read.Name, 60))
	return r
}

// settingsFault says what of the settings ChatGPT cannot show.
func settingsFault(s gjson.Result) string {
	properties, values := s.Get("schema.properties"), s.Get("values")
	switch {
	case !s.IsObject():
		return "no structuredContent"
	case s.Get("schema.type").Str != "object" || !properties.IsObject():
		return "schema is no object schema with properties: " + short(s.Get("schema").Raw, 160)
	case !values.IsObject():
		return "no values"
	}
	bad := ""
	plain := []string{"boolean", "string", "number", "integer"}
	properties.ForEach(func(name, p gjson.Result) bool {
		switch {
		case !slices.Contains(plain, p.Get("type").Str):
			bad = short(name.Str, 60) + " has the type " + orNone(p.Get("type"))
		case strings.TrimSpace(p.Get("title").Str) == "":
			bad = short(name.Str, 60) + " has no title"
		case !member(values, name.Str).Exists():
			bad = short(name.Str, 60) + " has no value"
		}
		return bad == ""
	})
	return bad
}

// mentionTool is the tool by which mentions are searched: the one that the
// capability names, else one marked in the older way.
func (e *Evidence) mentionTool() (tool *Tool, declared gjson.Result) {
	x := e.Facts.extension("openai/mentions")
	if x.Exists() {
		return e.Facts.Tool(x.Get("searchTool").String()), x
	}
	for i := range e.Facts.Tools {
		if t := &e.Facts.Tools[i]; t.Get("_meta.openai/extensions.mentions/search").Exists() {
			return t, x
		}
	}
	return nil, x
}

func judgeMentionSearch(e *Evidence) Ruling {
	t, declared := e.mentionTool()
	if t == nil && !declared.Exists() {
		return NotApplicable("the server offers no search for mentions")
	}
	c := &complaints{subject: "openai/mentions"}
	if t == nil {
		c.unless(false, "a listed tool as searchTool", "searchTool is "+orNone(declared.Get("searchTool")))
		return c.ruling(e)
	}
	c.subject = t.Name
	c.unless(t.Get("annotations.readOnlyHint").Type == gjson.True, "readOnlyHint: true", "readOnlyHint is "+orNone(t.Get("annotations.readOnlyHint")))
	c.unless(named(t.Get("_meta.ui.visibility"), "app"), `_meta.ui.visibility with "app"`, "_meta.ui.visibility is "+orNone(t.Get("_meta.ui.visibility")))
	c.unless(takes(t, `{"query":"a"}`), `a tool that takes {"query": "a"}`, "the inputSchema refuses it")
	c.unless(takes(t, `{"query":""}`), `a tool that takes {"query": ""}`, "the inputSchema refuses an empty query")
	r := c.ruling(e)
	for _, x := range e.hostAnswers() {
		if toolName(x) != t.Name || len(r.Faults) > 0 {
			continue
		}
		var f *Fault
		if bad := mentionFault(structured(x)); bad != "" {
			f = &Fault{Subject: t.Name, Expected: `{"items": [resource links]} in structuredContent`, Observed: bad, Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func mentionFault(s gjson.Result) string {
	if !s.Get("items").IsArray() {
		return "structuredContent has no list items: " + orNone(s)
	}
	for i, v := range s.Get("items").Array() {
		if v.Get("type").Str != "resource_link" {
			return fmt.Sprintf("items[%d] is no resource_link: %s", i, short(v.Raw, 120))
		}
		if bad := textsMissing(v, "uri", "name"); bad != "" {
			return fmt.Sprintf("items[%d]: %s", i, bad)
		}
	}
	return ""
}

func judgeExtensionsKept(e *Evidence) Ruling {
	if !e.Facts.Modern() {
		return NotApplicable("judged where server/discover is answered")
	}
	c := &complaints{subject: "server/discover"}
	seen := 0
	for _, name := range []string{"openai/settings", "openai/mentions"} {
		if e.Facts.Capability("extensions." + name).Exists() {
			seen++
			continue
		}
		where := ""
		if e.Facts.Capability("experimental." + name).Exists() {
			where = "capabilities.experimental of server/discover"
		}
		for _, f := range e.Run.Targets {
			if !f.Modern() && f.Transport == e.Facts.Transport && f.extension(name).Exists() {
				where = "the answer to initialize"
			}
		}
		if where != "" {
			seen++
			c.unless(false, name+" in capabilities.extensions", name+" stands in "+where+" alone")
		}
	}
	if seen == 0 {
		return NotApplicable("the server declares no extension of ChatGPT")
	}
	return c.ruling(e)
}
