package fakes_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// TestLateAnswersOverHTTP asks a server that got behind: answers come long
// after the limit, but while it still works off what came before they are
// waited for. Nobody waits for one that is silent to a request alone.
func TestLateAnswersOverHTTP(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		ping     time.Duration // until the ping in question is answered
		others   time.Duration // until the others are, which were sent with it
		silence  bool
		answered bool
	}{
		{name: "all are late", ping: 2600 * time.Millisecond, others: 1200 * time.Millisecond, answered: true},
		{name: "all are late, where silence is likely", ping: 2600 * time.Millisecond, others: 1200 * time.Millisecond, silence: true, answered: true},
		{name: "one is silent", ping: time.Minute},
		{name: "one is silent, where silence is likely", ping: time.Minute, silence: true},
		{name: "one is silent, others late", ping: time.Minute, others: 1200 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				m := wire.ParseMessage(body)
				wait := tt.others
				if m.Method == "x/in-question" {
					wait = tt.ping
				}
				select {
				case <-time.After(wait):
				case <-r.Context().Done():
					return
				}
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
			}))
			t.Cleanup(srv.Close)
			client := wire.NewHTTPClient()
			anyone, ok := load(t).Get("sdk-v1")
			if !ok {
				t.Fatal("no client is called sdk-v1")
			}
			session := func() *fakes.Session {
				line := wire.OpenHTTP(srv.URL, http.Header{}, client, wire.NewTape("t", wire.NewBudget(1<<20)), wire.DefaultLimits())
				s := fakes.NewSession(anyone, line, "http", fakes.Limits{Start: time.Second, Answer: 1500 * time.Millisecond, Quiet: 200 * time.Millisecond})
				t.Cleanup(func() { s.Close() })
				return s
			}
			ctx := context.Background()
			one, other := session(), session()
			for range 12 {
				go func() { _ = other.Do(ctx, fakes.Ask{Label: "other", Method: "ping", Limit: 3 * time.Second}) }()
			}
			begin := time.Now()
			err := one.Do(ctx, fakes.Ask{Label: "one", Method: "x/in-question", Silence: tt.silence})
			if took := time.Since(begin); (err == nil) != tt.answered || took > 8*time.Second {
				t.Errorf("after %s: %v, answered should be %v", took, err, tt.answered)
			}
		})
	}
}
