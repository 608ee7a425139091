package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/agntn/conform/scenarios"
)

// WriteJSON writes r in the fixed report format: members in a stable order, one
// outcome a line and sorted by id, no list null. The outcomes come last, so that
// the head of a big file tells what it is. Characters that a terminal would obey
// are written as \u escapes, which changes nothing for a reader of JSON. Outcomes
// are encoded one by one, so memory does not grow with the evidence.
func WriteJSON(w io.Writer, r Report) error {
	b := bufio.NewWriterSize(w, 64<<10)
	if err := writeReport(b, r, ""); err != nil {
		return fmt.Errorf("write the JSON report: %w", err)
	}
	b.WriteByte('\n')
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write the JSON report: %w", err)
	}
	return nil
}

func writeReport(b *bufio.Writer, r Report, indent string) error {
	r = canonical(r)
	// The outer members hide those of Report, so that the long lists stay out of the head.
	head, err := marshal(struct {
		Report
		Outcomes []struct{} `json:"outcomes,omitempty"`
		Servers  []struct{} `json:"servers,omitempty"`
	}{Report: r})
	if err != nil {
		return err
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, head, indent, "  "); err != nil {
		return err
	}
	b.Write(bytes.TrimSuffix(pretty.Bytes(), []byte("\n"+indent+"}")))

	b.WriteString(",\n" + indent + `  "outcomes": [`)
	for i, o := range r.Outcomes {
		line, err := marshal(o)
		if err != nil {
			return fmt.Errorf("outcome %s: %w", o.ID, err)
		}
		separate(b, i, indent+"    ")
		b.Write(line)
	}
	closeList(b, len(r.Outcomes), indent+"  ")

	if len(r.Servers) > 0 {
		b.WriteString(",\n" + indent + `  "servers": [`)
		for i, s := range r.Servers {
			separate(b, i, indent+"    ")
			if err := writeReport(b, s, indent+"    "); err != nil {
				return err
			}
		}
		closeList(b, len(r.Servers), indent+"  ")
	}
	_, err = b.WriteString("\n" + indent + "}")
	return err
}

func separate(b *bufio.Writer, i int, indent string) {
	if i > 0 {
		b.WriteByte(',')
	}
	b.WriteString("\n" + indent)
}

func closeList(b *bufio.Writer, n int, indent string) {
	if n > 0 {
		b.WriteString("\n" + indent)
	}
	b.WriteByte(']')
}

// marshal encodes v on one line, without HTML escapes and inert for terminals.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return inert(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// escaped reports characters that are written as \u escapes: those that a terminal
// obeys or does not show (C1 controls, bidi, zero width ...), and the sign that the
// encoder puts for bytes that are no UTF-8, so that it is written one way.
func escaped(r rune) bool { return r == 0x7f || r == utf8.RuneError || hidden(r) }

// inert writes such characters of a JSON text as escapes. They can only stand
// inside strings, where both mean the same.
func inert(b []byte) []byte {
	if !bytes.ContainsFunc(b, escaped) {
		return b
	}
	out := make([]byte, 0, len(b)+64)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case r > 0xffff && escaped(r):
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		case escaped(r):
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, b[i:i+n]...)
		}
		i += n
	}
	return out
}

// canonical returns r with its lists in their fixed order and none of them nil.
// The lists of r itself stay as they are.
func canonical(r Report) Report {
	r.Schema = Schema
	r.Started = r.Started.UTC().Truncate(time.Millisecond)
	r.Target.Transports = filled(r.Target.Transports)
	r.Target.Revisions = filled(r.Target.Revisions)
	r.Clients = filled(sorted(r.Clients, func(a, b Client) int { return cmp.Compare(a.ID, b.ID) }))
	r.NotProven = sorted(filled(r.NotProven), cmp.Compare)
	r.Stale = sorted(r.Stale, cmp.Compare)
	r.NotCalled = sorted(r.NotCalled, func(a, b NotCalled) int {
		return cmp.Or(cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Reason, b.Reason))
	})
	r.Outcomes = filled(slices.Clone(r.Outcomes))
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		o.Hosts, o.Basis, o.Evidence = filled(o.Hosts), filled(o.Basis), filled(o.Evidence)
	}
	sortOutcomes(r.Outcomes)
	order := clientOrder(r.Clients)
	r.Views = filled(sorted(r.Views, func(a, b scenarios.View) int {
		return cmp.Or(cmp.Compare(order[a.Client], order[b.Client]), cmp.Compare(a.Client, b.Client), cmp.Compare(a.Tool, b.Tool))
	}))
	for i := range r.Views {
		r.Views[i].Hides = filled(r.Views[i].Hides)
	}
	return r
}

func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// sorted returns a sorted copy of list; nil stays nil.
func sorted[T any](list []T, compare func(a, b T) int) []T {
	list = slices.Clone(list)
	sortBy(list, compare)
	return list
}

// clientOrder maps the id of each client to its place in the report.
func clientOrder(clients []Client) map[string]int {
	order := make(map[string]int, len(clients))
	for i, c := range clients {
		order[c.ID] = i
	}
	return order
}

// sortOutcomes orders outcomes by id; those of one id, which no plan makes, by
// what they say, so that the order never depends on time.
func sortOutcomes(list []scenarios.Outcome) {
	sortBy(list, func(a, b scenarios.Outcome) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Message, b.Message))
	})
}

// Read reads a report that WriteJSON wrote. The error says what the text is instead,
// when it is no report of this format. Members it does not know are passed over.
func Read(rd io.Reader) (Report, error) {
	data, err := io.ReadAll(rd)
	if err != nil {
		return Report{}, fmt.Errorf("read the report: %w", err)
	}
	if err := checkSchema(data, Schema, "conform report", "conform run --json FILE"); err != nil {
		return Report{}, err
	}
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return Report{}, fmt.Errorf("not a conform report: %w", err)
	}
	return r, checkWords(r)
}

// checkSchema says why data is not JSON of the given schema, what names the format
// and command writes it.
func checkSchema(data []byte, want, what, command string) error {
	var head struct {
		Schema *string `json:"schema"`
	}
	err := json.Unmarshal(data, &head)
	var syntax *json.SyntaxError
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return fmt.Errorf("not a %s: the file is empty; %s writes one", what, command)
	case errors.As(err, &syntax):
		return fmt.Errorf("not a %s: byte %d is no JSON: %w", what, syntax.Offset, err)
	case err != nil:
		return fmt.Errorf("not a %s: it is no JSON object with a text named schema; %s writes one", what, command)
	case head.Schema == nil:
		return fmt.Errorf("not a %s: it has no member named schema; %s writes one", what, command)
	case *head.Schema != want:
		return fmt.Errorf("not a %s that this version reads: its schema is %q, not %q; %s writes one",
			what, Bound(*head.Schema, 80), want, command)
	}
	return nil
}

// checkWords refuses verdicts that no conform writes: counting them would hide them.
func checkWords(r Report) error {
	for _, o := range r.Outcomes {
		if !slices.Contains(scenarios.Verdicts(), o.Verdict) {
			return fmt.Errorf("not a conform report that this version reads: outcome %q has the verdict %q",
				Bound(o.ID, 120), Bound(string(o.Verdict), 40))
		}
	}
	for _, s := range r.Servers {
		if err := checkWords(s); err != nil {
			return err
		}
	}
	return nil
}
