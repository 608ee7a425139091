package message

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func result(body string) string { return `{"jsonrpc":"2.0","id":1,"result":` + body + `}` }

func failure(body string) string { return `{"jsonrpc":"2.0","id":1,"error":` + body + `}` }

func asking(requests string) string {
	return result(`{"resultType":"input_required","inputRequests":` + requests + `}`)
}

func form(properties string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":` + properties + `}}}`
}

// TestFaults names the place, the expectation and the level of wrong frames.
func TestFaults(t *testing.T) {
	t.Parallel()
	const (
		v24 = "2024-11-05"
		v03 = "2025-03-26"
		v06 = "2025-06-18"
		v11 = "2025-11-25"
		v26 = "2026-07-28"
	)
	tests := []struct {
		name, revision, method, frame string
		ctx                           Context
		want                          []Fault
	}{
		{name: "hint of the wrong type", revision: v11, method: "tools/list",
			frame: result(`{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes"}}]}`),
			want:  []Fault{{Path: "result.tools[1].annotations.readOnlyHint", Expected: "a boolean", Observed: `"yes"`, Level: Must, Requirements: []string{"tools.def.annotations-types"}, Section: "schema#toolannotations"}}},
		{name: "no input schema", revision: v11, method: "tools/list", frame: result(`{"tools":[{"name":"a"}]}`),
			want: []Fault{{Path: "result.tools[0].inputSchema", Expected: "an object", Observed: "nothing", Level: Must, Requirements: []string{"tools.def.input-schema-object"}, Section: "server/tools#tool"}}},
		{name: "null description and cursor", revision: v06, method: "tools/list", frame: result(`{"tools":[{"name":"a","description":null,"inputSchema":{"type":"object"}}],"nextCursor":null}`),
			want: []Fault{{Path: "result.nextCursor", Expected: "a string", Observed: "null", Level: Must, Requirements: []string{"pagination.next-cursor-type"}, Section: "server/utilities/pagination"},
				{Path: "result.tools[0].description", Expected: "a string", Observed: "null", Level: Must, Requirements: []string{"tools.def.description-string"}, Section: "server/tools#tool"}}},
		{name: "boolean property schema before 2026", revision: v11, method: "tools/list", frame: result(`{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x y":true}}}]}`),
			want: []Fault{{Path: `result.tools[0].inputSchema.properties["x y"]`, Expected: "an object", Observed: "true", Level: Must, Requirements: []string{"tools.def.input-schema-properties"}, Section: "server/tools#tool"}}},
		{name: "output schema that is no object, 2025", revision: v11, method: "tools/list", frame: result(`{"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}]}`),
			want: []Fault{{Path: "result.tools[0].outputSchema.type", Expected: `"object"`, Observed: `"array"`, Level: Must, Requirements: []string{"structured-output.schema-object"}, Section: "server/tools#tool"}}},
		{name: "tool name is advice", revision: v11, method: "tools/list", frame: result(`{"tools":[{"name":"a/b","inputSchema":{"type":"object"}}]}`),
			want: []Fault{{Path: "result.tools[0].name", Expected: "1 to 128 letters, digits, _, - and .", Observed: `"a/b"`, Level: Should, Requirements: []string{"tool-names.length", "tool-names.characters"}, Section: "server/tools#tool-names"}}},
		{name: "tool name before there was advice", revision: v06, method: "tools/list", frame: result(`{"tools":[{"name":"a/b","inputSchema":{"type":"object"}}]}`)},
		{name: "icon without source, odd size", revision: v11, method: "tools/list", frame: result(`{"tools":[{"name":"a","inputSchema":{"type":"object"},"icons":[{"sizes":["big"],"theme":"blue"}]}]}`),
			want: []Fault{{Path: "result.tools[0].icons[0].theme", Expected: `one of "light", "dark"`, Observed: `"blue"`, Level: Must, Requirements: []string{"icons.theme"}, Section: "basic/index#icons"},
				{Path: "result.tools[0].icons[0].src", Expected: "a string", Observed: "nothing", Level: Must, Requirements: []string{"icons.src"}, Section: "basic/index#icons"},
				{Path: "result.tools[0].icons[0].sizes[0]", Expected: "a size such as 48x48, or any", Observed: `"big"`, Level: Should, Requirements: []string{"icons.sizes"}, Section: "basic/index#icons"}}},
		{name: "caching hints missing", revision: v26, method: "tools/list", frame: result(`{"resultType":"complete","tools":[],"ttlMs":-1}`),
			want: []Fault{{Path: "result.ttlMs", Expected: "a number not below 0", Observed: "-1", Level: Must, Requirements: []string{"caching.ttl-value"}, Section: "server/utilities/caching#cacheable-results"},
				{Path: "result.cacheScope", Expected: "public or private", Observed: "nothing", Level: Must, Requirements: []string{"caching.hints-tools-list"}, Section: "server/utilities/caching#cacheable-results"}}},
		{name: "caching hints in 2025 do no harm", revision: v11, method: "tools/list", frame: result(`{"tools":[],"ttlMs":-1,"resultType":7}`)},

		{name: "unknown block", revision: v11, method: "tools/call", frame: result(`{"content":[{"type":"hologram"}]}`),
			want: []Fault{{Path: "result.content[0].type", Expected: `one of "text", "image", "audio", "resource", "resource_link"`, Observed: `"hologram"`, Level: Must, Requirements: []string{"content.known-types"}, Section: "schema#contentblock"}}},
		{name: "link before there were links", revision: v03, method: "tools/call", frame: result(`{"content":[{"type":"resource_link","uri":"a:b","name":"n"}]}`),
			want: []Fault{{Path: "result.content[0].type", Expected: `one of "text", "image", "audio", "resource"`, Observed: `"resource_link"`, Level: Must, Requirements: []string{"content.known-types"}, Section: "schema#contentblock"}}},
		{name: "audio before there was audio", revision: v24, method: "tools/call", frame: result(`{"content":[{"type":"audio","data":"AAAA","mimeType":"audio/wav"}]}`),
			want: []Fault{{Path: "result.content[0].type", Expected: `one of "text", "image", "resource"`, Observed: `"audio"`, Level: Must, Requirements: []string{"content.known-types"}, Section: "schema#contentblock"}}},
		{name: "block without type", revision: v11, method: "tools/call", frame: result(`{"content":[{"text":"a"},"b"]}`),
			want: []Fault{{Path: "result.content[0].type", Expected: `one of "text", "image", "audio", "resource", "resource_link"`, Observed: "nothing", Level: Must, Requirements: []string{"content.known-types"}, Section: "schema#contentblock"},
				{Path: "result.content[1]", Expected: "an object", Observed: `"b"`, Level: Must, Requirements: []string{"content.known-types"}, Section: "schema#contentblock"}}},
		{name: "content left out", revision: v11, method: "tools/call", frame: result(`{"structuredContent":[1],"isError":"no"}`),
			want: []Fault{{Path: "result.structuredContent", Expected: "an object", Observed: "[1]", Level: Must, Requirements: []string{"structured-output.is-object"}, Section: "server/tools#structured-content"},
				{Path: "result.isError", Expected: "a boolean", Observed: `"no"`, Level: Must, Requirements: []string{"tools.call.is-error-boolean"}, Section: "server/tools#tool-result"},
				{Path: "result.content", Expected: "an array", Observed: "nothing", Level: Must, Requirements: []string{"tools.call.content-array"}, Section: "server/tools#tool-result"}}},
		{name: "image without type, odd base64", revision: v06, method: "tools/call", frame: result(`{"content":[{"type":"image","data":"a-_b"}]}`),
			want: []Fault{{Path: "result.content[0].mimeType", Expected: "a string", Observed: "nothing", Level: Must, Requirements: []string{"content.image"}, Section: "schema#imagecontent"},
				{Path: "result.content[0].data", Expected: "base64 with the standard alphabet and padding", Observed: `"a-_b"`, Level: Should, Requirements: []string{"content.image-base64"}, Section: "schema#imagecontent"}}},
		{name: "base64 in a prompt is a must", revision: v06, method: "prompts/get", frame: result(`{"messages":[{"role":"user","content":{"type":"image","data":"a-_b","mimeType":"image/png"}}]}`),
			want: []Fault{{Path: "result.messages[0].content.data", Expected: "base64 with the standard alphabet and padding", Observed: `"a-_b"`, Level: Must, Requirements: []string{"prompts.get.image-base64"}, Section: "server/prompts#image-content"}}},
		{name: "resource with neither and with both", revision: v11, method: "resources/read", frame: result(`{"contents":[{"uri":"a:b"},{"uri":"a:b","text":"","blob":""}]}`),
			want: []Fault{{Path: "result.contents[0]", Expected: "text or blob", Observed: "neither", Level: Must, Requirements: []string{"resources.read.shape"}, Section: "server/resources#resource-contents"},
				{Path: "result.contents[1]", Expected: "either text or blob", Observed: "both", Level: Should, Requirements: []string{"resources.read.shape"}, Section: "server/resources#resource-contents"}}},
		{name: "blob that is no base64", revision: v11, method: "resources/read", frame: result(`{"contents":[{"uri":"a:b","blob":"A"}]}`),
			want: []Fault{{Path: "result.contents[0].blob", Expected: "base64 with the standard alphabet and padding", Observed: `"A"`, Level: Must, Requirements: []string{"resources.read.blob-base64"}, Section: "server/resources#reading-resources"}}},
		{name: "priority out of range, odd time", revision: v11, method: "resources/list", frame: result(`{"resources":[{"uri":"a:b","name":"n","annotations":{"priority":1.5,"lastModified":"yesterday"}}]}`),
			want: []Fault{{Path: "result.resources[0].annotations.priority", Expected: "a number from 0 to 1", Observed: "1.5", Level: Must, Requirements: []string{"annotations.priority"}, Section: "server/resources#annotations"},
				{Path: "result.resources[0].annotations.lastModified", Expected: "an ISO 8601 time", Observed: `"yesterday"`, Level: Should, Requirements: []string{"annotations.last-modified"}, Section: "server/resources#annotations"}}},
		{name: "uri without scheme", revision: v11, method: "resources/list", frame: result(`{"resources":[{"uri":"a b","name":"n"}]}`),
			want: []Fault{{Path: "result.resources[0].uri", Expected: "a URI with a scheme", Observed: `"a b"`, Level: Should, Requirements: []string{"resources.def.uri"}, Section: "server/resources#resource"}}},
		{name: "keys of _meta", revision: v11, method: "ping", frame: result(`{"_meta":{"ok":1,"a.b/c":1,"-x":1,"1a/b":1,"openai/extensions":1,"a/":1}}`),
			want: []Fault{{Path: `result._meta["-x"]`, Expected: "a key of the form prefix/name, where the prefix is dot-joined labels", Observed: `"-x"`, Level: Must, Requirements: []string{"meta.key-prefix-grammar", "meta.key-name-grammar"}, Section: "basic/index#meta"},
				{Path: `result._meta["1a/b"]`, Expected: "a key of the form prefix/name, where the prefix is dot-joined labels", Observed: `"1a/b"`, Level: Must, Requirements: []string{"meta.key-prefix-grammar", "meta.key-name-grammar"}, Section: "basic/index#meta"}}},
		{name: "keys of _meta before the grammar", revision: v03, method: "ping", frame: result(`{"_meta":{"-x":1}}`)},
		{name: "_meta no object", revision: v11, method: "ping", frame: result(`{"_meta":[]}`),
			want: []Fault{{Path: "result._meta", Expected: "an object", Observed: "[]", Level: Must, Requirements: []string{"meta.is-object"}, Section: "basic/index#meta"}}},

		{name: "no resultType", revision: v26, method: "tools/call", frame: result(`{"content":[]}`),
			want: []Fault{{Path: "result.resultType", Expected: "a string", Observed: "nothing", Level: Must, Requirements: []string{"base.result-type"}, Section: "basic/index#resulttype"}}},
		{name: "unknown resultType", revision: v26, method: "tools/call", frame: result(`{"resultType":"done"}`),
			want: []Fault{{Path: "result.resultType", Expected: `"complete" or "input_required"`, Observed: `"done"`, Level: Must, Requirements: []string{"base.result-type-known"}, Section: "basic/index#resulttype"}}},
		{name: "task without the extension", revision: v26, method: "tools/call", frame: result(`{"resultType":"task"}`),
			want: []Fault{{Path: "result.resultType", Expected: `"complete" or "input_required"`, Observed: `"task"`, Level: Must, Requirements: []string{"base.result-type-known", "tasks-extension.opt-in"}, Section: "basic/index#resulttype"}}},
		{name: "task with the extension", revision: v26, method: "tools/call", frame: result(`{"resultType":"task"}`), ctx: Context{Extensions: []string{"io.modelcontextprotocol/tasks"}}},
		{name: "neither questions nor state", revision: v26, method: "tools/call", frame: result(`{"resultType":"input_required","ttlMs":0}`),
			want: []Fault{{Path: "result", Expected: "inputRequests or requestState", Observed: "neither", Level: Must, Requirements: []string{"mrtr.one-of-two"}, Section: "basic/patterns/mrtr#server-requirements-basic-workflow"},
				{Path: "result.ttlMs", Expected: "no such member", Observed: "0", Level: Should, Requirements: []string{"caching.not-on-input-required"}, Section: "basic/patterns/mrtr#server-requirements-basic-workflow"}}},
		{name: "questions that are not called so", revision: v26, method: "tools/call", frame: result(`{"resultType":"complete","content":[],"inputRequests":{"a":{"method":"roots/list"}}}`)},
		{name: "questions without resultType", revision: v26, method: "tools/call", frame: result(`{"inputRequests":{"a":{"method":"roots/list"}}}`),
			want: []Fault{{Path: "result.resultType", Expected: "a string", Observed: "nothing", Level: Must, Requirements: []string{"base.result-type"}, Section: "basic/index#resulttype"}}},
		{name: "question of a list", revision: v26, method: "tools/list", frame: result(`{"resultType":"input_required","requestState":"s"}`),
			want: []Fault{{Path: "result.resultType", Expected: `"complete", as this method asks for nothing`, Observed: `"input_required"`, Level: Must, Requirements: []string{"mrtr.methods"}, Section: "basic/patterns/mrtr#supported-requests"}}},
		{name: "unknown question", revision: v26, method: "tools/call", frame: asking(`{"a":{"method":"ping"}}`),
			want: []Fault{{Path: "result.inputRequests.a.method", Expected: `one of "elicitation/create", "sampling/createMessage", "roots/list"`, Observed: `"ping"`, Level: Must, Requirements: []string{"mrtr.request-kinds"}, Section: "basic/patterns/mrtr#server-requirements-basic-workflow"}}},
		{name: "question with an id", revision: v26, method: "tools/call", frame: asking(`{"a":{"method":"roots/list","id":1}}`),
			want: []Fault{{Path: "result.inputRequests.a.id", Expected: "no such member", Observed: "1", Level: Note, Requirements: []string{"elicitation.input-request-shape"}, Section: "basic/patterns/mrtr#server-requirements-basic-workflow"}}},
		{name: "key of questions twice", revision: v26, method: "tools/call", frame: asking(`{"a":{"method":"roots/list"},"a":{"method":"roots/list"}}`),
			want: []Fault{{Path: "result.inputRequests.a", Expected: "each key once", Observed: "the key stands twice", Level: Must, Requirements: []string{"mrtr.keys-unique"}, Section: "basic/patterns/mrtr#server-requirements-basic-workflow"}}},
		{name: "visit without address", revision: v26, method: "tools/call", frame: asking(`{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"here"}}}`),
			want: []Fault{{Path: "result.inputRequests.a.params.url", Expected: "a URL", Observed: `"here"`, Level: Must, Requirements: []string{"elicitation.url-valid"}, Section: "client/elicitation#url-mode-elicitation-requests"}}},

		{name: "nested object in a form", revision: v11, frame: form(`{"a":{"type":"object","properties":{}}}`),
			want: []Fault{{Path: "params.requestedSchema.properties.a.type", Expected: `one of "string", "number", "integer", "boolean", "array"`, Observed: `"object"`, Level: Must, Requirements: []string{"elicitation.schema-flat"}, Section: "client/elicitation#requested-schema"}}},
		{name: "field format unknown", revision: v11, frame: form(`{"a":{"type":"string","format":"phone"}}`),
			want: []Fault{{Path: "params.requestedSchema.properties.a.format", Expected: `one of "email", "uri", "date", "date-time"`, Observed: `"phone"`, Level: Must, Requirements: []string{"elicitation.schema-string"}, Section: "client/elicitation#requested-schema"}}},
		{name: "numbers to choose from pass the schema and break the subset", revision: v11, frame: form(`{"a":{"type":"string","enum":[1]}}`),
			want: []Fault{{Path: "params.requestedSchema.properties.a.enum[0]", Expected: "a string", Observed: "1", Level: Should, Requirements: []string{"elicitation.schema-enum"}, Section: "client/elicitation#requested-schema"}}},
		{name: "keyword that forms do not have", revision: v11, frame: form(`{"a":{"type":"number","multipleOf":2}}`),
			want: []Fault{{Path: "params.requestedSchema.properties.a.multipleOf", Expected: "no member but type, title, description, minimum, maximum, default", Observed: `"multipleOf"`, Level: Should, Requirements: []string{"elicitation.schema-known-keywords"}, Section: "client/elicitation#requested-schema"}}},
		{name: "pattern, shown by the page of 2025-11-25", revision: v11, frame: form(`{"a":{"type":"string","pattern":"x"}}`),
			want: []Fault{{Path: "params.requestedSchema.properties.a.pattern", Expected: "no such member", Observed: `"x"`, Level: Note, Requirements: []string{"elicitation.schema-pattern"}, Section: "client/elicitation#requested-schema"}}},
		{name: "unknown mode", revision: v11, frame: `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"voice","message":"m"}}`,
			want: []Fault{{Path: "params.mode", Expected: `one of "form", "url"`, Observed: `"voice"`, Level: Must, Requirements: []string{"elicitation.form-mode-value"}, Section: "client/elicitation#elicitation-requests"}}},
		{name: "form without params", revision: v06, frame: `{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`,
			want: []Fault{{Path: "params", Expected: "an object", Observed: "nothing", Level: Must, Requirements: []string{"elicitation.form-schema-present"}, Section: "client/elicitation#elicitation-requests"}}},

		{name: "request from a server", revision: v26, frame: `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":7}`,
			want: []Fault{{Path: "method", Expected: "no request from a server", Observed: `"sampling/createMessage"`, Level: Must, Requirements: []string{"base.no-server-requests", "sampling.through-mrtr"}, Section: "basic/patterns/index"}}},
		{name: "notification with an id", revision: v11, frame: `{"jsonrpc":"2.0","id":1,"method":"notifications/progress","params":{"progressToken":1,"progress":1}}`,
			want: []Fault{{Path: "id", Expected: "no id in a notification", Observed: "1", Level: Must, Requirements: []string{"base.notification-has-no-id"}, Section: "basic/index#notifications"}}},
		{name: "request with id null", revision: v11, frame: `{"jsonrpc":"2.0","id":null,"method":"ping"}`,
			want: []Fault{{Path: "id", Expected: "a string or an integer", Observed: "null", Level: Must, Requirements: []string{"base.server-request-id"}, Section: "basic/index#requests"}}},
		{name: "progress without number", revision: v11, frame: `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1.5,"progress":"half"}}`,
			want: []Fault{{Path: "params.progressToken", Expected: "a string or an integer", Observed: "1.5", Level: Must, Requirements: []string{"progress.shape"}, Section: "basic/utilities/progress"},
				{Path: "params.progress", Expected: "a number", Observed: `"half"`, Level: Must, Requirements: []string{"progress.shape"}, Section: "basic/utilities/progress"}}},
		{name: "log without params", revision: v11, frame: `{"jsonrpc":"2.0","method":"notifications/message"}`,
			want: []Fault{{Path: "params", Expected: "an object", Observed: "nothing", Level: Must, Requirements: []string{"logging.message-shape"}, Section: "server/utilities/logging#log-message-notifications"}}},
		{name: "log of an unknown level", revision: v11, frame: `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warn"}}`,
			want: []Fault{{Path: "params.level", Expected: `one of "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"`, Observed: `"warn"`, Level: Must, Requirements: []string{"logging.message-shape"}, Section: "server/utilities/logging#log-message-notifications"},
				{Path: "params.data", Expected: "a value", Observed: "nothing", Level: Must, Requirements: []string{"logging.message-shape"}, Section: "server/utilities/logging#log-message-notifications"}}},
		{name: "cancellation without id", revision: v06, frame: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`,
			want: []Fault{{Path: "params.requestId", Expected: "a string or an integer", Observed: "nothing", Level: Must, Section: "basic/utilities/cancellation"}}},
		{name: "acknowledgement without id", revision: v26, frame: `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{}}}`,
			want: []Fault{{Path: "params._meta", Expected: "an object", Observed: "nothing", Level: Must, Requirements: []string{"subscriptions.acknowledged-id"}, Section: "basic/patterns/subscriptions#acknowledgment"}}},
		{name: "params that are an array", revision: v11, frame: `{"jsonrpc":"2.0","method":"x/y","params":[1]}`,
			want: []Fault{{Path: "params", Expected: "an object", Observed: "[1]", Level: Must, Requirements: []string{"base.notification-params-object"}, Section: "basic/index#notifications"}}},

		{name: "too many completions", revision: v03, method: "completion/complete", frame: result(`{"completion":{"total":-1,"values":[` + repeat(`"a"`, 101) + `]}}`),
			want: []Fault{{Path: "result.completion.values", Expected: "at most 100 entries", Observed: "101 entries", Level: Must, Requirements: []string{"completion.at-most-100"}, Section: "server/utilities/completion"},
				{Path: "result.completion.total", Expected: "a number not below 0", Observed: "-1", Level: Should, Requirements: []string{"completion.total-and-more"}, Section: "server/utilities/completion"}}},
		{name: "extension without prefix", revision: v26, method: "server/discover", frame: result(`{"resultType":"complete","ttlMs":0,"cacheScope":"public","supportedVersions":[],"capabilities":{"extensions":{"tasks":true}}}`),
			want: []Fault{{Path: "result.capabilities.extensions.tasks", Expected: "an object", Observed: "true", Level: Must, Requirements: []string{"versioning.extension-settings-object"}, Section: "schema#servercapabilities"},
				{Path: "result.capabilities.extensions.tasks", Expected: "an extension identifier of the form prefix/name", Observed: `"tasks"`, Level: Must, Requirements: []string{"versioning.extension-keys"}, Section: "basic/versioning#extension-negotiation"}}},
		{name: "task without times", revision: v11, method: "tools/call", frame: result(`{"task":{"taskId":"t","status":"running","ttl":null,"createdAt":"now"}}`),
			want: []Fault{{Path: "result.task.status", Expected: `one of "working", "input_required", "completed", "failed", "cancelled"`, Observed: `"running"`, Level: Must, Requirements: []string{"tasks.create-result"}, Section: "basic/utilities/tasks#behavior-requirements"},
				{Path: "result.task.createdAt", Expected: "an ISO 8601 time", Observed: `"now"`, Level: Must, Requirements: []string{"tasks.timestamps"}, Section: "basic/utilities/tasks#behavior-requirements"},
				{Path: "result.task.lastUpdatedAt", Expected: "a string", Observed: "nothing", Level: Must, Requirements: []string{"tasks.timestamps"}, Section: "basic/utilities/tasks#behavior-requirements"}}},

		{name: "code as text", revision: v11, frame: failure(`{"code":"-32600","message":null}`),
			want: []Fault{{Path: "error.code", Expected: "an integer", Observed: `"-32600"`, Level: Must, Requirements: []string{"base.error-code-integer"}, Section: "basic/index#responses"},
				{Path: "error.message", Expected: "a string", Observed: "null", Level: Must, Requirements: []string{"base.error-message-string"}, Section: "basic/index#responses"}}},
		{name: "unsupported version without data", revision: v26, frame: failure(`{"code":-32022,"message":"no"}`),
			want: []Fault{{Path: "error.data", Expected: "an object", Observed: "nothing", Level: Must, Requirements: []string{"versioning.unsupported-supported-list"}, Section: "basic/versioning#protocol-version-negotiation"}}},
		{name: "visits without list", revision: v11, frame: failure(`{"code":-32042,"message":"no","data":{}}`),
			want: []Fault{{Path: "error.data.elicitations", Expected: "an array", Observed: "nothing", Level: Must, Requirements: []string{"elicitation.required-error-list"}, Section: "client/elicitation#url-elicitation-required-error"}}},
	}
	shapes := New()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.ctx.Method = tt.method
			got := shapes.Check(tt.revision, []byte(tt.frame), tt.ctx)
			if d := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); d != "" {
				t.Error(d)
			}
		})
	}
}

func repeat(s string, n int) string {
	all := slices.Repeat([]string{s}, n)
	out := all[0]
	for _, a := range all[1:] {
		out += "," + a
	}
	return out
}
