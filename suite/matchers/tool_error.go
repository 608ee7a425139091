package matchers

import (
	"fmt"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/agntn/conform/report"
)

// BeToolError matches a result that tells a failure to the model: isError is true,
// and text alone says why. Each further argument is a text that it must equal, or
// a matcher for it. A JSON-RPC error is no tool error, for no model reads it.
//
// It is what the checks thrown-error/as-tool-error and bad-input/as-tool-error ask.
func BeToolError(text ...any) types.GomegaMatcher {
	return newMatcher("is a tool error", func(actual any) (string, error) {
		r, err := resultOf(actual)
		if err != nil {
			return "", err
		}
		if !r.Get("isError").Bool() {
			return "isError is not true.", nil
		}
		for i, b := range r.Get("content").Array() {
			if kind := b.Get("type").String(); kind != "text" {
				return fmt.Sprintf("block %d of its content is %s, not text.", i+1, report.Visible(report.Bound(kind, 60))), nil
			}
		}
		said, err := textOf(actual)
		if err != nil {
			return "", err
		}
		if said == "" {
			return "it says nothing.", nil
		}
		for _, want := range text {
			m, ok := want.(types.GomegaMatcher)
			if !ok {
				m = gomega.Equal(want)
			}
			fits, err := m.Match(said)
			if err != nil {
				return "", err
			}
			if !fits {
				return m.FailureMessage(said), nil
			}
		}
		return "", nil
	})
}
