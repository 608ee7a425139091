package scenarios

import "encoding/json"

// madeArguments makes argument sets from a tool's schema alone.
func madeArguments(_ *Facts, t *Tool) []json.RawMessage {
	if len(t.Get("inputSchema.required").Array()) == 0 {
		return []json.RawMessage{json.RawMessage(`{}`)}
	}
	return nil
}
