package scenarios

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// drop is a call whose stream the client has closed, on a session of its own:
// what comes back is then its own.
type drop struct {
	v     *Voice
	begun time.Time
	done  chan struct{} // closed when the server was asked whether it lives
}

// startDrop makes the slow call and closes its stream, in the background; nil
// where there are no streams.
func startDrop(ctx context.Context, d *Drive, c toolCall) *drop {
	if d.Cell.Transport != "http" {
		return nil
	}
	x := &drop{done: make(chan struct{})}
	go func() {
		defer close(x.done)
		v, err := d.Fresh(ctx, fakes.Want{Purpose: "cancellation, a dropped stream", NoLists: true, NoStream: true})
		if err != nil {
			return
		}
		x.v, x.begun = v, time.Now()
		p := v.Start(ctx, fakes.Ask{
			Label: "dropped", Method: "tools/call", Params: fakes.Call(c.tool, c.args),
			Meta: json.RawMessage(`{"progressToken":"conform-dropped"}`),
		})
		pause(ctx, cancelAfter)
		p.Drop()
		v.alive(ctx, "alive:dropped")
	}()
	return x
}

// end comes back for the answer in a handshake revision where the stream has
// event ids, if that is wanted.
func (x *drop) end(ctx context.Context, whole time.Duration, fetch bool) {
	if x == nil {
		return
	}
	<-x.done
	v := x.v
	if v == nil {
		return
	}
	last := lastEventID(v.Tape().Events(), v.scope+"dropped")
	if !fetch || v.Modern() || last == "" {
		return
	}
	pause(ctx, whole+cancelAfter-time.Since(x.begun))
	back, cancel := context.WithTimeout(ctx, 2*time.Second+whole)
	defer cancel()
	h := http.Header{"Accept": {"text/event-stream"}, "Last-Event-Id": {last}, "Mcp-Protocol-Version": {v.Revision}}
	if id := v.SessionID(); id != "" {
		h.Set("Mcp-Session-Id", id)
	}
	sent, err := v.Session.HTTP(back, wire.Frame{Probe: v.scope + "resume", Method: http.MethodGet, Header: h})
	if err != nil {
		return
	}
	defer sent.Drop()
	for back.Err() == nil {
		if took, _ := tookOf(v.Tape().Events(), v.scope+"dropped"); took > 0 {
			break
		}
		select {
		case <-sent.Done():
			return
		default:
			pause(back, 25*time.Millisecond)
		}
	}
	if errors.Is(back.Err(), context.DeadlineExceeded) {
		v.Note("resume", "silent", fmt.Sprintf("the answer did not come within %s", 2*time.Second+whole))
	}
}

// lastEventID is the id of the last event on the stream of a request.
func lastEventID(events []wire.Event, label string) string {
	post, id := 0, ""
	for _, ev := range events {
		switch {
		case ev.Kind == wire.Send && ev.Probe == label:
			post, id = ev.Post, ""
		case ev.Post == post && post > 0 && ev.HTTP != nil && ev.HTTP.EventID != "":
			id = ev.HTTP.EventID
		}
	}
	return strings.TrimSpace(id)
}
