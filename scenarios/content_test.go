package scenarios

import (
	"encoding/json"
	"testing"

	"github.com/agntn/conform/scenarios/message"
)

func TestContent(t *testing.T) {
	t.Parallel()
	judgeOf := func(id string) func(*Evidence) Ruling {
		for _, k := range content(message.New()).Checks {
			if k.ID == id {
				return k.Judge
			}
		}
		t.Fatalf("no check %s", id)
		return nil
	}
	open := `> open/initialize {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}` + "\n" +
		`< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"hand","version":"1"}}}`
	draw := handCall("call:plain#1", "1", "plain", `{}`)
	prompt := `> get:p {"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"p"}}`
	image := func(data string) string {
		return handResult("1", `{"content":[{"type":"image","data":"`+data+`","mimeType":"image/png"}]}`)
	}
	inPrompt := func(block string) string {
		return handResult("2", `{"messages":[{"role":"user","content":`+block+`}]}`)
	}
	embedded := handResult("1", `{"content":[{"type":"resource","resource":{"uri":"file:///a","text":"a"}}]}`)
	tests := []struct {
		name, check, want, capabilities string
		lines                           []string
	}{
		{"a picture", "content/tool-data-decodes", "pass", "", []string{open, draw, image("aGVsbG8=")}},
		{"a data URI", "content/tool-data-decodes", "fault", "", []string{open, draw, image("data:image/png;base64,aGVsbG8=")}},
		{"no picture", "content/tool-data-decodes", "na", "", []string{open, draw, handSaid("1", "hello", "")}},
		{"a picture in a prompt", "content/base64-decodes", "pass", "", []string{open, prompt, inPrompt(`{"type":"image","data":"aGVsbG8=","mimeType":"image/png"}`)}},
		{"a broken picture in a prompt", "content/base64-decodes", "fault", "", []string{open, prompt, inPrompt(`{"type":"image","data":"a-_b","mimeType":"image/png"}`)}},
		{"a tool's picture is another check", "content/base64-decodes", "na", "", []string{open, draw, image("no")}},
		{"embedded with the capability", "content/embedded-needs-resources", "pass", `"resources":{}`, []string{open, draw, embedded}},
		{"embedded without", "content/embedded-needs-resources", "fault", `"tools":{}`, []string{open, draw, embedded}},
		{"nothing embedded", "content/embedded-needs-resources", "na", `"tools":{}`, []string{open, draw, handSaid("1", "hello", "")}},
		{"whole resource in a prompt", "content/prompt-resource-complete", "pass", `"prompts":{}`, []string{open, prompt, inPrompt(`{"type":"resource","resource":{"uri":"file:///a","mimeType":"text/plain","text":"a"}}`)}},
		{"no media type", "content/prompt-resource-complete", "fault", `"prompts":{}`, []string{open, prompt, inPrompt(`{"type":"resource","resource":{"uri":"file:///a","text":"a"}}`)}},
		{"no prompts", "content/prompt-resource-complete", "na", `"tools":{}`, []string{open}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := handFacts("2025-11-25", plainTool)
			f.Opened = json.RawMessage(`{"capabilities":{` + tt.capabilities + `}}`)
			judgedAs(t, tt.want, judgeOf(tt.check), Cell{Scenario: "content"}, f, tt.lines...)
		})
	}
}
