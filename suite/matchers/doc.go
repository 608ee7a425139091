// Package matchers holds Gomega matchers for what an MCP tool answers, so that
// authors can say in specs of their own what conform checks from outside.
//
// A result is a *mcp.CallToolResult of the Go SDK, JSON text as []byte or
// json.RawMessage, or anything else that encoding/json writes as a result of
// tools/call; a whole JSON-RPC response stands for its result. The matchers of
// wording take a string as well, as the text itself.
//
//	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "note_add", Arguments: map[string]any{"limit": -1}})
//	Expect(err).NotTo(HaveOccurred())
//	Expect(res).To(matchers.BeToolError())
//	Expect(res).To(matchers.HaveOneLinePerProblem("title", "limit"))
//	Expect(res).To(matchers.BeFreeOfControlCharacters())
package matchers
