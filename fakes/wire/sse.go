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
	lines    int
	retry    string
	// unfinished says that the stream ended before the blank line.
	unfinished bool
}

var errFlood = errors.New("more than the limit")

// readSSE reads an event stream by the HTML standard's rules and hands over
// each event that has data, an id or a retry field, until the stream ends, an event passes
// limit bytes, or see returns an error.
func readSSE(r io.Reader, limit int, see func(sseEvent) error) error {
	br := bufio.NewReaderSize(r, 32<<10)
	var e sseEvent
	first := true
	for {
		line, size, err := readSSELine(br, limit)
		if first && size > 0 {
			line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
			first = false
		}
		switch {
		case len(line) == 0 && (err == nil || size > 0):
			if e.lines > 0 || e.hasID || e.retry != "" {
				if serr := see(e); serr != nil {
					return serr
				}
			}
			e = sseEvent{}
		case len(line) > 0:
			e.field(line)
			if len(e.data) > limit {
				return errFlood
			}
		}
		if err == io.EOF {
			if e.lines > 0 {
				e.unfinished = true
				if serr := see(e); serr != nil {
					return serr
				}
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (e *sseEvent) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		if e.lines > 0 {
			e.data = append(e.data, '\n')
		}
		e.data = append(e.data, value...)
		e.lines++
	case "id":
		if !bytes.ContainsRune(value, 0) {
			e.id, e.hasID = string(value), true
		}
	case "event":
		e.name = string(value)
	case "retry":
		e.retry = string(value)
	}
}

// readSSELine reads to LF, CR or CRLF.
func readSSELine(br *bufio.Reader, limit int) (line []byte, size int, err error) {
	for {
		b, err := br.ReadByte()
		if err != nil {
			return line, size, err
		}
		size++
		switch b {
		case '\n':
			return line, size, nil
		case '\r':
			// A following LF belongs to the same line end. It is only looked
			// for among bytes already here, so that a lone CR does not wait.
			if br.Buffered() > 0 {
				if next, _ := br.Peek(1); len(next) == 1 && next[0] == '\n' {
					_, _ = br.ReadByte()
				}
			}
			return line, size, nil
		}
		if len(line) >= limit {
			return line, size, errFlood
		}
		line = append(line, b)
	}
}

// ReadEvents reads an event stream and hands over each event that has data, as
// a received frame.
func ReadEvents(r io.Reader, limit int, see func(Event)) error {
	return readSSE(r, limit, func(e sseEvent) error {
		if e.lines > 0 {
			see(Event{Kind: Recv, Raw: e.data, HTTP: &HTTPMeta{SSE: true, EventID: e.id, EventName: e.name, Lines: e.lines}})
		}
		return nil
	})
}
