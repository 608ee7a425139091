package readers_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// observedFrame makes the answer of a tools/call row.
func observedFrame(o observation, revision string) []byte {
	frame := strings.ReplaceAll(o.Frame, "@ID@", "7")
	if o.Make == "text of 11 MB" {
		frame = `{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"HEAD ` + strings.Repeat("h", 11<<20) + ` TAIL"}]}}`
	}
	if revision >= "2026" && strings.Contains(frame, `"result":{`) {
		frame = strings.Replace(frame, `"result":{`, `"result":{"resultType":"complete",`, 1)
	}
	return []byte(strings.ReplaceAll(frame, "@@BAD@@", "\xff\xfe"))
}

func observeCall(reader fakes.Reader, client, revision string, o observation, s sighting) string {
	raw := o.Tool
	l := reader.Listing(revision, [][]byte{[]byte(`{"tools":[` + raw + `],"resultType":"complete","ttlMs":1,"cacheScope":"private"}`)})
	if l.State != fakes.Accepted || len(l.Tools) != 1 || l.Tools[0].State == fakes.Dropped {
		return "\tfake does not keep the tool"
	}
	a := reader.Call(revision, &l.Tools[0], observedFrame(o, revision))
	want := map[string]fakes.State{"hang": fakes.Hang, "call-failed": fakes.Failed}[s.Verdict]
	failed := a.State == fakes.Failed || a.IsError
	switch {
	case s.Verdict == "hang" || s.Verdict == "call-failed":
		if a.State != want {
			return fmt.Sprintf("\tfake %s: %s", a.State, a.Why)
		}
	case a.State == fakes.Hang:
		return fmt.Sprintf("\tfake %s: %s", a.State, a.Why)
	case strings.HasPrefix(s.Verdict, "error-"):
		if !failed && !slices.Contains([]string{"codex", "ai-sdk", "continue", "openai-agents"}, client) {
			return "\tfake sees no error"
		}
	case failed:
		return fmt.Sprintf("\tfake sees an error: %s %s", a.Error, a.Why)
	}
	text := a.Text
	if a.State == fakes.Failed {
		text = a.Error
	}
	if a.State == fakes.Hang {
		return ""
	}
	seen := s.Text
	if o.ID[0] != 'A' { // those rows hold the bare text
		seen = seenText(client, s.Text)
	}
	if !alike(seen, text) {
		return fmt.Sprintf("\tseen %q\n\tfake %q", clip(seen), clip(text))
	}
	return ""
}

// seenText is what of a recorded text stands for the text of a fake.
func seenText(client, text string) string {
	if strings.Contains(text, "…[") {
		return text
	}
	first, _, _ := strings.Cut(text, "; NEXT CALL FAILED")
	v, err := js.Parse([]byte(first))
	if err != nil {
		return strings.TrimPrefix(first, "Wall time: N seconds\nOutput:\n")
	}
	if m := v.Get("message"); m.Kind == js.String {
		return m.Str
	}
	for _, k := range []string{"output", "error"} {
		if x := v.Get(k); client == "gemini-cli" && x.Kind == js.String {
			return x.Str
		}
	}
	switch client {
	case "ai-sdk":
		return realText(verdict{Client: client, Text: first})
	case "langchain":
		return realText(verdict{Client: client, Text: first})
	case "sdk-v1", "sdk-v2", "go-sdk":
		return first
	}
	if c := v.Get("content"); c.Kind != js.Undefined {
		v = c
	}
	if v.Kind == js.String {
		return v.Str
	}
	if v.Kind != js.Array {
		return first
	}
	var parts []string
	for _, b := range v.Items {
		if t := b.Get("text"); t.Kind == js.String && !strings.HasPrefix(t.Str, "Wall time: N") {
			parts = append(parts, t.Str)
		}
	}
	return strings.Join(parts, "\n")
}

func clip(s string) string {
	if len(s) > 500 {
		return s[:500] + "..."
	}
	return s
}
