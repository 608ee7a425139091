package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/agntn/conform/scenarios"
)

// Bounds of the compressed details, in bytes of the page.
const (
	lazyPlain = 48 << 10
	lazyBytes = 1000 << 10
)

// lazy gathers what the page shows only when asked: the details of outcomes that
// do not lead a finding. Texts are made visible here, so the script only places them.
type lazy struct {
	entries map[string]scenarios.Outcome
}

// lazyEntry is one outcome's details, by short names: they repeat thousands of times.
type lazyEntry struct {
	Message  string `json:"m,omitempty"`
	Expected string `json:"e,omitempty"`
	Observed string `json:"o,omitempty"`
	Repro    string `json:"r,omitempty"`
	// Frames hold number, milliseconds, direction and text; Gap is how many were left out.
	Frames [][4]any `json:"f,omitempty"`
	Gap    int      `json:"g,omitempty"`
}

func newLazy() *lazy { return &lazy{entries: map[string]scenarios.Outcome{}} }

// add keeps an outcome under its anchor.
func (l *lazy) add(anchor string, o scenarios.Outcome) {
	if o.Message != "" || o.Expected != "" || o.Observed != "" || len(o.Evidence) > 0 {
		l.entries[anchor] = o
	}
}

// lazyData is the embedded text: JSON, or JSON compressed and in base64url.
type lazyData struct {
	Encoding, Text string
}

// encode writes the details in the richest form that fits the page.
func (l *lazy) encode() (lazyData, error) {
	if len(l.entries) == 0 {
		return lazyData{}, nil
	}
	for _, bound := range []struct{ frames, chars, text int }{{24, 1500, 1500}, {6, 400, 400}, {2, 200, 200}} {
		data, err := l.try(bound.frames, bound.chars, bound.text)
		if err != nil || len(data.Text) <= lazyBytes {
			return data, err
		}
	}
	return lazyData{}, nil // the page has a bound; the JSON report has everything
}

func (l *lazy) try(frames, chars, text int) (lazyData, error) {
	all := make(map[string]lazyEntry, len(l.entries))
	for anchor, o := range l.entries {
		repro, _ := reproOf(o, text)
		e := lazyEntry{
			Message: bare(o.Message, text), Expected: bare(o.Expected, text),
			Observed: bare(o.Observed, text), Repro: bare(repro, text),
		}
		log := eachOnce(o.Evidence, true)
		for i, f := range log {
			if head := frames / 3; len(log) > frames && i >= head && i < len(log)-(frames-head) {
				e.Gap++
				continue
			}
			e.Frames = append(e.Frames, [4]any{i + 1, f.AtMS, frameDir(f.Dir), bare(f.Text, chars)})
		}
		all[anchor] = e
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return lazyData{}, err
	}
	raw = bytes.ReplaceAll(raw, []byte("\x7f"), []byte(`\u007f`)) // the one control character that JSON lets be
	if len(raw) <= lazyPlain {
		return lazyData{Encoding: "json", Text: string(raw)}, nil
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.DefaultCompression)
	if err != nil {
		return lazyData{}, err
	}
	if _, err := z.Write(raw); err != nil {
		return lazyData{}, err
	}
	if err := z.Close(); err != nil {
		return lazyData{}, err
	}
	return lazyData{Encoding: "gzip", Text: base64.RawURLEncoding.EncodeToString(b.Bytes())}, nil
}

// bare makes s visible but for C0, which the script shows as the page does. They
// are escapes in the embedded JSON, and the script places text, never markup.
func bare(s string, n int) string {
	s, rest := cut(s, n)
	var b strings.Builder
	eachGlyph(s, func(g glyph) {
		if g.shown && controlName(g.code) != "" {
			b.WriteRune(g.code)
		} else {
			b.WriteString(g.text)
		}
	})
	if rest > 0 {
		b.WriteString(" … (" + count(rest, "more character", "more characters") + ")")
	}
	return b.String()
}
