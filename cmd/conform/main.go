// Command conform tells the author of an MCP server how it behaves under the
// clients people really use.
package main

import (
	"os"

	"github.com/agntn/conform/fakes/wire"
)

func main() {
	code := Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	wire.KillChildren()
	os.Exit(code)
}
