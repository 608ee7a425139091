package matchers_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/onsi/gomega"

	"github.com/agntn/conform/suite/matchers"
)

// serve starts a server with one tool in this process and returns a session with it.
func serve(ctx context.Context, tool *mcp.Tool, handle mcp.ToolHandler) (*mcp.ClientSession, error) {
	server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1.0.0"}, nil)
	server.AddTool(tool, handle)
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		return nil, err
	}
	return mcp.NewClient(&mcp.Implementation{Name: "spec", Version: "1.0.0"}, nil).Connect(ctx, here, nil)
}

// expecter prints failures, where a spec would use Ginkgo or *testing.T.
func expecter() *gomega.WithT {
	return gomega.NewWithT(printer{})
}

type printer struct{}

func (printer) Helper() {}

func (printer) Fatalf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// A tool that fails tells its model so, on one line and without escape codes.
func ExampleBeToolError() {
	ctx := context.Background()
	session, err := serve(ctx, &mcp.Tool{Name: "note_read", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var res mcp.CallToolResult
			res.SetError(errors.New("note_read failed: no note has id 7"))
			return &res, nil
		})
	if err != nil {
		panic(err)
	}
	defer session.Close()
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "note_read"})

	g := expecter()
	g.Expect(err).NotTo(gomega.HaveOccurred())
	fmt.Println(g.Expect(res).To(matchers.BeToolError(gomega.HavePrefix("note_read failed: "))))
	fmt.Println(g.Expect(res).To(matchers.BeOneLine()))
	fmt.Println(g.Expect(res).To(matchers.BeFreeOfControlCharacters()))
	// Output:
	// true
	// true
	// true
}

func ExampleHaveOneLinePerProblem() {
	g := expecter()
	g.Expect("title: required\nlimit: must be at least 1").To(matchers.HaveOneLinePerProblem("title", "limit"))
	g.Expect("title is required, and limit must be at least 1").To(matchers.HaveOneLinePerProblem("title", "limit"))
	// Output:
	// Expected an answer that has one line for each problem with title, limit:
	// line 1 names title and limit: title is required, and limit must be at least 1
	// The answer is
	//     title is required, and limit must be at least 1
}

func ExampleMatchOutputSchema() {
	schema := `{"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}`
	answer := []byte(`{"content": [{"type": "text", "text": "3 notes"}], "structuredContent": {"count": "3"}}`)
	expecter().Expect(answer).To(matchers.MatchOutputSchema(schema))
	// Output:
	// Expected an answer that matches the output schema:
	// count must be integer
	// The answer is
	//     {"content": [{"type": "text", "text": "3 notes"}], "structuredContent": {"count": "3"}}
}

func ExampleTellEveryFact() {
	answer := []byte(`{"content": [{"type": "text", "text": "Done."}], "structuredContent": {"count": 3}}`)
	expecter().Expect(answer).To(matchers.TellEveryFact())
	// Output:
	// Expected an answer that tells every fact in words:
	// no content block says count.
	// The answer is
	//     {"content": [{"type": "text", "text": "Done."}], "structuredContent": {"count": 3}}
}
