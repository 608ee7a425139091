package report

import (
	"bufio"
	"fmt"
	"io"

	g "maragu.dev/gomponents"
)

// HTMLOptions carries what the page tells and a report does not hold.
type HTMLOptions struct {
	// Texts are the catalogue's texts: claims, reasons, example frames, code.
	Texts Texts
	// Scenarios maps a scenario id to its title; without one the id is shown.
	Scenarios map[string]string
}

// WriteHTML writes r as one self-contained page: no script of another origin, no
// request, whole without script. Nothing the server said is ever markup. The page
// is bounded: long texts are cut with a note, and what does not lead a finding is
// kept compressed for the script to show.
func WriteHTML(w io.Writer, r Report, o HTMLOptions) error {
	more := newLazy()
	p := newPage(r, o, more)
	var err error
	if p.More, err = more.encode(); err != nil {
		return fmt.Errorf("compress the details of the page: %w", err)
	}
	return writePage(w, p.node())
}

func writePage(w io.Writer, page g.Node) error {
	out := bufio.NewWriterSize(w, 64<<10)
	if err := page.Render(out); err != nil {
		return fmt.Errorf("write the HTML page: %w", err)
	}
	return out.Flush()
}
