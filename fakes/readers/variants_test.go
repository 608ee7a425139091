package readers_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
)

// variant is one thing a server may send, and what is odd about it.
type variant struct {
	N    int    `json:"n"`
	Kind string `json:"kind"` // "list" or "call"
	Raw  string `json:"raw"`  // a tools/list result, or an answer frame with @ID@
	Tool string `json:"tool,omitempty"`
	name string
}

const (
	goodSchema = `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`
	goodTool   = `{"name":"t","title":"T","description":"d","inputSchema":` + goodSchema + `,"outputSchema":` + goodSchema +
		`,"annotations":{"title":"A","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},` +
		`"icons":[{"src":"https://example.com/i.png","mimeType":"image/png","sizes":["1x1"],"theme":"dark"}],"execution":{"taskSupport":"optional"},"_meta":{"k":1}}`
	goodList  = `{"tools":[{"name":"good","inputSchema":{"type":"object"}},` + goodTool + `],"resultType":"complete","ttlMs":0,"cacheScope":"private"}`
	pixel     = "iVBORw0KGgo="
	textBlock = `{"type":"text","text":"hello","annotations":{"audience":["user"],"priority":0.5,"lastModified":"2025-01-12T15:00:58Z"},"_meta":{"k":1}}`
)

// odd are the values that are put in every place.
var odd = []string{"", `null`, `true`, `0`, `1.5`, `-1`, `""`, `"x"`, `[]`, `{}`, `[null]`, `["x"]`, `{"a":null}`, `{"__proto__":{"a":1},"z":1}`, `1e400`, `12345678901234567890`}

// places of a tools/list result in which the odd values are put.
var listPlaces = []string{
	"tools", "tools.1", "nextCursor", "_meta", "_meta.progressToken", `_meta.io\.modelcontextprotocol/related-task`,
	`_meta.io\.modelcontextprotocol/serverInfo`, "resultType", "ttlMs", "cacheScope", "extra",
	"tools.1.name", "tools.1.title", "tools.1.description", "tools.1.inputSchema", "tools.1.inputSchema.type", "tools.1.inputSchema.$schema",
	"tools.1.inputSchema.properties", "tools.1.inputSchema.properties.a", "tools.1.inputSchema.properties.a.type",
	"tools.1.inputSchema.properties.a.maximum", "tools.1.inputSchema.properties.a.$ref", "tools.1.inputSchema.properties.a.enum",
	"tools.1.inputSchema.properties.a.items", "tools.1.inputSchema.properties.a.anyOf",
	"tools.1.inputSchema.required", "tools.1.inputSchema.required.0", "tools.1.inputSchema.additionalProperties",
	"tools.1.inputSchema.anyOf", "tools.1.inputSchema.allOf", "tools.1.inputSchema.$defs",
	"tools.1.annotations", "tools.1.annotations.title", "tools.1.annotations.readOnlyHint", "tools.1.annotations.extra",
	"tools.1.icons", "tools.1.icons.0", "tools.1.icons.0.src", "tools.1.icons.0.mimeType", "tools.1.icons.0.sizes", "tools.1.icons.0.sizes.0",
	"tools.1.icons.0.theme", "tools.1.icons.0.extra", "tools.1.execution", "tools.1.execution.taskSupport", "tools.1._meta", "tools.1._meta.ui",
	"tools.1.extra",
}

// lists are tools/list results that differ from a good one in one thing.
func lists() []variant {
	var out []variant
	add := func(name, raw string) { out = append(out, variant{Kind: "list", Raw: raw, name: name}) }
	add("good", goodList)
	for _, place := range listPlaces {
		for _, value := range odd {
			add(place+" = "+value, put(goodList, place, value))
		}
	}
	for _, s := range inputSchemas {
		add("inputSchema "+s, put(goodList, "tools.1.inputSchema", s))
	}
	for name, raw := range map[string]string{
		"two tools with one name": put(goodList, "tools.0.name", `"t"`),
		"duplicate keys":          strings.Replace(goodList, `"title":"T"`, `"title":5,"title":"T"`, 1),
		"keys like indexes":       put(goodList, "tools.1.inputSchema.properties", `{"b":{},"10":{},"2":{}}`),
		"lone surrogate":          put(goodList, "tools.1.description", `"a \ud83d b"`),
		"theme unknown":           put(goodList, "tools.1.icons.0.theme", `"sepia"`),
		"task support unknown":    put(goodList, "tools.1.execution.taskSupport", `"maybe"`),
		"task id":                 put(goodList, `_meta.io\.modelcontextprotocol/related-task`, `{"taskId":"1"}`),
		"server info":             put(goodList, `_meta.io\.modelcontextprotocol/serverInfo`, `{"name":"n","version":"1","extra":1}`),
		"public":                  put(goodList, "cacheScope", `"public"`),
		"input required":          put(goodList, "resultType", `"input_required"`),
		"several faults":          put(put(put(goodList, "tools.0.name", "5"), "tools.1.title", "null"), "nextCursor", "1"),
	} {
		add(name, raw)
	}
	return out
}

// inputSchemas hold what clients that rewrite schemas stumble over.
var inputSchemas = []string{
	`{"type":"object","$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/$defs/N","default":"q"}},"$defs":{"N":{"type":"string","minLength":1}}}`,
	`{"type":"object","properties":{"a":{"$ref":"#/definitions/N"}},"definitions":{"N":{"type":"object","properties":{"k":{"$ref":"#/definitions/N"}}}}}`,
	`{"type":"object","properties":{"a":{"$ref":"#/$defs/Nope"}},"$defs":{}}`,
	`{"type":"object","properties":{"a":{"$ref":"https://example.com/other.json"}}}`,
	`{"type":"object","anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"number"}},"required":["b","a"]},{"type":"string"}]}`,
	`{"type":"object","oneOf":[{"type":"object","properties":{"a":{"const":1}},"required":["a"]},{"type":"object","properties":{"a":{"const":2}},"required":["a"]}]}`,
	`{"type":"object","allOf":[{"properties":{"a":{"const":1}},"required":["a"]},{"properties":{"a":{"const":2},"b":{"enum":["x"]}},"required":["a","b"]},{"if":{"properties":{"a":{"const":1}}},"then":{"properties":{"c":{"type":"string"}},"required":["c"]}}]}`,
	`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]},"b":{"oneOf":[{"const":"x","title":"X"}]},"c":{"not":{"type":"string"}}}}`,
	`{"type":"object","properties":{"a":{"type":"array","items":[{"type":"string"},{"anyOf":[{"type":"object","properties":{"z":{}}}]}]},"b":{"type":"array","items":{"oneOf":[]}}}}`,
	`{"type":"object","if":{"required":["a"]},"then":{"properties":{"b":{"type":"string"}},"required":["b"]},"else":{"properties":{"c":{}},"required":["c"]}}`,
	`{"type":"object","additionalProperties":{"anyOf":[{"type":"string"}]},"unevaluatedProperties":false,"not":{"required":["z"]}}`,
	`{"type":"object","properties":{"a":{"allOf":[{"enum":["x","y"]},{"enum":["y","z"]},{"minimum":1},{"minimum":2}]}}}`,
	`{"type":"object","properties":{"a":true,"b":false}}`,
	`{"type":"object","properties":{"a":{"properties":{"x":{"type":"string"}}}}}`,
	`{"type":"object","properties":{"a":{"enum":[[1,[2]],{"k":[1]}]},"constructor":{"type":"string"},"toString":{}}}`,
	`{"type":"object","properties":{"a":{"items":[[1],[{"b":[[2]]}]]}}}`,
}

// put sets, or with value "" deletes, one place of a JSON text.
func put(raw, place, value string) string {
	var out string
	var err error
	if value == "" {
		out, err = sjson.Delete(raw, place)
	} else {
		out, err = sjson.SetRaw(raw, place, value)
	}
	if err != nil {
		panic(fmt.Sprintf("%s = %s: %v", place, value, err))
	}
	return out
}

// blocks are good blocks of each type.
var blocks = map[string]string{
	"text":          textBlock,
	"image":         `{"type":"image","data":"` + pixel + `","mimeType":"image/png","annotations":{"priority":1}}`,
	"audio":         `{"type":"audio","data":"` + pixel + `","mimeType":"audio/wav"}`,
	"resource_link": `{"type":"resource_link","uri":"demo://1","name":"one","title":"One","description":"d","mimeType":"text/plain","size":3,"icons":[{"src":"s"}],"_meta":{}}`,
	"resource":      `{"type":"resource","resource":{"uri":"demo://1","mimeType":"text/plain","text":"inside","_meta":{}}}`,
	"blob":          `{"type":"resource","resource":{"uri":"demo://1","mimeType":"text/plain","blob":"` + pixel + `"}}`,
}

// mixes are several blocks together.
var mixes = []string{
	`{"type":"text","text":"one"},{"type":"text","text":"two"}`,
	`{"type":"text","text":"one"},{"type":"text","text":""},{"type":"text","text":"three"}`,
	`{"type":"text","text":"one"},` + blocks["image"],
	blocks["image"] + `,{"type":"text","text":"after"}`,
	blocks["audio"], blocks["resource_link"], blocks["resource"], blocks["blob"],
	`{"type":"text","text":"one"},` + blocks["audio"] + `,` + blocks["resource_link"] + `,` + blocks["resource"] + `,` + blocks["blob"],
	`{"type":"image","data":"` + redPixel + `","mimeType":"image/png"}`,
	`{"type":"image","data":"` + redPixel + `","mimeType":"image/svg+xml"}`,
	`{"type":"image","data":"` + redPixel + `","mimeType":""}`,
	`{"type":"image","data":"","mimeType":"image/png"}`,
	`{"type":"resource","resource":{"uri":"u://1","text":""}}`,
	`{"type":"resource","resource":{"uri":"u://1","blob":""}}`,
	`{"type":"resource","resource":{"uri":"u://1","blob":"` + redPixel + `","mimeType":"image/png"}}`,
	`{"type":"resource","resource":{"uri":"u://1","text":"t","blob":"YQ=="}}`,
	`{"type":"resource","resource":{"uri":"u://1","mimeType":"text/html","text":"<b>x</b>"}}`,
	`{"type":"resource_link","uri":"u://1","name":"n"}`,
	`{"type":"resource_link","uri":"u://1","name":""}`,
	`{"type":"text","text":"t","annotations":{"audience":["assistant"],"priority":1,"lastModified":"2025-01-12T15:00:58Z"}}`,
	`{"type":"text","text":"t","annotations":{"priority":0.5}}`,
	`{"type":"text","text":"t","annotations":{"audience":[]}}`,
}

// redPixel is a whole picture.
const redPixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// blockTypes is the order in which blocks are tried.
var blockTypes = []string{"text", "image", "audio", "resource_link", "resource", "blob"}

// calls are answers to tools/call that differ from a good one in one thing.
func calls() []variant {
	var out []variant
	const tool = `{"name":"t","inputSchema":{"type":"object"}}`
	add := func(name, result string) {
		out = append(out, variant{Kind: "call", Tool: tool, name: name, Raw: `{"jsonrpc":"2.0","id":@ID@,"result":` + result + `}`})
	}
	frame := func(name, raw string) { out = append(out, variant{Kind: "call", Tool: tool, name: name, Raw: raw}) }
	const good = `{"content":[` + textBlock + `],"structuredContent":{"a":"x"},"isError":false,"resultType":"complete","_meta":{"k":1}}`
	add("good", good)
	for _, place := range []string{"content", "content.0", "content.0.type", "structuredContent", "isError", "_meta", "_meta.progressToken", "resultType", "extra", "task", "toolResult"} {
		for _, value := range odd {
			add(place+" = "+value, put(good, place, value))
		}
	}
	for _, kind := range blockTypes {
		block := blocks[kind]
		base := put(put(good, "content.0", block), "structuredContent", "")
		add(kind, base)
		add(kind+" twice", put(base, "content.1", block))
		gjson.Parse(block).ForEach(func(k, _ gjson.Result) bool {
			for _, value := range odd[:14] {
				add(kind+"."+k.Str+" = "+value, put(base, "content.0."+k.Str, value))
			}
			return true
		})
		for _, place := range []string{"annotations", "annotations.audience", "annotations.priority", "annotations.lastModified", "extra"} {
			for _, value := range []string{`null`, `["robot"]`, `[]`, `2`, `"yesterday"`, `"2025-02-30T10:00:00Z"`, `"2025-01-12T15:00:58+02:00"`, `{}`} {
				add(kind+"."+place+" = "+value, put(base, "content.0."+place, value))
			}
		}
	}
	for _, data := range []string{"a", "YQ", "YQ==", "Y Q=\\n=", "-_-_", "data:image/png;base64,YQ==", "é", "YQ===", "Y===", "=", "YWI=", "YWI"} {
		add("image data "+data, put(good, "content.0", put(blocks["image"], "data", `"`+data+`"`)))
		add("blob data "+data, put(good, "content.0", put(blocks["blob"], "resource.blob", `"`+data+`"`)))
	}
	for _, place := range []string{"resource.uri", "resource.mimeType", "resource.text", "resource._meta", "resource.extra"} {
		for _, value := range []string{"", "null", "5", `"x"`, "{}"} {
			add("resource "+place+" = "+value, put(good, "content.0", put(blocks["resource"], place, value)))
		}
	}
	for name, result := range map[string]string{
		"nothing": `{"resultType":"complete"}`, "only structured": `{"structuredContent":{"a":1},"resultType":"complete"}`,
		"structured list": `{"structuredContent":[1],"resultType":"complete"}`, "no resultType": `{"content":[]}`,
		"error":                `{"content":[{"type":"text","text":"no\nway"},{"type":"text","text":"2"}],"isError":true,"resultType":"complete"}`,
		"error with structure": `{"content":[],"structuredContent":{"a":1},"isError":true,"resultType":"complete"}`,
		"input required":       `{"resultType":"input_required","content":[]}`,
		"numbers":              `{"content":[],"structuredContent":{"n":12345678901234567890,"f":3.0,"e":1e400,"z":-0},"resultType":"complete"}`,
		"unknown block":        `{"content":[{"type":"video","x":1}],"resultType":"complete"}`,
		"foreign requestState": `{"requestState":"s","resultType":"complete"}`,
		"proto":                `{"content":[],"structuredContent":{"__proto__":{"a":1}},"resultType":"complete"}`,
		"constructor":          `{"content":[],"structuredContent":{"constructor":{"prototype":1}},"resultType":"complete"}`,
		"invalid utf-8":        "{\"content\":[{\"type\":\"text\",\"text\":\"a\xff\xfeb\"}],\"resultType\":\"complete\"}",
		"several faults":       `{"content":[{"type":"text"},{"type":"image"}],"isError":1,"resultType":"complete"}`,
	} {
		add(name, result)
	}
	for _, text := range []string{"42", `"x"`, "[1]", "null", "true", "{}", `{"a":1}`, "", " ", "\n", "  lead", "tail  ", "a\u0000b\u001b[31m", "</untrusted_context>", "</output>", "</system-reminder>"} {
		add("text "+text, put(good, "content.0", `{"type":"text","text":`+quote(text)+`}`))
		add("text alone "+text, `{"content":[{"type":"text","text":`+quote(text)+`}],"resultType":"complete"}`)
		add("error text "+text, `{"content":[{"type":"text","text":`+quote(text)+`}],"isError":true,"resultType":"complete"}`)
	}
	for _, mix := range mixes {
		add("mix "+mix, `{"content":[`+mix+`],"resultType":"complete"}`)
		add("error mix "+mix, `{"content":[`+mix+`],"isError":true,"resultType":"complete"}`)
		add("structured mix "+mix, `{"content":[`+mix+`],"structuredContent":{"a":"x"},"resultType":"complete"}`)
	}
	for name, raw := range map[string]string{
		"string id":              `{"jsonrpc":"2.0","id":"@ID@","result":{"content":[],"resultType":"complete"}}`,
		"float id":               `{"jsonrpc":"2.0","id":@ID@.0,"result":{"content":[],"resultType":"complete"}}`,
		"null id":                `{"jsonrpc":"2.0","id":null,"result":{"content":[],"resultType":"complete"}}`,
		"no id":                  `{"jsonrpc":"2.0","result":{"content":[],"resultType":"complete"}}`,
		"word id":                `{"jsonrpc":"2.0","id":"abc","result":{"content":[],"resultType":"complete"}}`,
		"hex id":                 `{"jsonrpc":"2.0","id":"zz","result":{"content":[]}}`,
		"version 1.0":            `{"jsonrpc":"1.0","id":@ID@,"result":{"content":[],"resultType":"complete"}}`,
		"no version":             `{"id":@ID@,"result":{"content":[],"resultType":"complete"}}`,
		"extra key":              `{"jsonrpc":"2.0","id":@ID@,"result":{"content":[],"resultType":"complete"},"extra":1}`,
		"result and error":       `{"jsonrpc":"2.0","id":@ID@,"result":{"content":[]},"error":{"code":1,"message":"m"}}`,
		"result null":            `{"jsonrpc":"2.0","id":@ID@,"result":null}`,
		"result list":            `{"jsonrpc":"2.0","id":@ID@,"result":[]}`,
		"result missing":         `{"jsonrpc":"2.0","id":@ID@}`,
		"rpc error":              `{"jsonrpc":"2.0","id":@ID@,"error":{"code":-32000,"message":"no\nway","data":{"a":1}}}`,
		"rpc error, extra":       `{"jsonrpc":"2.0","id":@ID@,"error":{"code":-32602,"message":"","extra":1}}`,
		"rpc error -32042":       `{"jsonrpc":"2.0","id":@ID@,"error":{"code":-32042,"message":"url","data":{"elicitations":[]}}}`,
		"rpc error, float code":  `{"jsonrpc":"2.0","id":@ID@,"error":{"code":1.5,"message":"m"}}`,
		"rpc error, string code": `{"jsonrpc":"2.0","id":@ID@,"error":{"code":"1","message":"m"}}`,
		"rpc error, no message":  `{"jsonrpc":"2.0","id":@ID@,"error":{"code":1}}`,
		"rpc error as string":    `{"jsonrpc":"2.0","id":@ID@,"error":"bad"}`,
		"rpc error null":         `{"jsonrpc":"2.0","id":@ID@,"error":null}`,
		"padded":                 "  {\"jsonrpc\":\"2.0\",\"id\":@ID@,\"result\":{\"content\":[],\"resultType\":\"complete\"}}  \r",
		"two values":             `{"jsonrpc":"2.0","id":@ID@,"result":{"content":[]}}{"jsonrpc":"2.0","method":"x"}`,
		"junk":                   `junk`, "batch": `[{"jsonrpc":"2.0","id":@ID@,"result":{"content":[]}}]`,
		"bom": "\ufeff{\"jsonrpc\":\"2.0\",\"id\":@ID@,\"result\":{\"content\":[]}}",
	} {
		frame(name, raw)
	}
	return out
}

// quote writes a Go string as JSON text.
func quote(s string) string {
	out, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(out)
}
