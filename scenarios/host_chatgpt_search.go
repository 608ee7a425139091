package scenarios

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"
)

// hostSearchChecks are ChatGPT's rules on the pair of tools by which deep
// research and company knowledge read a server.
func hostSearchChecks() []Check {
	return []Check{
		{
			ID: "host-chatgpt/search-fetch-shape", Claim: "search and fetch answer in the shape that ChatGPT's deep research reads.", Level: Host, Breaks: true, Source: Official,
			Why:    "Deep research and company knowledge call these two tools alone. An answer of another shape finds nothing for them.",
			Remedy: `Answer search with structuredContent {"results": [{"id", "title", "url"}]} and fetch with {"id", "title", "text", "url"}, and put the same JSON into exactly one text block. Mark both readOnlyHint: true.`,
			Basis:  []string{"OpenAI: guide to MCP servers for deep research"},
			Hosts:  []string{"chatgpt", "openai-responses"}, Judge: judgeSearchFetch,
		},
		{
			ID: "host-chatgpt/search-fetch-url", Claim: "Results of search and fetch have web addresses.", Level: Host, Source: Official,
			Why:    "ChatGPT shows no citation for a result without one.",
			Remedy: "Fill url with an absolute http or https address for each result.",
			Basis:  []string{"OpenAI: guide to MCP servers for deep research"},
			Hosts:  []string{"chatgpt", "openai-responses"}, Judge: judgeSearchFetchURL,
		},
	}
}

// searchPair says whether the server has the pair: a tool search that needs
// nothing but a text query, and a tool fetch that needs nothing but a text id.
// Servers whose tools of these names take other things are meant otherwise.
func (e *Evidence) searchPair() bool {
	return takesAlone(e.Facts.Tool("search"), "query") && takesAlone(e.Facts.Tool("fetch"), "id")
}

func takesAlone(t *Tool, parameter string) bool {
	if t == nil || t.Get("inputSchema.properties."+parameter+".type").Str != "string" {
		return false
	}
	for _, r := range t.Get("inputSchema.required").Array() {
		if r.Str != parameter {
			return false
		}
	}
	return true
}

const noPair = "the server has no pair of tools search {query} and fetch {id}"

// searchAnswers runs a judge over the successful answers of the pair.
func (e *Evidence) searchAnswers(look func(name string, x *Exchange) *Fault) Ruling {
	var own []*Exchange
	for _, x := range e.hostAnswers() {
		if n := toolName(x); n == "search" || n == "fetch" {
			own = append(own, x)
		}
	}
	r := e.overTools(own, func(t *Tool, x *Exchange) (*Fault, bool) { return look(t.Name, x), true })
	r.Unseen = "no call of search or fetch succeeded; give calls of both under calls in conform.yaml"
	return r
}

func judgeSearchFetch(e *Evidence) Ruling {
	if !e.searchPair() {
		return NotApplicable(noPair)
	}
	r := e.searchAnswers(func(name string, x *Exchange) *Fault {
		want, bad := `{"id", "title", "text", "url"}`, ""
		if name == "search" {
			want = `{"results": [{"id", "title", "url"}]}`
		}
		s := structured(x)
		switch {
		case !s.IsObject():
			bad = "no structuredContent"
		case name == "search":
			bad = searchFault(s)
		default:
			bad = textsMissing(s, "id", "title", "text", "url")
		}
		if bad == "" {
			bad = copyFault(x, s)
		}
		if bad == "" {
			return nil
		}
		return &Fault{Expected: want + " in structuredContent, and as JSON in one text block", Observed: bad}
	})
	for _, name := range []string{"search", "fetch"} {
		if t := e.Facts.Tool(name); t.Get("annotations.readOnlyHint").Type != gjson.True {
			r.Seen++
			r.Faults = append(r.Faults, Fault{Subject: name, Expected: "readOnlyHint: true", Observed: "readOnlyHint is not true, and deep research takes only tools that read", Proof: e.listed()})
		}
	}
	return r
}

func searchFault(s gjson.Result) string {
	results := s.Get("results")
	if !results.IsArray() {
		return "structuredContent has no list results: " + short(s.Raw, 160)
	}
	for i, v := range results.Array() {
		if bad := textsMissing(v, "id", "title", "url"); bad != "" {
			return fmt.Sprintf("results[%d]: %s", i, bad)
		}
	}
	return ""
}

// textsMissing names the members that are not there as texts.
func textsMissing(object gjson.Result, members ...string) string {
	var missing []string
	for _, m := range members {
		if object.Get(m).Type != gjson.String {
			missing = append(missing, m)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return "no text " + strings.Join(missing, ", ") + " in " + short(object.Raw, 160)
}

// copyFault says how the content is not one text block with the JSON of s.
func copyFault(x *Exchange, s gjson.Result) string {
	content := x.Result().Get("content").Array()
	switch {
	case len(content) != 1 || content[0].Get("type").Str != "text":
		return fmt.Sprintf("content has %s instead of one text block", count(len(content), "block"))
	case !sameJSON(content[0].Get("text").Str, s.Raw):
		return "the text is not the JSON of structuredContent: " + short(content[0].Get("text").Str, 160)
	}
	return ""
}

func judgeSearchFetchURL(e *Evidence) Ruling {
	if !e.searchPair() {
		return NotApplicable(noPair)
	}
	return e.searchAnswers(func(name string, x *Exchange) *Fault {
		found := []gjson.Result{structured(x)}
		if name == "search" {
			found = structured(x).Get("results").Array()
		}
		for i, v := range found {
			// One that is missing altogether is told by the check on the shape.
			if u := v.Get("url"); u.Type == gjson.String && !webAddress(u.Str) {
				return &Fault{Expected: "an absolute http or https address", Observed: fmt.Sprintf("the url of result %d is %s", i+1, short(u.Raw, 120))}
			}
		}
		return nil
	})
}

func webAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
