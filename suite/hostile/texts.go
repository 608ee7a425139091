package hostile

import (
	"fmt"
	"io"
	"strings"
)

// texts mean something to a terminal, a browser, a spreadsheet, a shell, a
// build service or a reader's eye. ELSEWHERE stands for an address.
var texts = [...]string{
	"\x1b[2J\x1b[31mred\x1b]0;title\x07\x1b]8;;ELSEWHERE/osc8\x07link\x1b]8;;\x07\x1b]52;c;ZWNobyBvd25lZA==\x07\x9b31m",
	"\u202egnp.exe\u2066\u2069\u200b\u200d\ufeff\u2028\u2029\u0085\u061c tags \U000e0041\U000e0042",
	"nul\x00 bell\a back\b\b\b feed\f tab\t return\rover line\nend del\x7f",
	`</script><script>fetch("ELSEWHERE/script");alert(1)</script><img src="ELSEWHERE/img" onerror=alert(1)><svg onload=alert(1)>`,
	`--></style></title></textarea></template><iframe src="ELSEWHERE/frame"></iframe><link rel=stylesheet href="ELSEWHERE/css"><meta http-equiv=refresh content="0;url=ELSEWHERE/meta">`,
	`]]></failure></testcase><!DOCTYPE x [<!ENTITY e SYSTEM "ELSEWHERE/dtd">]>&e;<![CDATA[`,
	`=HYPERLINK("ELSEWHERE/csv","x")`, `@SUM(1+9)*cmd|' /C calc'!A0`, `+1+cmd`, `-2+3`,
	"::error file=a,line=1::owned\n::add-mask::x\n##[group]x\n::stop-commands::x",
	"`; rm -rf ~ $(touch /tmp/owned) `touch /tmp/owned` ${IFS}'\"\\",
	"![x](ELSEWHERE/md) [x](javascript:alert(1)) <details open ontoggle=alert(1)> | a | b |\n|---|---|\n```\n# heading @everyone #1 ~~x~~",
	`javascript:alert(1)`, `__proto__`, `{{.}}{{template "x"}}${7*7}#{7*7}<%= 7*7 %>`, "%s%n%x%%n", "\xff\xfe broken \xed\xa0\x80 bytes",
}

// attack is all texts in one, or one of them, with an address in the places for one.
func attacks(elsewhere string) []string {
	out := make([]string, 0, len(texts)+1)
	for _, t := range texts {
		out = append(out, strings.ReplaceAll(t, "ELSEWHERE", elsewhere))
	}
	return append(out, strings.Join(out, " "))
}

// textServers put attacks on readers into every text that a report may show.
func textServers(elsewhere string) []Server {
	all := attacks(elsewhere)
	whole := quoted(all[len(all)-1])
	named := func(name, about string, t talk) Server {
		s := both(name, about, func() talk { return t })
		s.Texts = true
		return s
	}
	var tools []string
	for i, a := range all {
		q := quoted(a)
		tools = append(tools, `{"name":`+q+`,"title":`+q+`,"description":`+q+`,"annotations":{"title":`+q+`,"readOnlyHint":true},"icons":[{"src":`+quoted(elsewhere+"/icon")+`,"mimeType":`+q+`}],`+
			`"inputSchema":{"type":"object","properties":{`+q+`:{"type":"string","description":`+q+`,"enum":[`+q+`],"pattern":`+q+`,"default":`+q+`}},"required":[`+q+`]},"_meta":{`+q+`:`+q+`}}`,
			tool(fmt.Sprintf("plain_%d", i), `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{`+q+`:{"type":"integer"}},"required":[`+q+`]}`))
	}
	info := `{"name":` + whole + `,"title":` + whole + `,"version":` + whole + `,"websiteUrl":` + quoted(elsewhere+"/site") + `,"description":` + whole + `,"icons":[{"src":` + quoted(elsewhere+"/icon") + `}]}`
	return []Server{
		named("texts-in-listings", "puts attacks on readers into names, titles, descriptions and schemas", talk{info: info, instructions: whole, tools: "[" + plainTool + "," + strings.Join(tools, ",") + "]",
			lists: map[string]string{
				"prompts/list":             `{"prompts":[{"name":` + whole + `,"title":` + whole + `,"arguments":[{"name":` + whole + `,"description":` + whole + `,"required":true}]}]}`,
				"resources/list":           `{"resources":[{"name":` + whole + `,"uri":` + whole + `,"mimeType":` + whole + `,"description":` + whole + `}]}`,
				"resources/templates/list": `{"resourceTemplates":[{"name":` + whole + `,"uriTemplate":` + whole + `}]}`,
			}}),
		named("texts-in-answers", "puts attacks on readers into what calls answer", talk{
			result: `{"resultType":"complete","content":[{"type":"text","text":` + whole + `},{"type":` + whole + `,"text":1}],"structuredContent":{` + whole + `:` + whole + `},` + whole + `:1}`}),
		named("texts-in-tool-errors", "puts attacks on readers into tool errors", talk{result: `{"resultType":"complete","isError":true,"content":[{"type":"text","text":` + whole + `}]}`}),
		named("texts-in-errors", "puts attacks on readers into protocol errors", talk{fail: `{"code":-32000,"message":` + whole + `,"data":{` + whole + `:[` + whole + `]}}`}),
		named("texts-in-versions", "names attacks on readers as revisions and result types", talk{answer: func(w io.Writer, r request) bool {
			switch r.method {
			case "initialize":
				result(w, r, `{"protocolVersion":`+whole+`,"capabilities":{`+whole+`:{}},"serverInfo":`+info+`}`)
			case "server/discover":
				result(w, r, `{"resultType":`+whole+`,"supportedVersions":[`+whole+`],"capabilities":{}}`)
			case "tools/call":
				result(w, r, `{"resultType":`+whole+`,"inputRequests":{`+whole+`:{"method":`+whole+`}}}`)
			default:
				return false
			}
			return true
		}}),
		named("texts-in-methods", "asks and tells with attacks on readers as methods and tokens", talk{before: func(w io.Writer, _ request) {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"method":%s,"params":{"message":%s}}`+"\n", whole, whole, whole)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","method":%s,"params":{"progressToken":%s,"level":%s}}`+"\n", whole, whole, whole)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":%s,"data":%s}}`+"\n", whole, whole)
		}}),
		{Name: "texts-as-junk", About: "writes attacks on readers to stdout and stderr, as they are", Texts: true, Stdio: func(p *Process) {
			for _, a := range all {
				fmt.Fprintln(p.Out, a)
				fmt.Fprintln(p.Err, a)
			}
			(&talk{fail: `{"code":1,"message":` + whole + `}`}).stdio(p)
		}},
		named("texts-as-keys-of-errors", "refuses the opening with attacks on readers", talk{answer: func(w io.Writer, r request) bool {
			if r.id == "" {
				return false
			}
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":%s,"data":{"supported":[%s],"requested":%s}}}`+"\n", r.id, whole, whole, whole)
			return true
		}}),
	}
}
