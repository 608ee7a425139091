package scenarios

import "fmt"

// searchServer lists the pair, and answers both with details and a text.
func searchServer(name, want, check, search, fetch string) hostCase {
	return hostCase{check: check, name: name, tools: searchTools(`{"query":{"type":"string"}}`, `{"id":{"type":"string"}}`), want: want,
		answers: map[string]string{`search {"query":"tea"}`: search, `fetch {"id":"1"}`: fetch}}
}

func searchTools(search, fetch string) string {
	return fmt.Sprintf(`[{"name":"search","inputSchema":{"type":"object","properties":%s,"required":["query"]},"annotations":{"readOnlyHint":true}},
		{"name":"fetch","inputSchema":{"type":"object","properties":%s,"required":["id"]},"annotations":{"readOnlyHint":true}}]`, search, fetch)
}

// copied is a result with details and their JSON as text.
func copied(details string) string {
	return fmt.Sprintf(`{"content":[{"type":"text","text":%q}],"structuredContent":%s}`, details, details)
}

func hostSearchCases() []hostCase {
	const shape, address = "host-chatgpt/search-fetch-shape", "host-chatgpt/search-fetch-url"
	const query, id = `{"query":{"type":"string"}}`, `{"id":{"type":"string"}}`
	found := copied(`{"results":[{"id":"1","title":"Tea","url":"https://example.com/1"}]}`)
	page := copied(`{"id":"1","title":"Tea","text":"Leaves.","url":"https://example.com/1","metadata":{"by":"me"}}`)
	failed := `{"isError":true,"content":[{"type":"text","text":"There is none."}]}`
	return []hostCase{
		searchServer("right", "pass", shape, found, page),
		searchServer("nothing found", "pass", shape, copied(`{"results":[]}`), failed),
		searchServer("text alone", "no structuredContent", shape, `{"content":[{"type":"text","text":"{\"results\":[]}"}]}`, failed),
		searchServer("a bare list", "no list results", shape, copied(`{"items":[]}`), failed),
		searchServer("no title", "results[0]: no text title, url", shape, copied(`{"results":[{"id":"1"}]}`), failed),
		searchServer("a number for an id", "no text id", shape, copied(`{"results":[{"id":1,"title":"Tea","url":""}]}`), failed),
		searchServer("two blocks", "2 blocks instead of one text block", shape, `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"structuredContent":{"results":[]}}`, failed),
		searchServer("another text", "the text is not the JSON", shape, `{"content":[{"type":"text","text":"Found nothing."}],"structuredContent":{"results":[]}}`, failed),
		searchServer("a page without text", "no text text", shape, failed, copied(`{"id":"1","title":"Tea","url":"x"}`)),
		searchServer("neither works", "unseen", shape, failed, failed),
		{check: shape, name: "not read-only", tools: `[{"name":"search","inputSchema":{"properties":` + query + `}},{"name":"fetch","inputSchema":{"properties":` + id + `}}]`, want: "readOnlyHint is not true"},
		{check: shape, name: "search alone", tools: oneTool("search", ""), want: "na"},
		{check: shape, name: "fetch of an address", tools: searchTools(query, `{"url":{"type":"string"}}`), want: "na"},
		{check: shape, name: "search of a folder", tools: `[{"name":"search","inputSchema":{"properties":{"query":{"type":"string"},"path":{"type":"string"}},"required":["query","path"]}},
			{"name":"fetch","inputSchema":{"properties":` + id + `}}]`, want: "na"},

		searchServer("right", "pass", address, found, page),
		searchServer("empty", `the url of result 1 is ""`, address, copied(`{"results":[{"id":"1","title":"Tea","url":""}]}`), page),
		searchServer("relative", `is "/1"`, address, failed, copied(`{"id":"1","title":"Tea","text":"Leaves.","url":"/1"}`)),
		searchServer("missing is told by the shape", "pass", address, copied(`{"results":[{"id":"1"}]}`), failed),
		{check: address, name: "no pair", tools: oneTool("search", ""), want: "na"},
	}
}
