package matchers_test

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/agntn/conform/suite"
	"github.com/agntn/conform/suite/matchers"
)

// What an author's own suite looks like: the checks of conform and specs of one's
// own in one tree.
var _ = ginkgo.Describe("notes", func() {
	tool := &mcp.Tool{Name: "note_read", InputSchema: map[string]any{"type": "object"}}
	handle := func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Milk."}}}, nil
	}
	suite.Define(suite.Config{
		Target: suite.Target{Name: "notes", Transport: func() mcp.Transport {
			server := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1.0.0"}, nil)
			server.AddTool(tool, handle)
			here, there := mcp.NewInMemoryTransports()
			go func() { _ = server.Run(context.Background(), there) }()
			return here
		}},
		Scenarios: []string{"unknown-tool"}, Revisions: []string{"2025-11-25"},
	})
	ginkgo.It("reads a note on one line", func(ctx context.Context) {
		session, err := serve(ctx, tool, handle)
		gomega.Expect(err).NotTo(gomega.HaveOccurred())
		defer session.Close()
		res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "note_read"})
		gomega.Expect(err).NotTo(gomega.HaveOccurred())
		gomega.Expect(res).To(gomega.And(matchers.BeOneLine(), gomega.Not(matchers.BeToolError())))
	})
})

var _ = ginkgo.ReportAfterSuite("both kinds of specs ran", func(r ginkgo.Report) {
	passed := map[bool]int{}
	for _, s := range r.SpecReports {
		if s.State == types.SpecStatePassed && s.LeafNodeType == types.NodeTypeIt {
			passed[len(s.Labels()) > 0]++ // the specs of conform have labels
		}
	}
	gomega.Expect(passed[true]).To(gomega.BeNumerically(">=", 5))
	gomega.Expect(passed[false]).To(gomega.Equal(1))
})

func TestInGinkgo(t *testing.T) { // not parallel: Ginkgo runs one suite a process
	gomega.RegisterFailHandler(ginkgo.Fail)
	ginkgo.RunSpecs(t, "a server with specs of its own")
}
