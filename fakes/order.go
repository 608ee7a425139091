package fakes

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// frameOrder says in which order a client writes the members of its frames.
// Servers with readers of their own have been tripped by the order, and a fake
// that is compared with its original has to agree in it.
type frameOrder string

const (
	plainOrder frameOrder = "plain"
	sdkOrder   frameOrder = "sdk"
	sdk2Order  frameOrder = "sdk-v2"
	aiOrder    frameOrder = "ai-sdk"
)

// request writes a request. own says that params were given by the caller, and
// not added for the sake of _meta; aside that it is no ordinary numbered request.
func (o frameOrder) request(method string, params json.RawMessage, id string, own, aside bool) []byte {
	m := member("method", quote(method))
	p := member("params", string(params))
	i := member("id", id)
	switch {
	case o == plainOrder || o == sdk2Order && aside:
		return object(version, i, m, p)
	case o == sdk2Order && !own:
		return object(m, version, i, p)
	}
	return object(m, p, version, i)
}

// metaFirst says that _meta comes before the other members of params.
func (o frameOrder) metaFirst(method string) bool {
	return o == plainOrder || o == sdk2Order && method == "subscriptions/listen"
}

func (o frameOrder) notification(method string, params json.RawMessage) []byte {
	m, p := member("method", quote(method)), member("params", string(params))
	if o == aiOrder || o == sdkOrder && method != "notifications/cancelled" {
		return object(m, p, version)
	}
	return object(version, m, p)
}

// response writes an answer of ours; kind is "result" or "error".
func (o frameOrder) response(kind string, body json.RawMessage, id string) []byte {
	if kind == "result" && (o == sdkOrder || o == sdk2Order) {
		return object(member(kind, string(body)), version, member("id", id))
	}
	return object(version, member("id", id), member(kind, string(body)))
}

const version = `"jsonrpc":"2.0"`

func quote(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

// member is one member of an object, "" when it has no value.
func member(name, raw string) string {
	if raw == "" {
		return ""
	}
	return `"` + name + `":` + raw
}

func object(members ...string) []byte {
	var b strings.Builder
	b.WriteByte('{')
	for _, m := range members {
		if m == "" {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(m)
	}
	b.WriteByte('}')
	return []byte(b.String())
}

// arrange puts the named members of an object first, in the order of names.
// Everything else, duplicates too, stays as it is.
func arrange(raw json.RawMessage, names []string) json.RawMessage {
	root := gjson.ParseBytes(raw)
	if len(names) == 0 || !root.IsObject() {
		return raw
	}
	type pair struct{ key, text string }
	var all []pair
	root.ForEach(func(k, v gjson.Result) bool {
		all = append(all, pair{k.Str, k.Raw + ":" + v.Raw})
		return true
	})
	placed := make([]bool, len(all))
	var out []string
	for _, n := range names {
		for i, p := range all {
			if p.key == n && !placed[i] {
				placed[i] = true
				out = append(out, p.text)
			}
		}
	}
	for i, p := range all {
		if !placed[i] {
			out = append(out, p.text)
		}
	}
	return object(out...)
}
