package hostile

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// inPlace answers every call with this result, given as a function so that large
// ones are made only by the server that needs them.
func inPlace(method string, body func() string) func(io.Writer, request) bool {
	return func(w io.Writer, r request) bool {
		if r.method != method {
			return false
		}
		result(w, r, body())
		return true
	}
}

// nested is one value in depth arrays or objects.
func nested(open, inner, shut string, depth int) string {
	return strings.Repeat(open, depth) + inner + strings.Repeat(shut, depth)
}

// digits is a number of a million digits.
func digits() string { return strings.Repeat("123456789", 1_000_000/9) }

// frameServers send frames that are hard to read.
func frameServers(elsewhere string) []Server {
	calls := func(name, about string, body func() string) Server {
		return both(name, about, answering(inPlace("tools/call", body)))
	}
	content := func(structured string) string {
		return `{"resultType":"complete","content":[{"type":"text","text":"found"}],"structuredContent":` + structured + `}`
	}
	lists := func(name, about string, tools func() string) Server {
		return both(name, about, answering(inPlace("tools/list", func() string { return `{"resultType":"complete","tools":` + tools() + `}` })))
	}
	junk := func(name, about string, junk ...string) Server {
		return both(name, about, func() talk {
			return talk{before: func(w io.Writer, r request) {
				for _, j := range junk {
					fmt.Fprintln(w, strings.NewReplacer("%ID", r.id, "%DIGITS", digits()).Replace(j))
				}
			}}
		})
	}
	return []Server{
		calls("deep-arrays", "answers with arrays nested 100,000 deep", func() string { return content(`{"a":` + nested("[", "1", "]", 100_000) + `}`) }),
		calls("deep-objects", "answers with objects nested 9,000 deep, which JSON readers allow", func() string { return content(nested(`{"a":`, "1", "}", 9_000)) }),
		lists("deep-listing", "lists a tool whose schema is nested 9,000 deep", func() string {
			return "[" + plainTool + "," + tool("deep", nested(`{"type":"object","properties":{"a":`, `{"type":"string"}`, "}}", 4_500), "") + "]"
		}),
		junk("deep-junk", "puts 100,000 brackets before every answer", strings.Repeat("[", 100_000)),
		calls("long-numbers", "answers with numbers of a million digits", func() string {
			return content(`{"a":` + digits() + `,"b":-0.` + digits() + `,"c":1e` + digits()[:9] + `,"d":1e-999999999}`)
		}),
		lists("long-numbers-in-schemas", "lists limits of a million digits", func() string {
			return "[" + plainTool + "," + tool("long", `{"type":"object","properties":{"n":{"type":"integer","minimum":`+digits()+`,"multipleOf":0.`+digits()+`},"m":{"type":"number","maximum":1e999999999,"minLength":1e400}}}`, "") + "]"
		}),
		junk("long-ids", "answers ids of a million digits and a megabyte first", `{"jsonrpc":"2.0","id":%DIGITS,"result":{}}`, `{"jsonrpc":"2.0","id":"%DIGITS","result":{}}`),
		calls("broken-utf8", "answers with bytes that are not UTF-8", func() string {
			return content("{\"a\xff\xfe\":\"\xed\xa0\x80\xc0\xaf\xf8\x88\x80\x80\x80 half \xe2\x82\",\"\\ud800\":\"\\udfff\"}")
		}),
		lists("broken-utf8-names", "lists names that are not UTF-8", func() string {
			return "[" + plainTool + "," + tool("a", `{"type":"object","properties":{"\xff":{"type":"string","description":"\xc3\x28"}}}`, "") + ",{\"name\":\"b\xff\xfe\",\"inputSchema\":{\"type\":\"object\"}}]"
		}),
		both("duplicate-keys", "writes every member of a frame twice, and some ten thousand times", answering(func(w io.Writer, r request) bool {
			if r.id == "" {
				return false
			}
			var b strings.Builder
			(&talk{}).plain(&b, r)
			body := strings.TrimSuffix(strings.TrimPrefix(b.String(), "{"), "}\n")
			fmt.Fprintf(w, `{"id":12345,"result":5,"error":{"code":1},"method":"ping",%s,"method":7,%s%s}`+"\n", body, strings.Repeat(`"jsonrpc":"1.0",`, 10_000), body)
			return true
		})),
		junk("scalars", "writes scalars, arrays and empty objects before each answer", "null", "true", "0", `""`, "[]", "{}", "[[]]", `[null]`, `[{"jsonrpc":"2.0"}]`, "NaN", "-", "{", `{"jsonrpc":"2.0","id":%ID}`,
			`{"jsonrpc":"2.0","id":null,"result":{}}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`, `{"jsonrpc":"2.0","method":5}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":[1],"result":[]}`),
		junk("byte-order-marks", "begins its lines with byte order marks, NUL and shift-in", "\ufeff", "\ufeff{}", "\x00{}", "\x0e{}\x0f", "\u2028", "\u0085"),
		both("batches", "answers each request in a batch of 20,000", answering(func(w io.Writer, r request) bool {
			if r.id == "" {
				return false
			}
			one := `{"jsonrpc":"2.0","id":` + r.id + `,"result":{"content":[]}}`
			fmt.Fprintf(w, "[%s%s]\n", strings.Repeat(one+",", 20_000), one)
			return true
		})),
		both("wrong-types", "answers with every member of another type than it should be", wrongTypes),
		both("wrong-members", "answers with nothing but names that mean something to readers", func() talk {
			return talk{
				info: `{"name":"__proto__","version":"constructor","__proto__":{"name":"x"}}`, capabilities: `{"__proto__":{},"constructor":{},"tools":{"__proto__":null}}`,
				tools:  `[` + plainTool + `,{"name":"__proto__","inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"object"}},"__proto__":{}}},{"name":"toString","inputSchema":{"type":"object"}}]`,
				result: `{"__proto__":{"isError":true},"content":[{"type":"__proto__"},{"type":"text","text":"x","toString":1}],"structuredContent":{"__proto__":1,"valueOf":2,"hasOwnProperty":3}}`,
			}
		}),
		both("random-members", "throws away, doubles and swaps parts of its answers at random", answering(scrambled)),
		calls("wide-object", "answers with half a million members", func() string {
			var b strings.Builder
			for n := range 500_000 {
				fmt.Fprintf(&b, `,"k%d":%d`, n, n)
			}
			return content("{" + b.String()[1:] + "}")
		}),
		calls("many-blocks", "answers with 100,000 content blocks", func() string {
			return `{"resultType":"complete","content":[` + strings.Repeat(`{"type":"text","text":"x"},{"type":"image","data":"AA==","mimeType":"image/png"},`, 50_000) + `{"type":"text","text":"x"}]}`
		}),
		calls("addresses", "answers with addresses of somebody else in every place", func() string {
			a := quoted(elsewhere + "/content")
			return `{"resultType":"complete","content":[{"type":"resource_link","uri":` + a + `,"name":"x","icons":[{"src":` + a + `}]},{"type":"resource","resource":{"uri":` + a + `,"text":"![x](` + elsewhere + `/md)"}},` +
				`{"type":"text","text":"<img src=` + elsewhere + `/img> ![i](` + elsewhere + `/i) [l](` + elsewhere + `/l) ` + elsewhere + `/plain"}]}`
		}),
	}
}

// wrongTypes is a talk of values of the wrong type.
func wrongTypes() talk {
	return talk{
		info: `[]`, capabilities: `"all"`, instructions: `{"a":1}`,
		tools:  `[` + plainTool + `,null,5,"x",[],{},{"name":5},{"name":null,"inputSchema":null},{"name":"a","inputSchema":[]},{"name":"b","inputSchema":"object"},{"name":"c","inputSchema":{"type":5,"properties":[],"required":"x"},"outputSchema":5,"annotations":[],"title":{},"description":9,"icons":{},"_meta":[]},{"name":{"a":1},"inputSchema":{"type":"object","properties":{"a":5,"b":null,"c":[]}}}]`,
		result: `{"content":{"type":"text"},"structuredContent":[],"isError":"yes","_meta":5}`,
		lists: map[string]string{"prompts/list": `{"prompts":{"a":1}}`, "resources/list": `[]`, "resources/templates/list": `{"resourceTemplates":[null,5,{"uriTemplate":7,"name":[]}]}`,
			"completion/complete": `{"completion":{"values":"x","total":"many"}}`, "ping": `5`},
	}
}

// scrambled writes the ordinary answer with bytes of it thrown away, doubled or swapped.
func scrambled(w io.Writer, r request) bool {
	if r.id == "" || r.method == "initialize" || r.method == "server/discover" {
		return false
	}
	var b strings.Builder
	(&talk{}).plain(&b, r)
	text := []byte(strings.TrimSuffix(b.String(), "\n"))
	dice := rand.New(rand.NewPCG(uint64(len(r.id)), uint64(r.params.Index+len(r.params.Raw))))
	for range 1 + dice.IntN(6) {
		at := dice.IntN(len(text))
		switch dice.IntN(4) {
		case 0:
			text[at] = byte(dice.IntN(256))
		case 1:
			text = append(text[:at], text[min(len(text), at+1+dice.IntN(8)):]...)
		case 2:
			text = append(text[:at:at], append([]byte(strings.Repeat(string(text[at:min(len(text), at+9)]), 3)), text[at:]...)...)
		case 3:
			other := dice.IntN(len(text))
			text[at], text[other] = text[other], text[at]
		}
		if len(text) == 0 {
			text = []byte("{}")
		}
	}
	fmt.Fprintln(w, strings.ReplaceAll(string(text), "\n", " "))
	return true
}
