package fakes

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// TestStartGivenUp gives requests up that wait behind a full window. They must
// not take the places of others with them: the session would stand still.
func TestStartGivenUp(t *testing.T) {
	t.Parallel()
	answer := make(chan struct{})
	serve := func(_ context.Context, in io.Reader, out io.Writer) error {
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			id := gjson.Get(lines.Text(), "id").Raw
			go func() {
				<-answer
				fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", id)
			}()
		}
		return lines.Err()
	}
	line := wire.OpenPipe(serve, wire.NewTape("t", wire.NewBudget(1<<20)), wire.DefaultLimits())
	s := NewSession(Neutral(), line, "stdio", DefaultLimits())
	var open []*Pending
	for range window {
		open = append(open, s.Start(t.Context(), Ask{Method: "ping"}))
	}
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	for range 3 {
		if err := s.Start(short, Ask{Method: "ping"}).Err(); err == nil {
			t.Error("a request behind a full window was sent")
		}
	}
	close(answer)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for _, p := range open {
			_ = p.Wait(t.Context())
		}
		if err := s.Do(t.Context(), Ask{Method: "ping"}); err != nil {
			t.Errorf("a request afterwards: %v", err)
		}
		s.CloseWith(wire.Quick())
	}()
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Fatal("the session stands still")
	}
}
