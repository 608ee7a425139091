package hostile

import (
	"fmt"
	"io"
	"strings"
)

// listServers offer lists that are too long, too large or without an end.
func listServers(elsewhere string) []Server {
	lists := func(name, about string, tools func() string) Server {
		return both(name, about, answering(inPlace("tools/list", func() string { return `{"resultType":"complete","tools":[` + tools() + `]}` })))
	}
	many := func(n int, one func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteByte(',')
			b.WriteString(one(i))
		}
		return b.String()[1:]
	}
	small := func(i int) string { return tool(fmt.Sprintf("tool_%d", i), `{"type":"object"}`, "") }
	return []Server{
		lists("hundred-thousand-tools", "lists 100,000 tools, each of which may be called", func() string { return many(100_000, small) }),
		lists("thousand-tools", "lists a thousand tools with parameters and output schemas, each of which may be called", func() string {
			return many(1000, func(i int) string {
				return tool(fmt.Sprintf("tool_%d", i), `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}`, `{"type":"object","properties":{"c":{"type":"string"}},"required":["c"]}`)
			})
		}),
		lists("one-name", "lists 50,000 tools of one name", func() string { return many(50_000, func(int) string { return plainTool }) }),
		lists("large-texts", "lists tools with names and descriptions of a megabyte", func() string {
			x := strings.Repeat("x", 1<<20)
			return plainTool + "," + tool(x, `{"type":"object"}`, "") + `,{"name":"a","title":"` + x + `","description":"` + x + `","inputSchema":{"type":"object","properties":{"` + x + `":{"type":"string","description":"` + x + `"}}}}`
		}),
		both("endless-pages", "has one more page for every page", answering(func(w io.Writer, r request) bool {
			if !strings.HasSuffix(r.method, "/list") {
				return false
			}
			cursor := r.params.Get("cursor").Str
			result(w, r, `{"resultType":"complete","`+strings.TrimSuffix(r.method, "/list")+`":[`+many(100, func(i int) string { return small(len(cursor)*1000 + i) })+`],"nextCursor":`+quoted(cursor+"x")+`}`)
			return true
		})),
		both("pages-of-large-cursors", "gives cursors of a megabyte that never end", answering(func(w io.Writer, r request) bool {
			if !strings.HasSuffix(r.method, "/list") {
				return false
			}
			n := len(r.params.Get("cursor").Str)
			result(w, r, `{"resultType":"complete","`+strings.TrimSuffix(r.method, "/list")+`":[],"nextCursor":"`+strings.Repeat("c", 1<<20+n%1000+1)+`"}`)
			return true
		})),
		both("other-lists", "offers 20,000 prompts, resources and templates at addresses of somebody else", func() talk {
			return talk{lists: map[string]string{
				"prompts/list":             `{"resultType":"complete","prompts":[` + many(20_000, func(i int) string { return fmt.Sprintf(`{"name":"p%d","arguments":[{"name":"a","required":true}]}`, i) }) + `]}`,
				"resources/list":           `{"resultType":"complete","resources":[` + many(20_000, func(i int) string { return fmt.Sprintf(`{"name":"r","uri":"%s/%d"}`, elsewhere, i) }) + `]}`,
				"resources/templates/list": `{"resultType":"complete","resourceTemplates":[` + many(20_000, func(i int) string { return fmt.Sprintf(`{"name":"t","uriTemplate":"%s/%d/{a}{?b*}"}`, elsewhere, i) }) + `]}`,
			}}
		}),
		both("changing-lists", "lists other tools each time", changing),
	}
}

func changing() talk {
	n := 0
	return talk{answer: func(w io.Writer, r request) bool {
		if r.method != "tools/list" {
			return false
		}
		n++
		result(w, r, fmt.Sprintf(`{"resultType":"complete","tools":[%s,%s]}`, plainTool, tool(fmt.Sprintf("tool_%d", n), fmt.Sprintf(`{"type":"object","properties":{"p%d":{"type":"string"}}}`, n), "")))
		return true
	}}
}
