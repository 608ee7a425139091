// Package suite runs the checks of conform against one MCP server, from a program
// or from Go tests.
//
// # From go test
//
// [Test] makes a subtest of each outcome; those that the profile counts fail:
//
//	func TestConform(t *testing.T) {
//		suite.Test(t, suite.Config{Target: suite.Target{Command: []string{"./server"}}})
//	}
//
// # Beside specs of your own
//
// [Define] adds the outcomes to a Ginkgo tree, one spec each. Package matchers
// holds matchers for specs on what single tools answer.
//
// # Targets
//
// A [Target] is a command, an address, or a server in this process: over a
// transport of the Go SDK (Transport), or as a function that reads and writes
// frames (Serve). Servers in this process are judged by all that does not need a
// process or a port.
//
// # What is called
//
// Tools are called with valid arguments when they say readOnlyHint: true, or when
// [Config] allows it: Allow, AllowList, DenyList and Calls say which.
//
// # What comes back
//
// [Run] returns the report that the command writes; package report turns it into
// files. The error is a mistake in the configuration: whatever the server does,
// or fails to do, is in the report.
//
// The engine ([Engine]) knows nothing of Ginkgo; Run publishes its outcomes as
// specs so that label filters mean what Ginkgo says they mean.
package suite
