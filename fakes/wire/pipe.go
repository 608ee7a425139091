package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve runs a server in this process: it reads frames from in and writes
// frames to out, one a line, until in ends or ctx is done.
type Serve func(ctx context.Context, in io.Reader, out io.Writer) error

// Returned is the status of a server in this process that ended: it has no exit code.
const Returned = "returned"

// Pipe is a line to a server in this process, byte for byte like stdio.
type Pipe struct {
	tape   *Tape
	in     *io.PipeWriter
	out    *io.PipeReader
	cancel context.CancelFunc
	writes chan write
	dead   chan struct{}
	ended  chan struct{}
	limits Limits
}

// OpenPipe starts serve on pipes.
func OpenPipe(serve Serve, tape *Tape, limits Limits) *Pipe {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	p := &Pipe{
		tape: tape, in: inW, out: outR, cancel: cancel, limits: limits,
		writes: make(chan write), dead: make(chan struct{}), ended: make(chan struct{}),
	}
	go func() {
		defer close(p.ended)
		status := "returned"
		defer func() {
			if r := recover(); r != nil {
				status = fmt.Sprintf("panic: %v", r)
			}
			outW.Close()
			inR.CloseWithError(ErrDead)
			tape.Append(Event{Kind: Exit, Status: clean(status, 300)})
		}()
		if err := serve(ctx, inR, outW); err != nil && ctx.Err() == nil {
			status = "returned: " + err.Error()
		}
	}()
	go p.read()
	go p.writeLoop()
	return p
}

// Tape returns the transcript.
func (p *Pipe) Tape() *Tape { return p.tape }

// Dead is closed when the server wrote its last byte.
func (p *Pipe) Dead() <-chan struct{} { return p.dead }

// Send hands one frame to the server.
func (p *Pipe) Send(ctx context.Context, f Frame) (Sent, error) {
	w := write{frame: f, done: make(chan error, 1)}
	select {
	case p.writes <- w:
	case <-p.dead:
		return nil, ErrDead
	case <-ctx.Done():
		return nil, fmt.Errorf("the server does not read: %w", ctx.Err())
	}
	select {
	case err := <-w.done:
		return stdioSent{}, settled(err, p.dead)
	case <-ctx.Done():
		return nil, fmt.Errorf("the server does not read: %w", ctx.Err())
	}
}

func (p *Pipe) writeLoop() {
	for {
		select {
		case w := <-p.writes:
			p.tape.Append(Event{Kind: Send, Raw: w.frame.Raw, Probe: w.frame.Probe, Chunks: w.frame.Chunks})
			raw := w.frame.Raw
			if !w.frame.NoNewline {
				raw = append(append([]byte{}, raw...), '\n')
			}
			w.done <- writeIn(p.in, raw, w.frame.Chunks)
		case <-p.dead:
			return
		}
	}
}

func (p *Pipe) read() {
	defer close(p.dead)
	r := bufio.NewReaderSize(p.out, 64<<10)
	g := gather{limit: p.limits.Frame, desk: p.limits.Desk}
	defer g.drop()
	var total int64
	for count := 0; ; count++ {
		size, err := g.line(r)
		total += size
		if size > 0 {
			frame, cut := g.frame()
			p.tape.Append(Event{Kind: Recv, Raw: frame, Cut: cut})
			g.drop()
		}
		if err != nil {
			return
		}
		if total > p.limits.Line || count > p.limits.Events {
			p.tape.Note("", "flood", "cut off: the server wrote more than the limit")
			p.out.CloseWithError(errFlood)
			return
		}
	}
}

// Close ends the input, waits as the first step says, and then cancels the server.
func (p *Pipe) Close(steps Shutdown) Ending {
	begin := time.Now()
	p.in.Close()
	end := Ending{By: "eof", Status: Returned}
	wait := 2 * time.Second
	if len(steps) > 0 {
		wait = steps[0].Wait
	}
	select {
	case <-p.ended:
	case <-time.After(wait):
		end.By = "cancel"
		p.cancel()
		p.out.CloseWithError(errors.New("closed"))
		select {
		case <-p.ended:
		case <-time.After(2 * time.Second):
			end.Status = "still running"
		}
	}
	p.cancel()
	end.Took = time.Since(begin)
	return end
}

// Transport is a line over any go-sdk transport. What such a transport cannot
// carry, a frame that is no JSON-RPC message, is noted and not sent.
type Transport struct {
	tape   *Tape
	conn   mcp.Connection
	cancel context.CancelFunc
	dead   chan struct{}
}

// OpenTransport connects the transport.
func OpenTransport(ctx context.Context, t mcp.Transport, tape *Tape) (*Transport, error) {
	conn, err := t.Connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot connect the in-process transport: %w", err)
	}
	rctx, cancel := context.WithCancel(context.Background())
	l := &Transport{tape: tape, conn: conn, cancel: cancel, dead: make(chan struct{})}
	go func() {
		defer close(l.dead)
		for {
			m, err := conn.Read(rctx)
			if err != nil {
				return
			}
			raw, err := jsonrpc.EncodeMessage(m)
			if err != nil {
				tape.Note("", "unreadable", clean(err.Error(), 300))
				continue
			}
			tape.Append(Event{Kind: Recv, Raw: raw})
		}
	}()
	return l, nil
}

// Tape returns the transcript.
func (l *Transport) Tape() *Tape { return l.tape }

// Dead is closed when the connection ended.
func (l *Transport) Dead() <-chan struct{} { return l.dead }

// Send decodes the frame and writes it.
func (l *Transport) Send(ctx context.Context, f Frame) (Sent, error) {
	m, err := jsonrpc.DecodeMessage(f.Raw)
	if err != nil {
		l.tape.Note(f.Probe, "unsendable", "an in-process transport cannot carry this frame: "+clean(err.Error(), 200))
		return stdioSent{}, fmt.Errorf("an in-process transport cannot carry this frame: %w", err)
	}
	l.tape.Append(Event{Kind: Send, Raw: f.Raw, Probe: f.Probe})
	if err := l.conn.Write(ctx, m); err != nil {
		return nil, ErrDead
	}
	return stdioSent{}, nil
}

// Close closes the connection.
func (l *Transport) Close(Shutdown) Ending {
	begin := time.Now()
	l.cancel()
	_ = l.conn.Close()
	return Ending{By: "close", Took: time.Since(begin)}
}
