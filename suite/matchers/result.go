package matchers

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/onsi/gomega/types"
	"github.com/tidwall/gjson"

	"github.com/agntn/conform/report"
)

// matcher is a GomegaMatcher made of what is wanted in words and of a function
// that says what is wrong, "" when nothing is.
type matcher struct {
	want string
	look func(actual any) (fault string, err error)

	fault string
}

func newMatcher(want string, look func(any) (string, error)) types.GomegaMatcher {
	return &matcher{want: want, look: look}
}

// Match implements types.GomegaMatcher.
func (m *matcher) Match(actual any) (bool, error) {
	fault, err := m.look(actual)
	m.fault = fault
	return fault == "" && err == nil, err
}

// FailureMessage implements types.GomegaMatcher.
func (m *matcher) FailureMessage(actual any) string {
	return fmt.Sprintf("Expected an answer that %s:\n%s\nThe answer is\n    %s", m.want, m.fault, shown(actual))
}

// NegatedFailureMessage implements types.GomegaMatcher.
func (m *matcher) NegatedFailureMessage(actual any) string {
	return fmt.Sprintf("Expected no answer that %s. The answer is\n    %s", m.want, shown(actual))
}

// shown writes an answer so that it acts on no terminal.
func shown(actual any) string {
	if s, ok := actual.(string); ok {
		return report.Visible(report.Bound(s, 2000))
	}
	raw, err := jsonOf(actual)
	if err != nil {
		return report.Visible(report.Bound(fmt.Sprintf("%v", actual), 2000))
	}
	return report.Visible(report.Bound(string(raw), 2000))
}

func jsonOf(actual any) ([]byte, error) {
	switch v := actual.(type) {
	case nil:
		return nil, errors.New("expected a result of tools/call, got nil")
	case []byte:
		return v, nil
	case json.RawMessage:
		return v, nil
	case string:
		return []byte(v), nil
	}
	raw, err := json.Marshal(actual)
	if err != nil {
		return nil, fmt.Errorf("expected a result of tools/call, got a %T: %w", actual, err)
	}
	return raw, nil
}

// resultOf reads the result of tools/call.
func resultOf(actual any) (gjson.Result, error) {
	raw, err := jsonOf(actual)
	if err != nil {
		return gjson.Result{}, err
	}
	r := gjson.ParseBytes(raw)
	if !gjson.ValidBytes(raw) || !r.IsObject() {
		return r, fmt.Errorf("expected a result of tools/call, got a %T that is no JSON object", actual)
	}
	if r.Get("jsonrpc").Exists() {
		if e := r.Get("error"); e.Exists() {
			return r, fmt.Errorf("expected a result of tools/call, got the JSON-RPC error %s", report.Visible(report.Bound(e.Raw, 300)))
		}
		r = r.Get("result")
	}
	if !r.Get("content").IsArray() {
		return r, fmt.Errorf("expected a result of tools/call, got a %T without content", actual)
	}
	return r, nil
}

// textOf returns the text blocks of a result, or the text itself.
func textOf(actual any) (string, error) {
	if s, ok := actual.(string); ok {
		return s, nil
	}
	r, err := resultOf(actual)
	if err != nil {
		return "", err
	}
	var parts []string
	for _, b := range r.Get("content").Array() {
		if b.Get("type").Str == "text" {
			parts = append(parts, b.Get("text").String())
		}
	}
	return strings.Join(parts, "\n"), nil
}
