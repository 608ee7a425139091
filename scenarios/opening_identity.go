package scenarios

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// identityChecks are the checks on what the server says of itself.
func identityChecks() []Check {
	return []Check{
		{
			ID: "opening/server-info", Claim: "The server says its name and version.", Level: Should,
			Why:    "People and logs tell servers apart by it; under 2026-07-28 it rides in _meta of each result.",
			Remedy: "Send serverInfo with name and version; under 2026-07-28 in _meta as io.modelcontextprotocol/serverInfo.",
			Basis:  []string{"basic/index#meta", "server/discover#data-types"}, Requirements: []string{"meta.server-info", "discover.server-info"},
			Judge: judgeServerInfo,
		},
		{
			ID: "opening/server-info-agrees", Claim: "Name and version are the same wherever they are told.", Level: Note,
			Why:    "Two identities behind one address confuse logs and caches.",
			Remedy: "Fill serverInfo from one place.",
			Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.server-info-same-everywhere", "lifecycle.repeatable-negotiation"},
			Judge: judgeServerInfoAgrees,
		},
		{
			ID: "opening/server-icons", Claim: "Icons of the server have a src that is a URI, and a theme, if any, of light or dark.", Level: Must,
			Why:    "Typed clients refuse the whole handshake over a malformed icon.",
			Remedy: "Give each icon a src; leave icons out where there are none.",
			Basis:  []string{"schema#icon"}, Requirements: []string{"icons.src", "icons.theme"},
			Judge: judgeServerIcons,
		},
		{
			ID: "opening/capabilities-honest", Claim: "What the server offers, it declares.", Level: Must,
			Why:    "Clients never ask for lists that were not declared: Claude Code, Gemini CLI and opencode show no tools.",
			Remedy: "Declare tools, resources, prompts, completions and logging when you serve them.",
			Basis:  []string{"basic/lifecycle#capability-negotiation"}, Requirements: []string{"tools.capability-declared", "resources.capability-declared", "prompts.capability-declared", "completion.capability-declared", "logging.capability-declared", "tasks.capability-declared"},
			Hosts: []string{"claude-code", "claude-code-print", "gemini-cli", "opencode"}, Judge: judgeHonest,
		},
		{
			ID: "opening/declared-methods-answer", Claim: "The list method of every declared capability answers.", Level: Should,
			Why:    "Clients ask for it right after opening; an error there shows as a broken server.",
			Remedy: "Answer with an empty list, or do not declare the capability.",
			Basis:  []string{"basic/lifecycle#capability-negotiation"}, Requirements: []string{"lifecycle.dual-era-handshake", "lifecycle.declared-methods-work", "tools.list.answered", "resources.list.answered", "prompts.list.answered"},
			Judge: judgeDeclaredAnswer,
		},
		{
			ID: "opening/extension-keys", Claim: "Keys of capabilities.extensions have a prefix and keep to the grammar of _meta keys.", Level: Must,
			Why:    "Extensions are found by their key.",
			Remedy: "Write the key as prefix/name with a reverse domain name as prefix.",
			Basis:  []string{"basic/versioning#extension-negotiation"}, Requirements: []string{"versioning.extension-keys"},
			Judge: modern(judgeExtensionKeys),
		},
	}
}

func judgeServerInfo(e *Evidence) Ruling {
	if !e.Facts.Modern() {
		info := e.Facts.ServerInfo()
		x := firstOpening(e, "initialize")
		if x == nil {
			return NotSeen("no session was opened")
		}
		bad := info.Get("name").Type != gjson.String || info.Get("version").Type != gjson.String
		if bad {
			return Broken(Fault{Subject: "serverInfo", Expected: "name and version", Observed: orNone(info), Proof: []*Exchange{x}})
		}
		return Passed("", x)
	}
	key := `_meta.io\.modelcontextprotocol/serverInfo`
	var r Ruling
	for _, f := range e.frames() {
		m := f.event.Message()
		if !m.HasResult || f.x == nil || f.x.Request.ID == "" || !fakes.Modern(f.revision) {
			continue
		}
		r.Seen++
		if info := m.Result.Get(key); !info.Exists() && len(r.Faults) == 0 {
			r.Faults = append(r.Faults, Fault{Subject: f.x.Request.Method, Expected: "_meta with io.modelcontextprotocol/serverInfo", Observed: "a result of " + f.x.Request.Method + " without it", Proof: []*Exchange{f.x}})
		}
	}
	return r
}

func firstOpening(e *Evidence, label string) *Exchange {
	for _, x := range e.Opening() {
		if x.Label == label && x.Answered() {
			return x
		}
	}
	return nil
}

func judgeServerInfoAgrees(e *Evidence) Ruling {
	var r Ruling
	first := ""
	look := func(info gjson.Result, x *Exchange) {
		if !info.IsObject() {
			return
		}
		r.Seen++
		said := info.Get("name").String() + " " + info.Get("version").String()
		if first == "" {
			first = said
		}
		if said != first && len(r.Faults) == 0 {
			r.Faults = append(r.Faults, Fault{Subject: "serverInfo", Expected: first, Observed: said, Proof: []*Exchange{x}})
		}
	}
	for _, x := range e.openings() {
		look(x.Result().Get("serverInfo"), x)
	}
	for _, f := range e.frames() {
		if f.x != nil {
			look(f.event.Message().Root.Get(`result._meta.io\.modelcontextprotocol/serverInfo`), f.x)
		}
	}
	return r
}

func judgeServerIcons(e *Evidence) Ruling {
	icons := e.Facts.ServerInfo().Get("icons")
	if !icons.Exists() || e.Facts.Revision < fakes.Rev20251125 {
		return NotApplicable("the server has no icons")
	}
	x := firstOpening(e, "initialize")
	if e.Facts.Modern() {
		x = firstOpening(e, "discover")
	}
	r := Ruling{Seen: 1}
	bad := func(expected, observed string) {
		r.Faults = append(r.Faults, Fault{Subject: "serverInfo.icons", Expected: expected, Observed: observed, Proof: []*Exchange{x}})
	}
	if !icons.IsArray() {
		bad("a list of icons", short(icons.Raw, 80))
		return r
	}
	icons.ForEach(func(_, i gjson.Result) bool {
		src, th := i.Get("src"), i.Get("theme")
		u, err := url.Parse(src.String())
		switch {
		case src.Type != gjson.String || src.Str == "":
			bad("a src", "an icon without src: "+short(i.Raw, 100))
		case err != nil || u.Scheme == "":
			bad("a src that is a URI", short(src.Raw, 100))
		case th.Exists() && th.Str != "light" && th.Str != "dark":
			bad("theme light or dark", short(th.Raw, 60))
		}
		return true
	})
	return r
}

func judgeHonest(e *Evidence) Ruling {
	var r Ruling
	if e.Facts.Undiscovered() {
		return NotSeen("what the server declares is not known: server/discover gets no result")
	}
	add := func(capability string, bad bool, x *Exchange, observed string) {
		r.Seen++
		if bad && !e.Facts.Capability(capability).Exists() {
			r.Faults = append(r.Faults, Fault{Subject: capability, Expected: "capabilities." + capability, Observed: observed, Proof: []*Exchange{x}})
		}
	}
	if pages := e.walk(lists()[0]); len(pages) > 0 {
		n := len(pages[0].Result().Get("tools").Array())
		add("tools", n > 0, pages[0], fmt.Sprintf("tools/list answers with %s, undeclared", count(n, "tool")))
	}
	for _, k := range lists()[1:] {
		if x := e.Get("list:" + k.method); x.Answered() {
			n := len(x.Result().Get(k.member).Array())
			add(k.capability, n > 0, x, fmt.Sprintf("%s answers with %d entries, undeclared", k.method, n))
		}
	}
	if x := e.Get("undeclared:completion"); x.Answered() {
		n := len(x.Result().Get("completion.values").Array())
		add("completions", n > 0, x, "completion/complete answers with values, undeclared")
	}
	for _, f := range e.frames() {
		if f.event.Kind == wire.Recv && f.event.Message().Method == "notifications/message" {
			add("logging", true, loneFrame(f), "a log message came, logging undeclared")
			break
		}
	}
	return r
}

func judgeDeclaredAnswer(e *Evidence) Ruling {
	var r Ruling
	for _, k := range lists() {
		if !e.Facts.Capability(k.capability).Exists() || k.method == "resources/templates/list" {
			continue
		}
		var x *Exchange
		if k.method == "tools/list" {
			if pages := e.walk(k); len(pages) > 0 {
				x = pages[0]
			}
		} else {
			x = e.Get("list:" + k.method)
		}
		if x.Unusable() {
			continue
		}
		var f *Fault
		if !x.Result().Exists() {
			f = &Fault{Subject: k.method, Expected: "a list, if need be an empty one", Observed: sayAnswer(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotApplicable("the server declares no lists")
	}
	return r
}

func judgeExtensionKeys(e *Evidence) Ruling {
	ext := e.Facts.Capability("extensions")
	if !ext.IsObject() {
		return NotApplicable("the server declares no extensions")
	}
	label := `[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?`
	key := regexp.MustCompile(`^` + label + `(\.` + label + `)*/([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)?$`)
	r := Ruling{Seen: 1}
	var bad []string
	ext.ForEach(func(k, _ gjson.Result) bool {
		if !key.MatchString(k.Str) {
			bad = append(bad, k.Str)
		}
		return true
	})
	if len(bad) > 0 {
		r.Faults = append(r.Faults, Fault{Subject: bad[0], Expected: "prefix/name", Observed: strings.Join(bad, ", "), Proof: []*Exchange{firstOpening(e, "discover")}})
	}
	return r
}
