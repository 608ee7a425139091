package report

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// progressEvery is how often the line changes at most.
const progressEvery = 100 * time.Millisecond

// Progress is one line on a terminal that overwrites itself while a run works. It
// is safe for concurrent use. A nil Progress, and one made for anything but a
// terminal, prints nothing.
type Progress struct {
	mu    sync.Mutex
	w     io.Writer
	width int
	now   func() time.Time

	started time.Time
	last    time.Time
	shown   bool
	done    bool
}

// NewProgress returns a line on w, which is width columns wide (0 for 80), or nil
// when w is no terminal.
func NewProgress(w io.Writer, width int, terminal bool) *Progress {
	if !terminal {
		return nil
	}
	if width <= 0 {
		width = 80
	}
	return &Progress{w: w, width: width, now: time.Now}
}

// Update shows that done of total steps are over and what runs now. Updates that
// come too fast are left out; the next one carries their news. A total of 0 is not shown.
func (p *Progress) Update(done, total int, what string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.started.IsZero() {
		p.started = now
	}
	if p.done || p.shown && now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.shown = now, true
	var parts []string
	if total > 0 {
		parts = append(parts, fmt.Sprintf("%d/%d", done, total))
	}
	if s := int(now.Sub(p.started).Seconds()); s > 0 {
		parts = append(parts, fmt.Sprintf("%d s", s))
	}
	parts = append(parts, Bound(Visible(what), 200))
	line := ansi.Truncate("· "+strings.Join(parts, "  "), p.width-1, "…")
	// A terminal that cannot be written to is no reason to stop a run.
	_, _ = io.WriteString(p.w, "\r\x1b[2K"+line)
}

// Stop takes the line away for good. It may be called more than once.
func (p *Progress) Stop() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown && !p.done {
		_, _ = io.WriteString(p.w, "\r\x1b[2K")
	}
	p.done = true
}
