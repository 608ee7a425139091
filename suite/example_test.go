package suite_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agntn/conform/suite"
)

// notes is a server on the Go SDK, as an author would have one.
func notes() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1.0.0"}, nil)
	type input struct {
		ID int `json:"id" jsonschema:"the id of a note"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "note_read", Title: "Read a note", Description: "Reads one note.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(context.Context, *mcp.CallToolRequest, input) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Milk, bread."}}}, nil, nil
		})
	return s
}

// connect gives each session of a run a transport of its own to the server.
func connect() mcp.Transport {
	here, there := mcp.NewInMemoryTransports()
	go func() { _ = notes().Run(context.Background(), there) }()
	return here
}

// A server in this process, over a transport of the Go SDK: no command, no port.
func ExampleRun() {
	r, _, err := suite.Run(context.Background(), suite.Config{
		Target:    suite.Target{Name: "notes", Transport: connect},
		Profile:   "house",
		Scenarios: []string{"presentation/*"},
		Revisions: []string{"2025-11-25"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Target.Name, r.Target.Version, "over", r.Target.Transports, "exits", r.Exit)
	for _, o := range r.Outcomes {
		if o.Gate {
			fmt.Println(o.Check, "-", o.Message)
		}
	}
	// Output:
	// notes 1.0.0 over [in-process] exits 1
	// presentation/hints-complete - note_read: missing: [destructiveHint openWorldHint]
}

// In go test each outcome is a subtest.
func ExampleTest() {
	_ = func(t *testing.T) { // func TestConform(t *testing.T)
		suite.Test(t, suite.Config{Target: suite.Target{Transport: connect}})
	}
}

// In a Ginkgo suite each outcome is a spec beside the author's own; labels such as
// client:chatgpt and level:must choose among them.
func ExampleDefine() {
	_ = func() bool { // var _ = Describe("my server", func() { ... })
		return suite.Define(suite.Config{Target: suite.Target{Transport: connect}, Clients: nil})
	}
}
