package sample

import (
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"strings"
	"unicode/utf8"
)

// checkHeaders compares the headers that 2026-07-28 mirrors with the body. A
// body that names no version is refused for that, later on.
func checkHeaders(x *exchange, h http.Header) *failure {
	version, ok := asObject(x.params["_meta"])[keyVersion].(string)
	if !ok {
		return nil
	}
	for _, check := range x.srv.do.http.headerChecks {
		if f := check(x, h, version); f != nil {
			return f
		}
	}
	return nil
}

// headerCheck looks at one of the mirrored headers.
type headerCheck func(x *exchange, h http.Header, version string) *failure

func headerChecks() []headerCheck {
	return []headerCheck{checkVersionHeader, checkMethodHeader, checkNameHeader, checkParamHeaders}
}

func mismatch(header, why string) *failure {
	return fail(codeHeaderMismatch, header+" "+why)
}

func checkVersionHeader(_ *exchange, h http.Header, version string) *failure {
	return sameHeader(h, "MCP-Protocol-Version", version)
}

func checkMethodHeader(x *exchange, h http.Header, _ string) *failure {
	return sameHeader(h, "Mcp-Method", x.method)
}

func sameHeader(h http.Header, name, want string) *failure {
	switch got := h.Values(name); {
	case len(got) == 0:
		return mismatch(name, "is missing")
	case len(got) > 1 || got[0] != want:
		return mismatch(name, "differs from the body")
	}
	return nil
}

// named are the methods with a name, and the member that holds it.
func named() map[string]string {
	return map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
}

func checkNameHeader(x *exchange, h http.Header, _ string) *failure {
	member, ok := named()[x.method]
	if !ok {
		return nil
	}
	want, ok := x.params[member].(string)
	if !ok {
		return nil // the body is wrong by itself
	}
	return encodedHeader(x, h, "Mcp-Name", func(got string) bool { return got == want })
}

// encodedHeader reads a header that may be in the base64 form and compares it.
func encodedHeader(x *exchange, h http.Header, name string, same func(string) bool) *failure {
	values := h.Values(name)
	if len(values) == 0 {
		return mismatch(name, "is missing")
	}
	got, ok := x.srv.do.http.decode(values[0])
	switch {
	case len(values) > 1 || !ok:
		return mismatch(name, "cannot be read")
	case !same(got):
		return mismatch(name, "differs from the body")
	}
	return nil
}

// decodeHeader reads a value: plain visible ASCII, or UTF-8 in base64 between exact markers.
func decodeHeader(v string) (string, bool) {
	inner, marked := strings.CutPrefix(v, "=?base64?")
	if marked {
		inner, marked = strings.CutSuffix(inner, "?=")
	}
	if !marked {
		for _, c := range []byte(v) {
			if c != '\t' && (c < 0x20 || c > 0x7e) {
				return "", false
			}
		}
		return v, true
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(inner)
	return string(raw), err == nil && utf8.Valid(raw)
}

// checkParamHeaders compares the arguments that a tool's schema mirrors into headers.
func checkParamHeaders(x *exchange, h http.Header, _ string) *failure {
	if x.method != "tools/call" {
		return nil
	}
	t := find(x.srv.do.tools, asString(x.params["name"]))
	if t == nil {
		return nil
	}
	return paramHeaders(x, h, t.input, asObject(x.params["arguments"]))
}

func paramHeaders(x *exchange, h http.Header, schema, args object) *failure {
	properties := asObject(schema["properties"])
	for _, key := range sortedKeys(properties) {
		property := asObject(properties[key])
		suffix, mirrored := property["x-mcp-header"].(string)
		if !mirrored {
			if f := paramHeaders(x, h, property, asObject(args[key])); f != nil {
				return f
			}
			continue
		}
		name, value := "Mcp-Param-"+suffix, args[key]
		if value == nil {
			if len(h.Values(name)) > 0 {
				return mismatch(name, "mirrors an argument that is not there")
			}
			continue
		}
		if !mirrorable(value) {
			continue // no header can say it; the schema refuses it
		}
		if f := encodedHeader(x, h, name, func(got string) bool { return mirrors(got, value) }); f != nil {
			return f
		}
	}
	return nil
}

// mirrors says that a header has the value of an argument; numbers are compared as numbers.
func mirrors(header string, value any) bool {
	switch v := value.(type) {
	case string:
		return header == v
	case bool:
		return header == map[bool]string{true: "true", false: "false"}[v]
	case json.Number:
		got, ok := new(big.Float).SetString(header)
		want, known := new(big.Float).SetString(string(v))
		return ok && known && got.Cmp(want) == 0
	}
	return false
}

// mirrorable says that a value fits into a header.
func mirrorable(value any) bool {
	switch value.(type) {
	case string, bool, json.Number:
		return true
	}
	return false
}
