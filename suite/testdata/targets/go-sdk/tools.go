package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type slugIn struct {
	Text      string `json:"text" jsonschema:"Title to slug"`
	Separator string `json:"separator,omitempty"`
	Max       int    `json:"max,omitempty"`
}

type wordIn struct {
	Word string `json:"word"`
}

type wordOut struct {
	Word  string `json:"word"`
	Count int    `json:"count"`
}

type kindIn struct {
	Kind string `json:"kind,omitempty"`
}

type countIn struct {
	Steps int  `json:"steps,omitempty"`
	Ms    int  `json:"ms,omitempty"`
	Total bool `json:"total,omitempty"`
}

type applyIn struct {
	Target string `json:"target"`
	Twice  bool   `json:"twice,omitempty"`
}

type whatIn struct {
	What string `json:"what,omitempty"`
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

func slug(_ context.Context, _ *mcp.CallToolRequest, in slugIn) (*mcp.CallToolResult, any, error) {
	separator := in.Separator
	if separator == "" {
		separator = "-"
	}
	return text(strings.Join(strings.Fields(strings.ToLower(in.Text)), separator)), nil, nil
}

func lookup(_ context.Context, _ *mcp.CallToolRequest, in wordIn) (*mcp.CallToolResult, wordOut, error) {
	return text(fmt.Sprintf("%s: %d", in.Word, len(in.Word))), wordOut{in.Word, len(in.Word)}, nil
}

func mismatch(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	result := text("sent unchecked")
	result.StructuredContent = map[string]any{"wrod": "a", "count": "x"}
	return result, nil
}

func mismatchTyped(context.Context, *mcp.CallToolRequest, kindIn) (*mcp.CallToolResult, any, error) {
	return nil, map[string]any{"word": "a", "count": 1}, nil
}

func count(ctx context.Context, r *mcp.CallToolRequest, in countIn) (*mcp.CallToolResult, any, error) {
	token := r.Params.GetProgressToken()
	if in.Steps == 0 {
		in.Steps = 3
	}
	for i := 1; i <= in.Steps; i++ {
		select {
		case <-ctx.Done():
			log.Printf("text_count stopped: %v", ctx.Err())
			return nil, nil, ctx.Err()
		case <-time.After(time.Duration(in.Ms) * time.Millisecond):
		}
		if token == nil {
			continue
		}
		if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: float64(i), Total: float64(in.Steps), Message: fmt.Sprintf("step %d", i),
		}); err != nil {
			log.Printf("text_count: %v", err)
		}
	}
	return text(fmt.Sprintf("counted %d, token %v", in.Steps, token)), nil, nil
}

func apply(_ context.Context, r *mcp.CallToolRequest, in applyIn) (*mcp.CallToolResult, any, error) {
	response, answered := r.Params.InputResponses["confirm"]
	if !answered {
		question := &mcp.ElicitParams{
			Message:         "Apply to " + in.Target + "?",
			RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"confirm": kind("boolean")}, "required": []any{"confirm"}},
		}
		return &mcp.CallToolResult{
			RequestState:  "first:" + in.Target,
			InputRequests: mcp.InputRequestMap{"confirm": question},
		}, nil, nil
	}
	answer, ok := response.(*mcp.ElicitResult)
	switch {
	case !ok:
		return text(fmt.Sprintf("answer is %T", response)), nil, nil
	case answer.Action != "accept":
		return text("not applied: " + answer.Action), nil, nil
	}
	return text(fmt.Sprintf("applied to %s: %v; state %q", in.Target, answer.Content["confirm"], r.Params.RequestState)), nil, nil
}

func push(ctx context.Context, r *mcp.CallToolRequest, _ whatIn) (*mcp.CallToolResult, any, error) {
	answer, err := r.Session.Elicit(ctx, &mcp.ElicitParams{
		Message:         "Push?",
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"ok": kind("boolean")}},
	})
	if err != nil {
		return nil, nil, err
	}
	return text("pushed " + answer.Action), nil, nil
}

func fail(_ context.Context, _ *mcp.CallToolRequest, in whatIn) (*mcp.CallToolResult, any, error) {
	if in.What == "panic" {
		panic("boom\nline two")
	}
	return nil, nil, errors.New("line one\nline two \x1b[31mred\x1b[0m\r\nline three")
}

func logs(ctx context.Context, r *mcp.CallToolRequest, _ whatIn) (*mcp.CallToolResult, any, error) {
	for _, level := range []mcp.LoggingLevel{"debug", "info", "error"} {
		if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: level, Data: string(level[0])}); err != nil {
			return nil, nil, err
		}
	}
	return text("logged"), nil, nil
}

func grow(server *mcp.Server) mcp.ToolHandlerFor[whatIn, any] {
	return func(context.Context, *mcp.CallToolRequest, whatIn) (*mcp.CallToolResult, any, error) {
		name := fmt.Sprintf("text_new_%d", time.Now().UnixNano())
		mcp.AddTool(server, &mcp.Tool{Name: name}, func(context.Context, *mcp.CallToolRequest, whatIn) (*mcp.CallToolResult, any, error) {
			return text("new"), nil, nil
		})
		return text("grown"), nil, nil
	}
}
