package readers_test

import (
	"strconv"
	"strings"
)

// propertySchemas are odd schemas of one argument.
var propertySchemas = strings.Split(strings.TrimSpace(`
{}
[]
"x"
5
null
true
false
{"type":"strnig"}
{"type":"String"}
{"type":"any"}
{"type":"null"}
{"type":"object"}
{"type":"array"}
{"type":"integer"}
{"type":"number"}
{"type":"boolean"}
{"type":[]}
{"type":["string"]}
{"type":["string","null"]}
{"type":["null","string"]}
{"type":["string","string"]}
{"type":["string","integer"]}
{"type":["array","null"]}
{"type":["object","null"],"properties":{"x":{"type":"string"}}}
{"type":["string","nope"]}
{"type":[5]}
{"type":5}
{"type":null}
{"type":{"a":1}}
{"type":true}
{"enum":[]}
{"enum":null}
{"enum":"x"}
{"enum":{"a":1}}
{"enum":["x","x"]}
{"enum":["x","y"]}
{"enum":[1,2]}
{"enum":[1.5]}
{"enum":[true]}
{"enum":[null]}
{"enum":[1,"a",null,true,2.5]}
{"enum":[["a"],{"b":1}]}
{"type":"string","enum":["x",null]}
{"type":"integer","enum":["1","2"]}
{"type":"string","enum":[1,2]}
{"const":"x"}
{"const":5}
{"const":1.5}
{"const":true}
{"const":null}
{"const":{"a":1}}
{"const":["a"]}
{"type":"string","const":"x"}
{"const":"x","enum":["y"]}
{"type":"string","default":"q"}
{"type":"string","default":5}
{"type":"string","default":null}
{"type":"string","format":"date-time"}
{"type":"string","format":"uuid"}
{"type":"string","format":"slug-ish"}
{"type":"string","format":5}
{"type":"string","format":null}
{"type":"string","pattern":"("}
{"type":"string","pattern":"^a+$"}
{"type":"string","pattern":"\\p{L}"}
{"type":"string","pattern":"(?i)a"}
{"type":"string","pattern":5}
{"type":"string","minLength":1,"maxLength":5}
{"type":"string","minLength":"1"}
{"type":"string","minLength":-1}
{"type":"string","minLength":1.5}
{"type":"string","minLength":1.0}
{"type":"string","maxLength":null}
{"type":"integer","minimum":1,"maximum":5}
{"type":"integer","minimum":"one"}
{"type":"integer","minimum":null}
{"type":"number","minimum":0.5,"multipleOf":0.5}
{"type":"integer","exclusiveMinimum":true,"minimum":1}
{"type":"integer","exclusiveMinimum":1,"exclusiveMaximum":9}
{"type":"integer","exclusiveMaximum":null}
{"type":"integer","multipleOf":0}
{"type":"integer","multipleOf":-1}
{"type":"integer","multipleOf":"2"}
{"type":"number","maximum":1e400}
{"type":"number","maximum":12345678901234567890}
{"type":"number","maximum":1.0}
{"type":"array","items":{}}
{"type":"array","items":{"type":"string"}}
{"type":"array","items":true}
{"type":"array","items":false}
{"type":"array","items":null}
{"type":"array","items":"x"}
{"type":"array","items":[]}
{"type":"array","items":[{"type":"string"}]}
{"type":"array","items":[{"type":"string"},{"type":"integer"}],"additionalItems":false}
{"type":"array","prefixItems":[{"type":"string"}]}
{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"}}
{"type":"array","prefixItems":[{"type":"string"}],"items":false}
{"type":"array","prefixItems":[]}
{"type":"array","prefixItems":{}}
{"items":{"type":"string"}}
{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":3,"uniqueItems":true}
{"type":"array","items":{"type":"string"},"minItems":-1}
{"type":"array","items":{"type":"string"},"minItems":"1"}
{"type":"array","items":{"type":"string"},"uniqueItems":"x"}
{"type":"array","contains":{"type":"string"},"minContains":1}
{"type":"array","items":{"type":"array"}}
{"type":"array","items":{"type":"array","items":{"type":"array"}}}
{"type":"string","required":true}
{"type":"string","required":false}
{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}
{"type":"object","properties":{"x":{"type":"string"}},"required":["y"]}
{"type":"object","properties":{"x":{"type":"string"}},"required":["x","x"]}
{"type":"object","properties":{"x":{"type":"string"}},"required":"x"}
{"type":"object","properties":{"x":{"type":"string"}},"required":[1]}
{"type":"object","properties":{"x":{"type":"string"}},"required":[]}
{"type":"object","properties":{"x":{"type":"string"}},"required":null}
{"type":"object","properties":null}
{"type":"object","properties":[]}
{"type":"object","properties":"x"}
{"type":"object","properties":{"x":true}}
{"type":"object","properties":{"x":null}}
{"type":"object","properties":{"x":"string"}}
{"type":"object","properties":{"user name":{"type":"string"},"$x":{},"größe":{},"":{}}}
{"properties":{"x":{"type":"string"}}}
{"type":"object","additionalProperties":false}
{"type":"object","additionalProperties":true}
{"type":"object","additionalProperties":{"type":"string"}}
{"type":"object","additionalProperties":{}}
{"type":"object","additionalProperties":null}
{"type":"object","additionalProperties":"no"}
{"type":"object","additionalProperties":0}
{"type":"object","additionalProperties":[]}
{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":{"type":"array","items":[{"type":"string"}]}}
{"type":"object","patternProperties":{"^a":{"type":"string"}}}
{"type":"object","patternProperties":{"(":{}}}
{"type":"object","patternProperties":null}
{"type":"object","propertyNames":{"pattern":"^a"}}
{"type":"object","minProperties":1,"maxProperties":3}
{"type":"object","minProperties":-1}
{"type":"object","dependentRequired":{"a":["b"]},"dependentSchemas":{"b":{"required":["a"]}}}
{"type":"object","dependentRequired":{"a":"b"}}
{"type":"object","dependencies":{"a":["b"]}}
{"type":"object","dependencies":{"a":{"required":["b"]}}}
{"type":"object","unevaluatedProperties":false}
{"type":"object","unevaluatedProperties":null}
{"anyOf":[{"type":"string"},{"type":"null"}]}
{"anyOf":[{"type":"string"},{"type":"integer"}],"description":"d"}
{"anyOf":[{"const":"x"},{"const":"y"}]}
{"anyOf":[{"type":"string","enum":["x"]},{"type":"object","properties":{"k":{"type":"string"}},"required":["k"]}]}
{"anyOf":[]}
{"anyOf":{}}
{"anyOf":null}
{"anyOf":"x"}
{"anyOf":[true]}
{"anyOf":[null]}
{"anyOf":[{}]}
{"anyOf":[{"type":"string"}]}
{"type":"string","anyOf":[{"minLength":1},{"pattern":"^a"}]}
{"oneOf":[{"const":"x","title":"Ex"},{"const":"y","title":"Why"}]}
{"oneOf":[{"type":"string"},{"type":"integer"}]}
{"oneOf":[]}
{"oneOf":[5]}
{"allOf":[{"type":"string"},{"minLength":1}]}
{"allOf":[{"type":"object","properties":{"x":{"type":"string"}}},{"type":"object","properties":{"y":{"type":"string"}}}]}
{"allOf":[]}
{"allOf":[{"$ref":"#/$defs/N"}],"description":"d"}
{"not":{"type":"null"}}
{"not":{}}
{"not":true}
{"not":null}
{"if":{"type":"string"},"then":{"minLength":1},"else":{"type":"integer"}}
{"if":null}
{"then":true}
{"$ref":"#/$defs/N"}
{"$ref":"#/$defs/N","description":"sibling","default":"q"}
{"$ref":"#/$defs/Nope"}
{"$ref":"#/definitions/N"}
{"$ref":"#"}
{"$ref":""}
{"$ref":"#/properties/a"}
{"$ref":"https://example.com/other.json"}
{"$ref":"other.json"}
{"$ref":5}
{"$ref":null}
{"$ref":"not a uri %"}
{"$id":"https://example.com/a","type":"string"}
{"$id":5,"type":"string"}
{"$id":"#a","type":"string"}
{"$schema":"http://json-schema.org/draft-07/schema#","type":"string"}
{"$schema":5,"type":"string"}
{"$anchor":"a","type":"string"}
{"$anchor":"1 a","type":"string"}
{"$comment":5,"type":"string"}
{"$comment":"c","type":"string"}
{"$defs":{"X":{"type":"string"}},"type":"string"}
{"$defs":null,"type":"string"}
{"definitions":{"X":{"type":"nope"}},"type":"string"}
{"$dynamicRef":"#a"}
{"$dynamicAnchor":"a","type":"string"}
{"$recursiveRef":"#"}
{"$vocabulary":{"x":1},"type":"string"}
{"type":"string","title":"T"}
{"type":"string","title":5}
{"type":"string","title":null}
{"type":"string","description":"d"}
{"type":"string","description":5}
{"type":"string","description":null}
{"type":"string","description":""}
{"type":"string","description":["a"]}
{"type":"string","examples":["a"]}
{"type":"string","examples":"a"}
{"type":"string","example":"a"}
{"type":"string","readOnly":true,"writeOnly":false,"deprecated":true}
{"type":"string","readOnly":"x"}
{"type":"string","deprecated":1}
{"type":"string","nullable":true}
{"nullable":true}
{"type":"string","x-foo":{"a":[1]}}
{"type":"string","contentEncoding":"base64","contentMediaType":"image/png"}
{"type":"string","contentMediaType":5}
{"type":"string","contentSchema":{"type":"nope"}}
{"type":"string","enumNames":["a"]}
{"type":"string","enumDescriptions":["a"]}
{"type":"string","discriminator":{"propertyName":"x"}}
{"description":"only text"}
{"title":"only title"}
{"default":{"a":[1,2]}}
{"type":"object","properties":{"x":{"type":"array","items":[{"type":"string"}]}}}
{"type":"object","properties":{"x":{"type":"object","properties":{"y":{"type":"strnig"}}}}}
{"type":"object","properties":{"x":{"const":"c"},"y":{"anyOf":[{"const":1},{"type":"null"}]}}}
`), "\n")

// rootSchemas are odd schemas of a whole tool.
var rootSchemas = strings.Split(strings.TrimSpace(`
{"type":"object"}
{"type":"object","properties":{}}
{"type":"object","properties":{},"required":[]}
{"type":"object","properties":{"a":{"type":"string"}},"required":["a","a"]}
{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}
{"type":"object","required":["a"]}
{"properties":{"a":{"type":"string"}},"type":"object","title":"Root","description":"root text","$comment":"c","examples":[{"a":"x"}],"default":{}}
{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false,"$schema":"https://json-schema.org/draft/2020-12/schema"}
{"type":"object","properties":{"a":{"type":"string"}},"$schema":"http://json-schema.org/draft-04/schema#"}
{"type":"object","properties":{"a":{"type":"string"}},"$schema":"https://example.com/unknown"}
{"type":"object","properties":{"a":{"type":"string"}},"$schema":""}
{"type":"object","properties":{"a":{"type":"string"}},"$id":"https://example.com/s.json"}
{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"string"}}
{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":true}
{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":"no"}
{"type":"object","properties":{"a":{"type":"string"}},"patternProperties":{"^x":{"type":"string"}}}
{"type":"object","properties":{"a":{"type":"string"}},"minProperties":1}
{"type":"object","properties":{"a":{"type":"string"}},"nullable":true}
{"type":"object","properties":{"a":{"type":"string"}},"enum":[{"a":"x"}]}
{"type":"object","properties":{"a":{"type":"string"}},"const":{"a":"x"}}
{"type":"object","properties":{"a":{"type":"string"}},"not":{"required":["a"]}}
{"type":"object","properties":{"a":{"type":"string"}},"items":{"type":"string"}}
{"type":"object","properties":{"a":{"type":"string"}},"format":"x"}
{"type":"object","properties":{"a":{"type":"string"}},"x-vendor":1}
{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}
{"type":"object","properties":{"a":{"type":"string"}},"oneOf":[{"properties":{"b":{"type":"integer"}},"required":["b"]},{"properties":{"c":{"type":"string"}}}]}
{"type":"object","allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"integer"}}}]}
{"type":"object","anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}],"required":["a"]}
{"type":"object","anyOf":[]}
{"type":"object","anyOf":null}
{"type":"object","oneOf":{}}
{"type":"object","allOf":[{"$ref":"#/$defs/N"}],"$defs":{"N":{"properties":{"a":{"type":"string"}}}}}
{"type":"object","properties":{"a":{"type":"string"}},"if":{"required":["a"]},"then":{"required":["b"]},"else":false}
{"type":"object","properties":{"a":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"v":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}
{"type":"object","properties":{"a":{"$ref":"#/definitions/N"}},"definitions":{"N":{"type":"string","minLength":1}}}
{"type":"object","properties":{"a":{"type":"string"}},"$defs":{"Unused":{"type":"strnig"}}}
{"type":"object","properties":{"a":{"type":"string"}},"$ref":"#/$defs/N","$defs":{"N":{"type":"object"}}}
{"type":"object","properties":{"10":{"type":"string"},"2":{"type":"string"},"b":{"type":"string"},"a":{"type":"string"}}}
{"type":"object","properties":{"constructor":{"type":"string"},"toString":{"type":"string"},"hasOwnProperty":{"type":"string"}}}
{"type":"object","properties":{"__proto__":{"type":"string"}}}
{"type":"object","properties":{"wait_for_previous":{"type":"string"},"i":{"type":"string"}}}
{"type":"object","properties":{"a":{"type":"string"}},"__proto__":{"x":1}}
{"type":"object","type":"object","properties":{"a":{"type":"string"},"a":{"type":"integer"}}}
{"type":"object","properties":{"user name":{"type":"string"}}}
{"type":"object","properties":{"größe":{"type":"string"}}}
{"type":"object","properties":{"":{"type":"string"}}}
{"type":"object","properties":{"$a":{"type":"string"}}}
{"type":"object","properties":{"a[]":{"type":"string"}}}
{"type":"object","properties":{"a.b-c_d":{"type":"string"}}}
{"type":"object","properties":{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":{"type":"string"}}}
{"type":"object","properties":{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab":{"type":"string"}}}
`), "\n")

// toolNames are odd names.
var toolNames = []string{
	"", " ", "a b", "a.b", "a/b", "a:b", "a-b", "A_b", "1st", "-a", "_a", "__x__y__", "mcp__x__y", "größe", "日本語", "😀", "a😀b", "é", "ﬁ",
	"line\nbreak", "\u001b[31mred", "tab\there", `q"uote`, "back\\slash", "a\u200bb", "a\u202eb", "\ufeffa", "a\u0000b",
	"__proto__", "constructor", "toString", "ask_user", "read_file", "bash", "Bash", "task", "null", "true",
	strings.Repeat("n", 40), strings.Repeat("n", 50), strings.Repeat("n", 56), strings.Repeat("n", 57), strings.Repeat("n", 60), strings.Repeat("n", 64), strings.Repeat("n", 65), strings.Repeat("n", 100),
	strings.Repeat("n", 116), strings.Repeat("n", 119), strings.Repeat("n", 120), strings.Repeat("n", 128), strings.Repeat("n", 129), strings.Repeat("n", 200), strings.Repeat("n.", 40), strings.Repeat("é", 40), strings.Repeat("n_", 30) + "😀",
}

// descriptions are odd descriptions.
var descriptions = []string{
	"", " ", "\n", "a\u001b[31mb\u0007\u0000c", "a\u200bb\u200cc\u200dd\u2060e\ufefff", "a\u00adb\u061cc\u180ed", "a\u202eb\u2066c\u2069d", "\U000e0041\U000e0042x", "a\ue000b\U000f0000c",
	"a\ufe0fb", "a\u034fb\u115fc\u3164d\uffa0e", "a\u2028b\u2029c", "a\ufff9b\ufffbc\ufffdd\uffffe", "a\u0085b\u009bc\u007fd", "e\u0301 zwj 👨\u200d👩\u200d👧", "\u200e\u200f\u2061\u2062\u2063\u2064\u206a\u206f",
	"\U0001d173\U0001d17a", "a\u0300\u0488\u20ddb", "\r\n x \r", strings.Repeat("d", 4096), strings.Repeat("d", 4097), strings.Repeat("é", 4097), strings.Repeat("d", 4095) + "😀", strings.Repeat("word ", 2000), "<system-reminder>x</system-reminder>",
	"trailing \n\n", "\tlead",
}

// oddTools are tools with one oddity that a model would see.
func oddTools() []variant {
	var out []variant
	add := func(about, tool string) {
		raw := `{"tools":[{"name":"first","inputSchema":{"type":"object"}},` + tool + `,{"name":"last","inputSchema":{"type":"object"}}],"resultType":"complete","ttlMs":0,"cacheScope":"private"}`
		out = append(out, variant{Kind: "list", Raw: raw, name: about})
	}
	for _, s := range propertySchemas {
		add("property "+s, `{"name":"t","description":"d","inputSchema":{"type":"object","properties":{"a":`+s+`,"z":{"type":"string"}},"$defs":{"N":{"type":"string"}}}}`)
	}
	for _, s := range rootSchemas {
		add("root "+s, `{"name":"t","description":"d","inputSchema":`+s+`}`)
	}
	for _, n := range toolNames {
		add("name "+strconv.Quote(n), `{"name":`+quote(n)+`,"description":"d","inputSchema":{"type":"object"}}`)
	}
	for _, d := range descriptions {
		add("description "+strconv.Quote(short(d)), `{"name":"t","description":`+quote(d)+`,"inputSchema":{"type":"object","properties":{"a":{"type":"string","description":`+quote(d)+`,"enum":["x",`+quote(d)+`]}}}}`)
	}
	for _, pair := range [][2]string{{"a.b", "a_b"}, {"a_b", "a.b"}, {"A", "a"}, {"t", "t"}, {"first", "x"}, {"a b", "a/b"}, {"t", "T"}, {"😀", "😁"}, {"é", "è"}} {
		add("names "+pair[0]+" and "+pair[1], `{"name":`+quote(pair[0])+`,"description":"one","inputSchema":{"type":"object"}},{"name":`+quote(pair[1])+`,"description":"two","inputSchema":{"type":"object"}}`)
	}
	for _, m := range []string{`{"ui":{"visibility":["app"]}}`, `{"ui":{"visibility":["model"]}}`, `{"ui":{"visibility":["app","model"]}}`, `{"ui":{"visibility":[]}}`, `{"ui":{"visibility":"model"}}`, `{"ui":{"visibility":null}}`,
		`{"ui":{"visibility":[5]}}`, `{"ui":{}}`, `{"ui":"x"}`, `{"ui":null}`, `{"ui":[]}`, `{"ui":{"resourceUri":"ui://x"}}`, `{"ui/resourceUri":"ui://x"}`, `{"anthropic/alwaysLoad":"yes"}`, `{"anthropic/maxResultSizeChars":"big"}`,
		`{"anthropic/searchHint":5}`, `{"openai/outputTemplate":5}`, `{"openai/visibility":"private"}`, `{"openai/widgetAccessible":"x"}`, `{"ui":{"visibility":{"model":true}}}`, `{"ui":{"visibility":["Model"]}}`, `{"ui":5}`, `{"ui":{"visibility":["model",5]}}`} {
		add("_meta "+m, `{"name":"t","description":"d","inputSchema":{"type":"object"},"_meta":`+m+`}`)
	}
	for _, m := range []string{`"title":"Top"`, `"title":"Top","annotations":{"title":"Ann"}`, `"annotations":{"title":"Ann"}`, `"annotations":{"title":""}`, `"title":"a\nb\u001b[31m"`, `"annotations":{"readOnlyHint":true,"destructiveHint":true}`, `"annotations":{"openWorldHint":null}`,
		`"outputSchema":{"type":"array","items":{"type":"string"}}`, `"outputSchema":{"type":"string"}`, `"outputSchema":{}`, `"outputSchema":{"type":["object","null"]}`, `"outputSchema":{"type":"object","properties":{"a":{"type":"strnig"}}}`, `"outputSchema":{"type":"object","properties":{"a":{"pattern":"("}}}`,
		`"outputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/Nope"}}}`, `"outputSchema":{"type":"object","properties":{"a":{"$ref":"https://example.com/x.json"}}}`, `"outputSchema":{"type":"object","properties":{"a":true}}`, `"outputSchema":{"type":"object","properties":null}`, `"outputSchema":{"type":"object","required":"a"}`,
		`"outputSchema":{"type":"object","oneOf":[{}]}`, `"outputSchema":{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`, `"outputSchema":{"$schema":5,"type":"object"}`, `"outputSchema":{"type":"object","properties":{"a":{"minimum":"x"}}}`, `"outputSchema":{"type":"object","properties":{"a":{"enum":[]}}}`, `"outputSchema":{"type":"object","properties":{"a":{"nullable":true}}}`,
		`"outputSchema":true`, `"outputSchema":[]`, `"inputExamples":[{"a":1}]`, `"x":null`, `"icons":[{"src":"not a url"}]`, `"icons":[{"src":"x","sizes":["any"]},{"src":5}]`, `"execution":{"taskSupport":"required"}`, `"execution":{"taskSupport":"optional"}`, `"execution":{}`} {
		add(m, `{"name":"t","description":"d","inputSchema":{"type":"object"},`+m+`}`)
	}
	return out
}
