// Command conform tells the author of an MCP server how it behaves under the
// clients people really use.
package main

import (
	"os"
)

func main() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
