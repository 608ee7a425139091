package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// sseEvent is one event of an event stream, as its fields were sent.
type sseEvent struct {
	id, name string
	hasID    bool
	data     []byte
	cut      int // bytes of data left out
	lines    int
	retry    string
	// unfinished says that the stream ended before the blank line.
	unfinished bool
}

// tells says whether there is anything in the event to hand over.
func (e *sseEvent) tells() bool { return e.lines > 0 || e.hasID || e.retry != "" }

var errFlood = errors.New("more than the limit")

// fieldLimit is how much is kept of a field that is not data, in bytes.
const fieldLimit = 64 << 10

// sseReader reads an event stream by the HTML standard's rules.
type sseReader struct {
	event sseEvent
	data  gather
	// name and value are of the line that is being read; colon says that the
	// name has ended, and body that the space after it is past.
	name, value []byte
	colon, body bool
	any         bool // the line is not empty
	returned    bool // the last line ended with a carriage return
}

// readSSE reads an event stream and hands over each event that has data, an id
// or a retry field, until the stream ends, an event passes limit bytes, or see
// returns an error.
func readSSE(r io.Reader, limit int, desk *Desk, see func(sseEvent) error) error {
	s := sseReader{data: gather{limit: limit, desk: desk}}
	defer s.data.drop()
	br := bufio.NewReaderSize(r, 32<<10)
	if b, _ := br.Peek(3); bytes.Equal(b, []byte("\xEF\xBB\xBF")) {
		_, _ = br.Discard(3)
	}
	for {
		part, err := s.chunk(br)
		end := len(part) > 0 && (part[len(part)-1] == '\n' || part[len(part)-1] == '\r')
		if end {
			part = part[:len(part)-1]
		}
		s.add(part)
		if s.data.size > int64(limit) {
			return errFlood
		}
		if end {
			if serr := s.line(see); serr != nil {
				return serr
			}
		}
		if err == io.EOF {
			return s.end(see)
		}
		if err != nil {
			return err
		}
	}
}

// chunk returns what is there up to a line end, that one included. A line feed
// after a carriage return belongs to the same line end, even when it comes
// later; nobody waits for it.
func (s *sseReader) chunk(br *bufio.Reader) ([]byte, error) {
	if _, err := br.Peek(1); err != nil {
		return nil, err
	}
	b, _ := br.Peek(br.Buffered())
	if s.returned && b[0] == '\n' {
		s.returned = false
		_, _ = br.Discard(1)
		return nil, nil
	}
	i := bytes.IndexAny(b, "\r\n")
	if i < 0 {
		i = len(b) - 1
	}
	s.returned = b[i] == '\r'
	_, _ = br.Discard(i + 1)
	return b[:i+1], nil
}

// add takes a part of a line.
func (s *sseReader) add(p []byte) {
	if len(p) == 0 {
		return
	}
	s.any = true
	if !s.colon {
		i := bytes.IndexByte(p, ':')
		name := p
		if i >= 0 {
			name, p, s.colon = p[:i], p[i+1:], true
		}
		s.name = append(s.name, name[:min(len(name), max(0, 16-len(s.name)))]...)
		if s.colon && string(s.name) == "data" {
			s.dataLine()
		}
		if i < 0 {
			return
		}
	}
	if !s.body && len(p) > 0 {
		s.body = true
		p = bytes.TrimPrefix(p, []byte(" "))
	}
	if string(s.name) == "data" {
		s.data.add(p)
		return
	}
	s.value = append(s.value, p[:min(len(p), max(0, fieldLimit-len(s.value)))]...)
}

func (s *sseReader) dataLine() {
	if s.event.lines > 0 {
		s.data.add([]byte("\n"))
	}
	s.event.lines++
}

// line ends a line; an empty one ends the event.
func (s *sseReader) line(see func(sseEvent) error) error {
	if s.any {
		s.field()
		return nil
	}
	e := s.event
	s.event = sseEvent{}
	if !e.tells() {
		return nil
	}
	e.data, e.cut = s.data.frame()
	defer s.data.drop()
	return see(e)
}

// field takes the field of the line.
func (s *sseReader) field() {
	value := string(s.value)
	switch string(s.name) {
	case "data":
		if !s.colon {
			s.dataLine()
		}
	case "id":
		if bytes.IndexByte(s.value, 0) < 0 {
			s.event.id, s.event.hasID = value, true
		}
	case "event":
		s.event.name = value
	case "retry":
		s.event.retry = value
	}
	s.name, s.value, s.colon, s.body, s.any = s.name[:0], s.value[:0], false, false, false
}

// end hands over an event that the stream left unfinished.
func (s *sseReader) end(see func(sseEvent) error) error {
	if s.any {
		s.field()
	}
	if s.event.lines == 0 {
		return nil
	}
	s.event.unfinished = true
	s.event.data, s.event.cut = s.data.frame()
	defer s.data.drop()
	return see(s.event)
}

// ReadEvents reads an event stream and hands over each event that has data, as
// a received frame.
func ReadEvents(r io.Reader, limit int, see func(Event)) error {
	return readSSE(r, limit, nil, func(e sseEvent) error {
		if e.lines > 0 {
			see(Event{Kind: Recv, Raw: e.data, HTTP: &HTTPMeta{SSE: true, EventID: e.id, EventName: e.name, Lines: e.lines}})
		}
		return nil
	})
}
