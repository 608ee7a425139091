// Command conform tells the author of an MCP server how it behaves under the
// clients people really use.
package main

import (
	"os"

	"github.com/agntn/conform/fakes/wire"
)

func main() {
	letHeapGrow()
	code := Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	if len(os.Args) < 2 || os.Args[1] != "serve" { // the sample may be asked to leave a child behind
		wire.KillChildren()
	}
	os.Exit(code)
}
