package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"time"
)

const (
	// smallFrame is how large a frame may be that needs no place on a desk.
	smallFrame = 1 << 20
	// longHead is how much is kept of a frame that is larger than the limit: nobody can read the rest.
	longHead = 64 << 10
	// deskPatience is how long a frame waits for a place before it is cut.
	deskPatience = 3 * time.Second
)

// Desk bounds what large frames take that are being read at the same time.
// There are a few places, each for one frame of the largest size; whoever finds
// none waits, and the target with it.
type Desk struct {
	places chan []byte
}

// NewDesk returns a desk with n places. They are made when they are needed.
func NewDesk(n int) *Desk {
	d := &Desk{places: make(chan []byte, n)}
	for range n {
		d.places <- nil
	}
	return d
}

func (d *Desk) take(size int) ([]byte, bool) {
	if d == nil {
		return nil, true
	}
	var b []byte
	select {
	case b = <-d.places:
	case <-time.After(deskPatience):
		return nil, false
	}
	if cap(b) < size {
		b = make([]byte, 0, size)
	}
	return b[:0], true
}

func (d *Desk) give(b []byte) {
	if d != nil {
		d.places <- b[:0]
	}
}

// gather collects the bytes of one frame after the other, at most limit of each.
type gather struct {
	limit int
	desk  *Desk
	buf   []byte
	size  int64 // of the frame in all
	small []byte
	large bool // buf is a place on the desk
	full  bool // nothing more of this frame is kept
}

func (g *gather) add(p []byte) {
	g.size += int64(len(p))
	if g.full {
		return
	}
	if room := g.limit - len(g.buf); len(p) > room {
		p = p[:room]
	}
	if !g.large && len(g.buf)+len(p) > smallFrame {
		place, ok := g.desk.take(g.limit)
		if !ok {
			g.full = true
			return
		}
		g.small, g.large = g.buf[:0], true
		g.buf = append(place, g.buf...)
	}
	g.buf = append(g.buf, p...)
}

// over says that more came than is kept.
func (g *gather) over() bool { return g.size > int64(len(g.buf)) }

// take returns the frame and how many bytes of it were left out, and makes room for the next.
func (g *gather) take() (frame []byte, cut int) {
	keep := g.buf
	if g.over() {
		keep = keep[:min(len(keep), longHead)]
	}
	if len(keep) > 0 {
		frame = bytes.Clone(keep)
	}
	cut = int(g.size) - len(keep)
	g.drop()
	return frame, cut
}

// drop forgets the frame.
func (g *gather) drop() {
	if g.large {
		g.desk.give(g.buf)
		g.buf, g.small = g.small, nil
	}
	g.buf, g.size, g.large, g.full = g.buf[:0], 0, false, false
}

var errLong = errors.New("line too long")

// line reads up to a line feed, which is not part of the frame. size counts it.
func (g *gather) line(r *bufio.Reader) (size int64, err error) {
	for {
		part, e := r.ReadSlice('\n')
		size += int64(len(part))
		g.add(bytes.TrimSuffix(part, []byte("\n")))
		if e != bufio.ErrBufferFull {
			return size, e
		}
		if size > 4*int64(g.limit) {
			return size, errLong
		}
	}
}

// all reads to the end, or until more than the limit has come.
func (g *gather) all(r io.Reader) error {
	part := make([]byte, 16<<10)
	for {
		n, err := r.Read(part)
		g.add(part[:n])
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case g.size > int64(g.limit):
			return errFlood
		}
	}
}
