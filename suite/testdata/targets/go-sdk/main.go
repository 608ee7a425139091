// Command go-sdk is a tool package on the official Go SDK. It serves stdio, or Streamable HTTP with
// -http ADDR: one session a client, or with -stateless none, which is how that SDK serves 2026-07-28.
package main

import (
	"context"
	"flag"
	"log"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	addr := flag.String("http", "", "serve Streamable HTTP at this address")
	stateless := flag.Bool("stateless", false, "serve HTTP without sessions")
	flag.Parse()
	server := build()
	if *addr != "" {
		handler := mcp.NewStreamableHTTPHandler(
			func(*http.Request) *mcp.Server { return server },
			&mcp.StreamableHTTPOptions{Stateless: *stateless},
		)
		log.Fatal(http.ListenAndServe(*addr, handler))
	}
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Print(err)
	}
}

func build() *mcp.Server {
	icons := []mcp.Icon{{Source: "https://example.com/text/icon.svg", MIMEType: "image/svg+xml", Sizes: []string{"any"}}}
	server := mcp.NewServer(&mcp.Implementation{
		Name: "text", Title: "Text Tools", Version: "1.0.0", WebsiteURL: "https://example.com/text", Icons: icons,
	}, &mcp.ServerOptions{Instructions: "Prefer text_slug for URLs."})
	no := false
	mcp.AddTool(server, &mcp.Tool{
		Name: "text_slug", Title: "Text Slug", Description: "Turn a title into a lowercase URL slug.", Icons: icons,
		Annotations: &mcp.ToolAnnotations{
			Title: "Text Slug", ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no,
		},
	}, slug)
	mcp.AddTool(server, &mcp.Tool{Name: "text_lookup", Description: "Look a word up."}, lookup)
	server.AddTool(&mcp.Tool{
		Name: "text_mismatch", Description: "Details that do not fit, from a handler the SDK does not check.",
		InputSchema:  object(map[string]any{"kind": kind("string")}),
		OutputSchema: object(map[string]any{"word": kind("string"), "count": kind("integer")}, "word", "count"),
	}, mismatch)
	mcp.AddTool(server, &mcp.Tool{
		Name: "text_mismatch_typed", Description: "Details that do not fit, from a typed handler.",
		OutputSchema: object(map[string]any{"wrod": kind("string")}, "wrod"),
	}, mismatchTyped)
	mcp.AddTool(server, &mcp.Tool{Name: "text_count", Description: "Counts with progress."}, count)
	mcp.AddTool(server, &mcp.Tool{Name: "text_apply", Description: "Asks before applying."}, apply)
	mcp.AddTool(server, &mcp.Tool{Name: "text_push", Description: "Asks with a direct elicitation."}, push)
	mcp.AddTool(server, &mcp.Tool{Name: "text_throw", Description: "Fails."}, fail)
	mcp.AddTool(server, &mcp.Tool{Name: "text_log", Description: "Logs."}, logs)
	mcp.AddTool(server, &mcp.Tool{Name: "text_grow", Description: "Adds a tool."}, grow(server))
	return server
}

func kind(name string) map[string]any { return map[string]any{"type": name} }

func object(properties map[string]any, required ...string) map[string]any {
	schema := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
		schema["additionalProperties"] = false
	}
	return schema
}
