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
	smallFrame = 64 << 10
	// mediumFrame is how large one may be that needs no place for the largest.
	mediumFrame = 1 << 20
	// mediumPlaces is how many of these are read at the same time.
	mediumPlaces = 24
	// longHead is how much is kept of a frame that is larger than the limit: nobody can read the rest.
	longHead = 64 << 10
	// deskPatience is how long a frame waits for a place before it is cut.
	deskPatience = 8 * time.Second
)

// Desk bounds what large frames take that are being read at the same time.
// There are a few places for frames of the largest size, and more for those up
// to mediumFrame; whoever finds none waits, and the target with it.
type Desk struct {
	medium, large chan []byte
}

// NewDesk returns a desk with n places for the largest frames. Places are made
// when they are needed.
func NewDesk(n int) *Desk {
	d := &Desk{medium: make(chan []byte, mediumPlaces), large: make(chan []byte, n)}
	for range n {
		d.large <- nil
	}
	for range mediumPlaces {
		d.medium <- nil
	}
	return d
}

// take returns an empty place of the given size from the places, false when none came free.
func take(places chan []byte, size int) ([]byte, bool) {
	var b []byte
	select {
	case b = <-places:
	case <-time.After(deskPatience):
		return nil, false
	}
	if cap(b) < size {
		b = make([]byte, 0, size)
	}
	return b[:0], true
}

// gather collects the bytes of one frame after the other, at most limit of each.
type gather struct {
	limit int
	desk  *Desk
	buf   []byte
	size  int64 // of the frame in all
	small []byte
	place chan []byte // where buf goes back to, nil when it is gather's own
	full  bool        // nothing more of this frame is kept
}

func (g *gather) add(p []byte) {
	g.size += int64(len(p))
	if g.full {
		return
	}
	if room := g.limit - len(g.buf); len(p) > room {
		p = p[:room]
	}
	if g.desk != nil {
		switch n := len(g.buf) + len(p); {
		case n > mediumFrame && g.place != g.desk.large:
			g.move(g.desk.large, g.limit)
		case n > smallFrame && g.place == nil:
			g.move(g.desk.medium, mediumFrame)
		}
		if g.full {
			return
		}
	}
	g.buf = append(g.buf, p...)
}

// move goes on in a larger place.
func (g *gather) move(places chan []byte, size int) {
	place, ok := take(places, size)
	if !ok {
		g.full = true
		return
	}
	place = append(place, g.buf...)
	g.giveBack()
	g.buf, g.place = place, places
}

// giveBack returns the place, if it is not gather's own.
func (g *gather) giveBack() {
	if g.place == nil {
		g.small = g.buf[:0]
		return
	}
	g.place <- g.buf[:0]
	g.place = nil
}

// over says that more came than is kept.
func (g *gather) over() bool { return g.size > int64(len(g.buf)) }

// frame returns the frame and how many bytes of it were left out. Its place is
// taken until it is dropped, so that no more frames are read than looked at.
func (g *gather) frame() (frame []byte, cut int) {
	keep := g.buf
	if g.over() {
		keep = keep[:min(len(keep), longHead)]
	}
	if len(keep) > 0 {
		frame = bytes.Clone(keep)
	}
	return frame, int(g.size) - len(keep)
}

// drop forgets the frame, and makes room for the next.
func (g *gather) drop() {
	if g.place != nil {
		g.giveBack()
		g.buf, g.small = g.small, nil
	}
	g.buf, g.size, g.full = g.buf[:0], 0, false
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
