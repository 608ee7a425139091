package sample

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"time"
)

// endGrace is how long requests in flight may take once the input has ended. It
// is shorter than the two seconds after which common clients send SIGTERM.
const endGrace = 1500 * time.Millisecond

// line is one stdio connection.
type line struct {
	srv *Server
	ses *session
	out chan []byte
	// gone is closed when nothing more can be written.
	gone chan struct{}
}

// ServeStdio reads one message a line from r and writes one a line to w, until
// the input ends and what is in flight is answered, or ctx is done. Diagnostics
// go to stderr, which may be nil. It returns nil at the end of the input, the
// error of ctx when that came first, [ErrDied] when a planted fault ended the
// server, and the error of a failed write.
func (s *Server) ServeStdio(ctx context.Context, r io.Reader, w io.Writer, stderr io.Writer) error {
	if stderr != nil {
		s.log.SetOutput(stderr)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	l := &line{srv: s, ses: s.newSession(), out: make(chan []byte, 1024), gone: make(chan struct{})}
	l.ses.push = func(m object) bool { l.write(m); return true }
	s.admitSession(l.ses)
	defer s.dropSession(l.ses)
	written := make(chan error, 1)
	go func() { written <- l.writeAll(w) }()
	if s.do.stdio.greeting != "" {
		l.out <- []byte(s.do.stdio.greeting)
	}

	frames := make(chan []byte)
	go l.readAll(ctx, s.do.stdio.input(r), frames)
	err := l.serve(ctx, frames, written)
	if farewell := s.do.stdio.farewell; farewell != "" && err == nil {
		l.raw([]byte(farewell))
	}
	close(l.gone)
	if err != nil && !errors.Is(err, ErrDied) {
		return err
	}
	select {
	case flushed := <-written:
		if err == nil {
			err = flushed
		}
	case <-time.After(endGrace): // nobody reads what is left
	}
	return err
}

// serve handles frames until they end, then waits for what is in flight.
func (l *line) serve(ctx context.Context, frames <-chan []byte, written <-chan error) error {
	for {
		select {
		case <-l.srv.dead:
			return ErrDied
		default:
		}
		select {
		case frame, ok := <-frames:
			if !ok {
				return l.finish(ctx)
			}
			l.receive(ctx, frame)
		case <-ctx.Done():
			return ctx.Err()
		case <-l.srv.dead:
			return ErrDied
		case err := <-written:
			if err == nil {
				err = errors.New("the output ended")
			}
			return err
		}
	}
}

// finish gives requests in flight a moment to be answered.
func (l *line) finish(ctx context.Context) error {
	l.ses.close()
	l.srv.dropSession(l.ses)
	if l.srv.do.stdio.abandons {
		l.ses.stopAll()
		return nil
	}
	done := make(chan struct{})
	go func() { l.ses.work.Wait(); close(done) }()
	grace := time.NewTimer(endGrace)
	defer grace.Stop()
	select {
	case <-done:
	case <-grace.C:
		l.ses.stopAll()
	case <-l.srv.dead:
		return ErrDied
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// readAll cuts the input into lines. A line that is too long is reported as an
// empty frame followed by nothing of it.
func (l *line) readAll(ctx context.Context, r io.Reader, frames chan<- []byte) {
	defer close(frames)
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		frame, err := readLine(in, l.srv.do.stdio.maxLine)
		if len(frame) > 0 || err == nil {
			select {
			case frames <- frame:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// tooLong stands for a line that was not kept.
var tooLong = []byte("\x00too long")

func readLine(in *bufio.Reader, max int) ([]byte, error) {
	var frame []byte
	cut := false
	for {
		part, err := in.ReadSlice('\n')
		if len(frame)+len(part) > max {
			cut, frame = true, nil
		}
		if !cut {
			frame = append(frame, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if cut {
			frame = tooLong
		}
		return frame, err
	}
}

// tidy takes off what may surround a message: a byte order mark, CR and spaces.
func tidy(_ *session, frame []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(frame), []byte("\ufeff")))
}

// receive handles one line.
func (l *line) receive(ctx context.Context, frame []byte) {
	do := &l.srv.do
	if bytes.Equal(frame, tooLong) {
		l.refuse(do.envelope.invalid(l.ses, fail(codeInvalidRequest, "The message is too long"), nil))
		return
	}
	frame = do.stdio.frame(l.ses, frame)
	if len(frame) == 0 {
		do.stdio.blank(l.ses, l)
		return
	}
	v, err := decode(frame)
	if err != nil {
		l.refuse(do.envelope.broken(l.ses, fail(codeParse, "Parse error"), nil))
		return
	}
	if batch, ok := v.(list); ok && do.envelope.batches(l.ses) {
		l.receiveBatch(ctx, batch)
		return
	}
	in := do.envelope.read(v)
	if do.stdio.chatter != nil && in.kind == aRequest {
		l.raw([]byte(do.stdio.chatter(in)))
	}
	l.ses.take(ctx, in, l)
}

func (l *line) refuse(m object) {
	if m != nil {
		l.final(m, 0)
	}
}

// receiveBatch serves an array as 2025-03-26 has it: one array of answers.
func (l *line) receiveBatch(ctx context.Context, batch list) {
	if len(batch) == 0 {
		l.refuse(l.srv.do.envelope.invalid(l.ses, fail(codeInvalidRequest, "A batch must not be empty"), nil))
		return
	}
	all := &batchOutlet{before: l.write, write: func(answers list) { l.write(answers) }, none: func() {}, waits: len(batch)}
	for _, v := range batch {
		l.ses.take(ctx, l.srv.do.envelope.read(v), all)
	}
}

// related and final write a message; nothing has nothing to do on a shared line.
func (l *line) related(m object)   { l.write(m) }
func (l *line) final(m any, _ int) { l.write(m) }
func (l *line) nothing()           {}

func (l *line) write(m any) {
	raw := append(encode(m, l.srv.do.order), '\n')
	for _, rewrite := range l.srv.do.stdio.output {
		raw = rewrite(raw)
	}
	l.raw(raw)
}

func (l *line) raw(b []byte) {
	select {
	case l.out <- b:
	case <-l.gone:
	}
}

// writeAll writes lines in the order they came, until the connection is over
// and the last of them is out.
func (l *line) writeAll(w io.Writer) error {
	for {
		select {
		case b := <-l.out:
			if _, err := w.Write(b); err != nil {
				return err
			}
		case <-l.gone:
			for {
				select {
				case b := <-l.out:
					if _, err := w.Write(b); err != nil {
						return err
					}
				default:
					return nil
				}
			}
		}
	}
}
