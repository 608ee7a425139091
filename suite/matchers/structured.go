package matchers

import (
	"errors"
	"fmt"
	"strings"

	"github.com/onsi/gomega/types"
	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// MatchOutputSchema matches a result whose structuredContent fits a JSON Schema:
// JSON text, or anything that encoding/json writes as a schema. A *mcp.Tool, or the
// JSON of one, stands for its outputSchema. Nothing is ever fetched for a $ref.
//
// It is what the checks output-schema/structured-present and
// output-schema/structured-matches ask.
func MatchOutputSchema(schema any) types.GomegaMatcher {
	return newMatcher("matches the output schema", func(actual any) (string, error) {
		s, err := compile(schema)
		if err != nil {
			return "", err
		}
		r, err := resultOf(actual)
		if err != nil {
			return "", err
		}
		structured := r.Get("structuredContent")
		if !structured.Exists() {
			return "it has no structuredContent.", nil
		}
		problems, err := s.Problems([]byte(structured.Raw))
		if err != nil {
			return "", fmt.Errorf("structuredContent cannot be checked: %w", err)
		}
		var lines []string
		for _, p := range problems {
			lines = append(lines, report.Visible(report.Bound(p.String(), 300)))
		}
		return strings.Join(lines, "\n"), nil
	})
}

func compile(schema any) (*jsonschema.Schema, error) {
	raw, err := jsonOf(schema)
	if err != nil {
		return nil, errors.New("MatchOutputSchema needs a schema, got none")
	}
	if tool := gjson.ParseBytes(raw); tool.Get("inputSchema").Exists() {
		out := tool.Get("outputSchema")
		if !out.Exists() {
			return nil, fmt.Errorf("the tool %s has no outputSchema", report.Visible(report.Bound(tool.Get("name").String(), 60)))
		}
		raw = []byte(out.Raw)
	}
	s, err := jsonschema.Compile(raw)
	if err != nil {
		return nil, fmt.Errorf("the output schema cannot be used: %w", err)
	}
	return s, nil
}

// TellEveryFact matches a result whose content says each text and number of its
// structuredContent, for clients show their model only one of the two. Numbers may
// be rounded and grouped, times written in any way.
//
// It is what the check output-schema/text-carries-facts asks.
func TellEveryFact() types.GomegaMatcher {
	return newMatcher("tells every fact in words", func(actual any) (string, error) {
		r, err := resultOf(actual)
		if err != nil {
			return "", err
		}
		structured := r.Get("structuredContent")
		if !structured.Exists() {
			return "it has no structuredContent.", nil
		}
		untold := scenarios.UntoldFacts([]byte(structured.Raw), []byte(r.Get("content").Raw), nil)
		if len(untold) > 0 {
			return "no content block says " + report.Visible(report.Bound(strings.Join(untold, ", "), 300)) + ".", nil
		}
		return "", nil
	})
}
