package message

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The oracle is a set of JSON Schemas of server messages, one file a revision,
// written apart from the shapes. Frames that are right are changed in one place
// at a time; what the schemas refuse must be a fault of level must, and nothing
// else may be one, but for the rules that stand in prose alone.

// oracleDefs names the schema of what a method answers or carries.
func oracleDef(kind, method string) string {
	return map[string]string{
		"result initialize": "InitializeResult", "result server/discover": "DiscoverResult",
		"result tools/list": "ListToolsResult", "result tools/call": "CallToolResult",
		"result resources/list": "ListResourcesResult", "result resources/templates/list": "ListResourceTemplatesResult",
		"result resources/read": "ReadResourceResult", "result prompts/list": "ListPromptsResult",
		"result prompts/get": "GetPromptResult", "result completion/complete": "CompleteResult",
		"result tasks/get": "GetTaskResult", "result tasks/list": "ListTasksResult", "result subscriptions/listen": "SubscriptionsListenResult",
		"notice notifications/progress": "ProgressNotification", "notice notifications/message": "LoggingMessageNotification",
		"notice notifications/cancelled": "CancelledNotification", "notice notifications/tools/list_changed": "ToolListChangedNotification",
		"notice notifications/prompts/list_changed": "PromptListChangedNotification", "notice notifications/resources/list_changed": "ResourceListChangedNotification",
		"notice notifications/resources/updated": "ResourceUpdatedNotification", "notice notifications/elicitation/complete": "ElicitationCompleteNotification",
		"notice notifications/tasks/status": "TaskStatusNotification", "notice notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
		"request ping": "PingRequest", "request roots/list": "ListRootsRequest", "request sampling/createMessage": "CreateMessageRequest",
		"request elicitation/create": "ElicitRequest",
		"error -32022":               "UnsupportedProtocolVersionError", "error -32021": "MissingRequiredClientCapabilityError", "error -32020": "HeaderMismatchError",
		"error -32042": "URLElicitationRequiredError",
	}[kind+" "+method]
}

// prose are expectations that rest on a MUST sentence outside the schema.
func prose(f Fault) bool {
	if slices.ContainsFunc(f.Requirements, func(id string) bool {
		return slices.Contains([]string{"meta.key-prefix-grammar", "meta.trace-context-values", "versioning.extension-keys",
			"elicitation.url-valid", "subscriptions.acknowledged-id", "base.result-type-known", "mrtr.one-of-two", "mrtr.methods", "base.error-response-id"}, id)
	}) {
		return true
	}
	return strings.HasPrefix(f.Expected, "base64 ") || f.Expected == "an ISO 8601 time" || f.Expected == "at most 100 entries"
}

type oracle struct {
	t        *testing.T
	revision string
	compiler *jsonschema.Compiler
	defs     map[string]*jsonschema.Schema
}

func newOracle(t *testing.T, revision string) *oracle {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "oracle", revision+".json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("https://conform.invalid/mcp/"+revision+".json", doc); err != nil {
		t.Fatal(err)
	}
	return &oracle{t: t, revision: revision, compiler: c, defs: map[string]*jsonschema.Schema{}}
}

func (o *oracle) ok(def string, v any) bool {
	s := o.defs[def]
	if s == nil {
		var err error
		if s, err = o.compiler.Compile("https://conform.invalid/mcp/" + o.revision + ".json#/$defs/" + def); err != nil {
			o.t.Fatal(err)
		}
		o.defs[def] = s
	}
	return s.Validate(v) == nil
}

// accepts gives the oracle's verdict on a frame.
func (o *oracle) accepts(method string, v any) bool {
	m, _ := v.(map[string]any)
	name, _ := m["method"].(string)
	_, hasID := m["id"]
	switch {
	case m["error"] != nil:
		if !o.ok("JSONRPCError", v) {
			return false
		}
		e, _ := m["error"].(map[string]any)
		def := oracleDef("error", fmt.Sprint(e["code"]))
		return def == "" || o.missing(def) || o.ok(def, v)
	case name != "" && hasID:
		return o.ok(oracleDef("request", name), v)
	case name != "":
		if def := oracleDef("notice", name); def != "" && !o.missing(def) {
			return o.ok(def, v)
		}
		return o.ok("JSONRPCNotification", v)
	}
	r, _ := m["result"].(map[string]any)
	def := oracleDef("result", method)
	switch {
	case r["resultType"] == "input_required" && o.revision >= modern:
		def = "InputRequiredResult"
	case method == "tools/call" && r["task"] != nil && r["content"] == nil:
		def = "CreateTaskResult"
	case def == "":
		def = "Result"
	}
	return o.ok("JSONRPCResponse", v) && o.ok(def, m["result"])
}

func (o *oracle) missing(def string) bool {
	raw, _ := os.ReadFile(filepath.Join("testdata", "oracle", o.revision+".json"))
	return !bytes.Contains(raw, []byte(`"`+def+`": {`))
}

// mutants calls do with every value that differs from v in one place.
func mutants(v any, do func(what string, m any)) {
	mutate(v, "", func(what string, m any) { do(what, m) })
}

func mutate(v any, path string, do func(string, any)) {
	for _, other := range []any{nil, json.Number("0"), json.Number("1.5"), json.Number("-1"), true, "x", "", []any{}, map[string]any{}, []any{nil}, map[string]any{"zz": json.Number("1")}} {
		do(path+" = "+text(other), other)
	}
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			if path == "" && (k == "method" || k == "result" || k == "error") {
				continue // another kind of frame is another question
			}
			do(path+"/"+k+" gone", without(v, k))
		}
		do(path+"/zz added", with(v, "zz", true))
		for _, k := range keys {
			if path == "" && k == "method" {
				continue
			}
			mutate(v[k], path+"/"+k, func(what string, m any) { do(what, with(v, k, m)) })
		}
	case []any:
		for i := range v {
			mutate(v[i], fmt.Sprintf("%s/%d", path, i), func(what string, m any) {
				c := slices.Clone(v)
				c[i] = m
				do(what, c)
			})
		}
	}
}

func with(m map[string]any, key string, v any) map[string]any {
	c := without(m, key)
	c[key] = v
	return c
}

func without(m map[string]any, key string) map[string]any {
	c := map[string]any{}
	for k, v := range m {
		if k != key {
			c[k] = v
		}
	}
	return c
}

func text(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}

func TestMustsAgreeWithSchemas(t *testing.T) {
	t.Parallel()
	shapes := New()
	for _, revision := range Revisions()[1:] {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			o := newOracle(t, revision)
			wrong, right, proseOnly := 0, 0, 0
			for _, s := range samples(t) {
				if !s.in(revision) || s.Method == "initialize" && revision >= modern {
					continue // read by the shapes of another revision
				}
				v, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.Frame))
				if err != nil {
					t.Fatal(err)
				}
				mutants(v, func(what string, m any) {
					if _, object := m.(map[string]any); !object || len(m.(map[string]any)) < 2 {
						return
					}
					raw := []byte(text(m))
					want := o.accepts(s.Method, m)
					got, exempt := true, false
					for _, f := range shapes.Check(revision, raw, Context{Method: s.Method}) {
						if f.Level != Must {
							continue
						}
						if prose(f) {
							exempt = true
							continue
						}
						got = false
					}
					switch {
					case want && got && exempt:
						proseOnly++
					case want:
						right++
					default:
						wrong++
					}
					if want != got && (want || !exempt) {
						t.Errorf("%s %s: the schema says %v\n%s\n%+v", s.Name, what, want, raw, shapes.Check(revision, raw, Context{Method: s.Method}))
					}
				})
			}
			t.Logf("%d refused, %d accepted, %d broken by prose alone", wrong, right, proseOnly)
			if wrong < 1000 || right < 500 {
				t.Errorf("only %d refused and %d accepted mutants", wrong, right)
			}
		})
	}
}
