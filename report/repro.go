package report

import (
	"fmt"
	"unicode/utf8"

	"github.com/agntn/conform/scenarios"
)

// reproOf returns the shell line that shows an outcome without conform when it
// has at most n characters, for a line that was cut does not work. Else it
// returns why there is none, "" where none is to be expected.
func reproOf(o scenarios.Outcome, n int) (line, why string) {
	if o.Repro == "" {
		return "", o.NoRepro
	}
	if have := utf8.RuneCountInString(o.Repro); have > n {
		return "", fmt.Sprintf("the line has %d characters; the JSON report has it", have)
	}
	return o.Repro, ""
}
