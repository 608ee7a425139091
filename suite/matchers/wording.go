package matchers

import (
	"fmt"
	"strings"

	"github.com/onsi/gomega/types"
	"github.com/tidwall/gjson"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// HaveOneLinePerProblem matches an answer that tells each of the problems on a line
// of its own, and nothing else: as many lines as properties, each naming one.
//
// It is what the check bad-input/one-line-per-problem asks, and a little more.
func HaveOneLinePerProblem(properties ...string) types.GomegaMatcher {
	want := "has one line for each problem with " + strings.Join(properties, ", ")
	return newMatcher(want, func(actual any) (string, error) {
		text, err := textOf(actual)
		if err != nil {
			return "", err
		}
		lines := scenarios.TextLines(strings.TrimSpace(text))
		told := map[string]bool{}
		for i, line := range lines {
			var here []string
			for _, p := range properties {
				if scenarios.NamesProperty(line, p) {
					here = append(here, p)
					told[p] = true
				}
			}
			if len(here) != 1 {
				names := "none of them"
				if len(here) > 1 {
					names = strings.Join(here, " and ")
				}
				return fmt.Sprintf("line %d names %s: %s", i+1, names, report.Visible(report.Bound(line, 300))), nil
			}
		}
		for _, p := range properties {
			if !told[p] {
				return "no line names " + p + ".", nil
			}
		}
		if len(lines) > len(properties) {
			return fmt.Sprintf("it has %d lines for %d problems.", len(lines), len(properties)), nil
		}
		return "", nil
	})
}

// BeOneLine matches an answer whose text is one line.
//
// It is what the checks unknown-tool/one-line and thrown-error/one-line ask.
func BeOneLine() types.GomegaMatcher {
	return newMatcher("is one line", func(actual any) (string, error) {
		text, err := textOf(actual)
		if err != nil {
			return "", err
		}
		if n := len(scenarios.TextLines(text)); n != 1 {
			return fmt.Sprintf("it has %d lines.", n), nil
		}
		return "", nil
	})
}

// BeFreeOfControlCharacters matches an answer in which no text, key or structured
// value holds characters that act on a terminal or hide text: escape codes, bidi
// controls, zero-width characters and the like. Line feed and tab are allowed.
//
// It is what the checks thrown-error/escaped and unknown-tool/name-escaped ask.
func BeFreeOfControlCharacters() types.GomegaMatcher {
	return newMatcher("is free of control characters", func(actual any) (string, error) {
		if s, ok := actual.(string); ok {
			return controlsIn("the text", s), nil
		}
		r, err := resultOf(actual)
		if err != nil {
			return "", err
		}
		for _, member := range []string{"content", "structuredContent"} {
			if fault := controlsBelow(r.Get(member), member); fault != "" {
				return fault, nil
			}
		}
		return "", nil
	})
}

// controlsBelow looks through every key and text of a value.
func controlsBelow(v gjson.Result, path string) (fault string) {
	if v.Type == gjson.String && !isData(path) {
		return controlsIn(path, v.Str)
	}
	n := 0
	v.ForEach(func(k, sub gjson.Result) bool {
		below := fmt.Sprintf("%s[%d]", path, n)
		if n++; v.IsObject() {
			fault = controlsIn("a key of "+path, k.Str)
			below = path + "." + k.Str
		}
		if fault == "" && (v.IsObject() || v.IsArray()) {
			fault = controlsBelow(sub, below)
		}
		return fault == ""
	})
	return fault
}

// isData says of the path of a content block that it holds base64.
func isData(path string) bool {
	return strings.HasPrefix(path, "content[") && (strings.HasSuffix(path, ".data") || strings.HasSuffix(path, ".blob"))
}

func controlsIn(where, text string) string {
	if found := scenarios.ControlCharacters(text); len(found) > 0 {
		return fmt.Sprintf("%s holds %s.", report.Visible(report.Bound(where, 120)), strings.Join(found, ", "))
	}
	return ""
}
