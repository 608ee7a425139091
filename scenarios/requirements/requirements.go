// Package requirements holds what the specification asks of a server, as far as
// it matters to a client, one entry a rule, for the revisions 2025-03-26 to
// 2026-07-28. Checks name the entries that they observe; [Coverage] says which
// entries have a check, which have a reason to have none, and which have neither.
package requirements

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Requirement is one rule for servers, in words of our own.
type Requirement struct {
	// ID is "<area>.<name>" and stable.
	ID string `json:"id"`
	// Level is the word of the text: MUST, MUST NOT, SHOULD, SHOULD NOT, or
	// MAY-shape for behaviour that is open and whose shape still matters.
	Level string `json:"level"`
	// Basis says where the rule stands: explicit (a sentence), schema (a required
	// member, a type, a schema comment), jsonrpc (JSON-RPC 2.0) or derived (it follows from others).
	Basis string `json:"basis"`
	// Revisions are the revisions it holds in, oldest first.
	Revisions []string `json:"revisions"`
	// Sections are pages of the specification with their anchors, such as
	// "server/tools#output-schema"; a page that moved is named under both names, the newer one last.
	Sections []string `json:"sections"`
	// Text says in one sentence what a right server does.
	Text string `json:"text"`
	// Grade is the verdict that a broken rule deserves by itself: fail, warn or info.
	Grade string `json:"grade"`
	// Needs lists what a server must offer before the rule can be observed.
	Needs []string `json:"needs,omitempty"`
	// Reason says why no check can observe the rule; empty where one can.
	Reason string `json:"reason,omitempty"`
}

// Area is the part of the id before the dot, such as "tools".
func (r Requirement) Area() string {
	area, _, _ := strings.Cut(r.ID, ".")
	return area
}

// Binding says that the rule is a MUST or a SHOULD that stands in the text, the
// schema or JSON-RPC, not one that only follows from others.
func (r Requirement) Binding() bool {
	return r.Level != "MAY-shape" && r.Basis != "derived"
}

// Strictest is the strictest level that a check resting on this rule may have:
// "must", "should" or "note". Only what is written down can be a must, and never
// more than its own grade.
func (r Requirement) Strictest() string {
	must := strings.HasPrefix(r.Level, "MUST")
	switch {
	case r.Grade == "info":
		return "note"
	case must && r.Basis != "derived" && r.Grade == "fail":
		return "must"
	}
	return "should"
}

//go:embed data/*.jsonl
var data embed.FS

// All returns every requirement, by area and then in the order of the
// specification's pages. An error means that the embedded data are broken.
func All() ([]Requirement, error) {
	files, err := data.ReadDir("data")
	if err != nil {
		return nil, fmt.Errorf("read the requirement list: %w", err)
	}
	var all []Requirement
	for _, f := range files {
		raw, err := data.ReadFile("data/" + f.Name())
		if err != nil {
			return nil, fmt.Errorf("read the requirement list: %w", err)
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		for {
			var r Requirement
			if err := d.Decode(&r); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, fmt.Errorf("requirement %d of %s: %w", len(all)+1, f.Name(), err)
			}
			all = append(all, r)
		}
	}
	return all, nil
}
