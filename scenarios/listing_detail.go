package scenarios

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

// listingDetailChecks are the checks on names, keys, icons, hints for caches and headers.
func listingDetailChecks() []Check {
	return []Check{
		{
			ID: "listing/names-allowed", Claim: "Tool names have 1 to 128 characters of A-Z, a-z, 0-9, underscore, hyphen and dot.", Level: Should,
			Why:    "Clients replace other characters, so that two names may become one, or send them on to model APIs that refuse them.",
			Remedy: "Use lower-case letters, digits and underscores.",
			Basis:  []string{"server/tools#tool-names"}, Requirements: []string{"tool-names.length", "tool-names.characters", "tool-names.no-spaces"},
			Judge: judgeNamesAllowed,
		},
		{
			ID: "listing/meta-keys", Claim: "Keys of _meta keep to their grammar.", Level: Must,
			Why:    "Clients and gateways read _meta by key; a malformed key may be taken for another's.",
			Remedy: "Write keys as prefix/name with a reverse domain name as prefix.",
			Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.key-prefix-grammar", "meta.key-name-grammar"},
			Judge: judgeMetaKeys,
		},
		{
			ID: "listing/icons-shape", Claim: "Icons have a src that is a URI, and a theme, if any, of light or dark.", Level: Must,
			Why:    "Typed clients refuse the whole list over one malformed icon.",
			Remedy: "Give each icon a src; leave icons out where there are none.",
			Basis:  []string{"schema#icon"}, Requirements: []string{"icons.src", "icons.theme"},
			Hosts: listLosers(), Judge: judgeIcons,
		},
		{
			ID: "listing/icons-sizes", Claim: "Sizes of icons are written as 48x48 or any.", Level: Should,
			Why:    "Clients choose an icon by its size.",
			Remedy: "Write sizes as [\"48x48\"] or [\"any\"].",
			Basis:  []string{"schema#icon"}, Requirements: []string{"icons.sizes"},
			Judge: judgeIconSizes,
		},
		{
			ID: "listing/icons-scheme", Claim: "Icons come by https or as data.", Level: Should,
			Why:    "Clients are told to refuse icons of any other kind.",
			Remedy: "Serve icons over https, or put them in as data URIs.",
			Basis:  []string{"basic/index#icons"}, Requirements: []string{"icons.src-scheme"},
			Judge: judgeIconScheme,
		},
		{
			ID: "listing/icons-drawable", Claim: "Icons can be drawn: data URIs hold base64.", Level: Note,
			Why:    "A data URI that does not decode shows a broken picture.",
			Remedy: "Encode the picture as base64 under its own media type.",
			Basis:  []string{"basic/index#icons"}, Requirements: []string{"icons.data-uri", "icons.mime-type-displayable", "icons.same-origin"},
			Judge: judgeIconData,
		},
		{
			ID: "listing/no-parameters-said", Claim: "A tool without parameters says so with additionalProperties false.", Level: Note,
			Why:    "Models invent arguments for tools that seem to take any.",
			Remedy: `Write {"type":"object","additionalProperties":false}.`,
			Basis:  []string{"server/tools#tool"}, Requirements: []string{"tools.def.no-parameters"},
			Judge: judgeNoParameters,
		},
		{
			ID: "listing/as-written", Claim: "The tool list is the one that its author expects.", Level: House,
			Why:    "Frameworks rewrite schemas, drop icons and annotations: the author never sees it.",
			Remedy: "Compare the member at the given path with what you wrote; look for the layer that changed it.",
			Basis:  []string{"the file given with --expect"},
			Judge:  judgeAsWritten,
		},
		{
			ID: "listing/caching-hints", Claim: "Lists and server/discover carry ttlMs and cacheScope.", Level: Must,
			Why:    "SDK v2 clients refuse a list without them: no tools, although the connection looks healthy.",
			Remedy: `Add "ttlMs" (0 for no caching) and "cacheScope" ("private" or "public") to these results.`,
			Basis:  []string{"server/utilities/caching#cacheable-results"}, Requirements: []string{"caching.ttl-value", "caching.scope-value", "caching.hints-server-discover", "caching.hints-tools-list", "caching.hints-prompts-list", "caching.hints-resources-list", "caching.hints-resources-templates-list"},
			Hosts: []string{"sdk-v2", "openai-agents", "mastra"}, Judge: judgeCachingHints,
		},
		{
			ID: "listing/header-annotations", Claim: "x-mcp-header marks are tokens, unique, and on string, integer or boolean properties reached through properties.", Level: Must,
			Why:    "Clients drop a tool with a wrong mark when they speak HTTP: Claude Code, AI SDK, Mastra and openai-agents do.",
			Remedy: "Give each mark its own header name of letters, digits and hyphens, on a plain property.",
			Basis:  []string{"server/tools#x-mcp-header"}, Requirements: []string{"x-mcp-header.not-empty", "x-mcp-header.token", "x-mcp-header.no-control-characters", "x-mcp-header.unique", "x-mcp-header.primitive-only", "x-mcp-header.reachable"},
			Hosts: []string{"ai-sdk", "claude-code", "mastra", "openai-agents", "sdk-v2"}, Judge: judgeHeaderMarks,
		},
		{
			ID: "listing/header-not-sensitive", Claim: "No password, key or token is mirrored into a header.", Level: Should,
			Why:    "Headers end up in the logs of every proxy.",
			Remedy: "Take x-mcp-header off such properties.",
			Basis:  []string{"server/tools#x-mcp-header"}, Requirements: []string{"x-mcp-header.not-sensitive", "x-mcp-header.integer-range"},
			Judge: judgeHeaderSensitive,
		},
	}
}

func judgeNamesAllowed(e *Evidence) Ruling {
	if e.Facts.Revision < fakes.Rev20251125 {
		return NotApplicable("revisions before 2025-11-25 have no rule for names")
	}
	allowed := regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)
	return e.eachEntry("tools/list", func(n entry) []Fault {
		name := n.raw.Get("name")
		if name.Type != gjson.String {
			return nil
		}
		return one(!allowed.MatchString(name.Str), "1 to 128 characters of A-Z a-z 0-9 _ - .", "the name "+short(name.Raw, 150))
	})
}

func judgeMetaKeys(e *Evidence) Ruling {
	if e.Facts.Revision < fakes.Rev20250618 {
		return NotApplicable("revisions before 2025-06-18 have no grammar for _meta keys")
	}
	// An optional prefix of dot-joined labels and a slash, then a name, which may be empty after a prefix.
	label := `[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?`
	name := `[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?`
	key := regexp.MustCompile(`^(?:` + label + `(?:\.` + label + `)*/(?:` + name + `)?|` + name + `)$`)
	return e.eachEntry("", func(n entry) []Fault {
		var out []Fault
		n.raw.Get("_meta").ForEach(func(k, _ gjson.Result) bool {
			if strings.HasPrefix(k.Str, "openai/") {
				return true // a host's own, documented with a second slash
			}
			out = append(out, one(!key.MatchString(k.Str), "a key such as com.example/name", "the key "+short(k.Raw, 100))...)
			return true
		})
		return out
	})
}

// eachIcon looks at every icon of every entry.
func (e *Evidence) eachIcon(look func(icon gjson.Result) []Fault) Ruling {
	seen := 0
	r := e.eachEntry("", func(n entry) []Fault {
		var out []Fault
		icons := n.raw.Get("icons")
		if icons.Exists() && icons.Type != gjson.Null && !icons.IsArray() {
			seen++
			return one(true, "icons as a list", short(icons.Raw, 80))
		}
		icons.ForEach(func(_, i gjson.Result) bool {
			seen++
			out = append(out, look(i)...)
			return true
		})
		return out
	})
	if seen == 0 {
		return NotApplicable("no entry has icons")
	}
	r.Seen = seen
	return r
}

func judgeIcons(e *Evidence) Ruling {
	if e.Facts.Revision < fakes.Rev20251125 {
		return NotApplicable("revisions before 2025-11-25 have no icons")
	}
	return e.eachIcon(func(i gjson.Result) []Fault {
		src := i.Get("src")
		if src.Type != gjson.String || src.Str == "" {
			return one(true, "a src", "an icon without src: "+short(i.Raw, 100))
		}
		if u, err := url.Parse(src.Str); err != nil || u.Scheme == "" {
			return one(true, "a src that is a URI", short(src.Raw, 100))
		}
		th := i.Get("theme")
		return one(th.Exists() && th.Str != "light" && th.Str != "dark", "theme light or dark", short(th.Raw, 60))
	})
}

func judgeIconSizes(e *Evidence) Ruling {
	size := regexp.MustCompile(`^([0-9]+x[0-9]+|any)$`)
	return e.eachIcon(func(i gjson.Result) []Fault {
		var out []Fault
		i.Get("sizes").ForEach(func(_, s gjson.Result) bool {
			out = append(out, one(!size.MatchString(s.String()), "48x48 or any", short(s.Raw, 60))...)
			return true
		})
		return out
	})
}

func judgeIconScheme(e *Evidence) Ruling {
	return e.eachIcon(func(i gjson.Result) []Fault {
		u, err := url.Parse(i.Get("src").String())
		if err != nil || u.Scheme == "" {
			return nil
		}
		return one(u.Scheme != "https" && u.Scheme != "data", "https or data", "scheme "+short(u.Scheme, 40))
	})
}

func judgeIconData(e *Evidence) Ruling {
	return e.eachIcon(func(i gjson.Result) []Fault {
		src := i.Get("src").String()
		head, body, ok := strings.Cut(src, ",")
		if !strings.HasPrefix(src, "data:") {
			return nil
		}
		if !ok {
			return one(true, "data after a comma", "a data URI without a comma")
		}
		if strings.HasSuffix(head, ";base64") {
			_, err := base64.StdEncoding.DecodeString(body)
			return one(err != nil, "base64", "data that does not decode")
		}
		return nil
	})
}

func judgeNoParameters(e *Evidence) Ruling {
	return e.eachEntry("tools/list", func(n entry) []Fault {
		s := n.raw.Get("inputSchema")
		if !s.IsObject() || len(s.Get("properties").Map()) > 0 {
			return nil
		}
		for _, k := range []string{"$ref", "allOf", "anyOf", "oneOf", "patternProperties", "additionalProperties"} {
			if s.Get(k).Exists() {
				return nil
			}
		}
		return one(true, "additionalProperties false", "no properties, and any are allowed")
	})
}

func judgeAsWritten(e *Evidence) Ruling {
	if e.Facts.Run.Expect == nil {
		return NotApplicable("no expected list was given; --expect FILE compares")
	}
	want := map[string]gjson.Result{}
	exp := gjson.ParseBytes(e.Facts.Run.Expect)
	if t := exp.Get("tools"); t.IsArray() {
		exp = t
	}
	exp.ForEach(func(_, t gjson.Result) bool { want[t.Get("name").Str] = t; return true })
	r := e.eachEntry("tools/list", func(n entry) []Fault {
		w, ok := want[n.name()]
		delete(want, n.name())
		if !ok {
			return one(true, "only the expected tools", "a tool that is not expected")
		}
		path, a, b := difference("", w, n.raw, "tool")
		return one(path != "", path+": "+a, path+": "+b)
	})
	for name := range want {
		r.Seen++
		r.NA = ""
		r.Faults = append(r.Faults, Fault{Subject: name, Expected: "the tool is listed", Observed: "it is missing"})
	}
	return r
}

// difference finds the first place where two values differ. What protocol
// layers add by themselves ($schema, execution) is left out of it.
func difference(path string, want, got gjson.Result, kind string) (string, string, string) {
	if want.IsObject() && got.IsObject() {
		w, g := want.Map(), got.Map()
		for _, k := range sortedKeys(w, g) {
			if k == "$schema" || kind == "tool" && k == "execution" {
				continue
			}
			if !w[k].Exists() || !g[k].Exists() {
				return path + "." + k, orNone(w[k]), orNone(g[k])
			}
			if p, a, b := difference(path+"."+k, w[k], g[k], k); p != "" {
				return p, a, b
			}
		}
		return "", "", ""
	}
	if want.IsArray() && got.IsArray() {
		w, g := want.Array(), got.Array()
		if len(w) != len(g) {
			return path, fmt.Sprintf("%d entries", len(w)), fmt.Sprintf("%d entries", len(g))
		}
		for i := range w {
			if p, a, b := difference(fmt.Sprintf("%s[%d]", path, i), w[i], g[i], ""); p != "" {
				return p, a, b
			}
		}
		return "", "", ""
	}
	if want.Type == got.Type && want.String() == got.String() || sameJSON(want.Raw, got.Raw) {
		return "", "", ""
	}
	return path, short(want.Raw, 100), short(got.Raw, 100)
}

func orNone(v gjson.Result) string {
	if !v.Exists() {
		return "missing"
	}
	return short(v.Raw, 100)
}

func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	m, _ := json.Marshal(x)
	n, _ := json.Marshal(y)
	return string(m) == string(n)
}

func judgeCachingHints(e *Evidence) Ruling {
	if !e.Facts.Modern() {
		return NotApplicable("caching hints belong to 2026-07-28")
	}
	var r Ruling
	look := func(x *Exchange, method string) {
		res := x.Result()
		if !res.Exists() || x.AsksInput() {
			return
		}
		var missing []string
		for _, m := range []string{"ttlMs", "cacheScope"} {
			if !res.Get(m).Exists() {
				missing = append(missing, m)
			}
		}
		var f *Fault
		ttl, scope := res.Get("ttlMs"), res.Get("cacheScope").Str
		if len(missing) == 0 && (ttl.Type != gjson.Number || ttl.Num < 0 || strings.ContainsAny(ttl.Raw, ".eE") || scope != "public" && scope != "private") {
			f = &Fault{Subject: method, Expected: "ttlMs, a whole number from 0 on, and cacheScope, public or private", Observed: "ttlMs " + ttl.Raw + " and cacheScope " + res.Get("cacheScope").Raw + " in the result of " + method, Proof: []*Exchange{x}}
		}
		if len(missing) > 0 {
			f = &Fault{Subject: method, Expected: "ttlMs and cacheScope", Observed: "no " + strings.Join(missing, " and no ") + " in the result of " + method, Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	for _, x := range e.Opening() {
		if x.Label == "discover" {
			look(x, "server/discover")
			break
		}
	}
	for _, k := range lists() {
		if pages := e.walk(k); len(pages) > 0 {
			look(pages[0], k.method)
		}
	}
	return r
}
