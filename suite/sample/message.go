package sample

import (
	"encoding/json"
	"math/big"
	"strings"
)

// The error codes of JSON-RPC 2.0 and of the protocol.
const (
	codeParse              = -32700
	codeInvalidRequest     = -32600
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeInternal           = -32603
	codeResourceNotFound   = -32002 // until 2025-11-25
	codeHeaderMismatch     = -32020 // from 2026-07-28
	codeMissingCapability  = -32021 // from 2026-07-28
	codeUnsupportedVersion = -32022 // from 2026-07-28
)

// failure is a JSON-RPC error before it is written.
type failure struct {
	code    int
	message string
	data    any
	// status is the HTTP status that belongs to it; 0 leaves the choice to the transport.
	status int
}

func fail(code int, message string) *failure { return &failure{code: code, message: message} }

func (f *failure) with(data any) *failure { f.data = data; return f }

func (f *failure) object() object {
	o := object{"code": f.code, "message": f.message}
	if f.data != nil {
		o["data"] = f.data
	}
	return o
}

type kind int

const (
	aRequest kind = iota
	aNotification
	aResponse
	anInvalid
)

// incoming is one message of the client.
type incoming struct {
	kind   kind
	id     any // string or json.Number; nil where there is none or it cannot be read
	method string
	params object
	raw    object
	// refused says what is wrong with an invalid message, or with the params of a request.
	refused *failure
}

// read sorts one JSON value into the kinds of JSON-RPC 2.0 messages. Members
// it does not know are left alone: the schemas are open.
func read(v any) incoming {
	raw, ok := v.(object)
	if !ok {
		return incoming{kind: anInvalid, refused: fail(codeInvalidRequest, "a message must be a JSON object")}
	}
	in := incoming{raw: raw, id: readID(raw["id"])}
	invalid := func(why string) incoming {
		in.kind, in.refused = anInvalid, fail(codeInvalidRequest, why)
		return in
	}
	if raw["jsonrpc"] != "2.0" {
		return invalid(`jsonrpc must be "2.0"`)
	}
	method, hasMethod := raw["method"]
	_, hasResult := raw["result"]
	_, hasError := raw["error"]
	_, hasID := raw["id"]
	if !hasMethod && hasID && (hasResult || hasError) {
		in.kind = aResponse
		return in
	}
	in.method, ok = method.(string)
	if !ok {
		return invalid("method must be a string")
	}
	if hasID && in.id == nil {
		return invalid("id must be a string or an integer")
	}
	if !hasID {
		in.kind = aNotification
	}
	switch params := raw["params"].(type) {
	case nil: // absent, or null, which some clients write for absent
		in.params = object{}
	case object:
		in.params = params
	default:
		in.params = object{}
		in.refused = fail(codeInvalidParams, "params must be an object")
	}
	return in
}

// readID returns a usable id, or nil.
func readID(v any) any {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		if isInteger(v) {
			return v
		}
	}
	return nil
}

// isInteger says that a number has no fraction. Exponents beyond any sensible
// value are refused rather than worked out.
func isInteger(n json.Number) bool {
	s := string(n)
	if !strings.ContainsAny(s, ".eE") {
		return true
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 && len(s)-i > 4 {
		return false
	}
	r, ok := new(big.Rat).SetString(s)
	return ok && r.IsInt()
}

// idKey tells ids apart by value and type.
func idKey(id any) string {
	switch id := id.(type) {
	case string:
		return "s" + id
	case json.Number:
		return "n" + string(id)
	}
	return ""
}
