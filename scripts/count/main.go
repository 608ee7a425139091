// Command count reads the events of go test -json on stdin and says how the tests went: a line a package, the output
// of what failed, the reasons of what was skipped, and last a line "N passed, N failed, N skipped". It exits 1 when
// something failed or nothing ran.
package main

import (
	"fmt"
	"os"
)

func main() {
	total, err := report(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "count:", err)
		os.Exit(1)
	}
	if total.failed > 0 || total.passed == 0 {
		os.Exit(1)
	}
}
