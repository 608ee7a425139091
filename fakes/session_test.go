package fakes

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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

// TestSilenceEndsWithExchange asks over HTTP for something that may stay
// unanswered. The answer without an id, which comes while silence is being told,
// ends the wait.
func TestSilenceEndsWithExchange(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		m := wire.ParseMessage(body)
		if m.Method != "odd" {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
			return
		}
		time.Sleep(500 * time.Millisecond) // the canary is answered by now
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}`)
	}))
	t.Cleanup(srv.Close)
	limits := DefaultLimits()
	limits.Quiet = time.Second
	tape := wire.NewTape("t", wire.NewBudget(1<<20))
	s := NewSession(Neutral(), wire.OpenHTTP(srv.URL, http.Header{}, wire.NewHTTPClient(), tape, wire.DefaultLimits()), "http", limits)
	defer s.CloseWith(wire.Quick())
	if err := s.Do(t.Context(), Ask{Method: "odd", Label: "odd", Silence: true}); err != nil {
		t.Errorf("the exchange was over, and the wait ended with: %v", err)
	}
	for _, e := range tape.Events() {
		if e.Kind == wire.Notice && e.Status == "silent" {
			t.Errorf("it was called silent: %s", e.Raw)
		}
	}
}
