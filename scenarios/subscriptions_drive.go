package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

const (
	// staysOpen is how long subscriptions are watched, those that are open and
	// the one that was cancelled.
	staysOpen = 500 * time.Millisecond
)

// driveSubscriptions opens subscriptions one after the other, so that an
// acknowledgement without an id still belongs to one of them. Changes are
// provoked twice: under the first alone, and when several are open.
func driveSubscriptions(ctx context.Context, d *Drive) error {
	if !d.Facts.Modern() {
		return nil
	}
	v, err := d.Fresh(ctx, fakes.Want{NoLists: true, Purpose: "subscriptions"})
	if err != nil {
		return err
	}
	var uris []string
	if d.Facts.Capability("resources").Exists() {
		_ = v.List(ctx, "list:resources/list", "resources/list", 1)
		for _, r := range v.listed("list:resources/list", "resources") {
			if u := r.Get("uri"); u.Type == gjson.String && len(uris) < maxReads {
				uris = append(uris, u.Str)
			}
		}
	}
	first := v.listen(ctx, "listen:text", `"conform-L"`, filterFor(uris, "toolsListChanged", "promptsListChanged", "resourcesListChanged"))
	if first == nil {
		return nil // no subscriptions here: nothing else needs to be tried
	}
	changing := v.provoke(ctx, d)
	open := []*fakes.Pending{
		v.listen(ctx, "listen:number", "1000012", filterFor(uris[:min(1, len(uris))], "toolsListChanged")),
		v.listen(ctx, "listen:zero", "0", filterFor(uris[max(0, len(uris)-1):], "promptsListChanged")),
		v.listen(ctx, "empty", "", `{}`),
		v.listen(ctx, "unknown-kind", "", `{"zzConformChanged":true}`),
	}
	open = append(open, v.listen(ctx, "no-filter", "", ""))
	v.callAll(ctx, relabelled(changing, "change:", "second:", ""))
	if open[0] == nil && open[1] == nil {
		pause(ctx, staysOpen) // there is no other that could be watched
	}
	if v.endOne(ctx, d, first); len(changing) > 0 {
		v.callAll(ctx, relabelled(changing, "change:", "again:", ""))
		other := d.Shared(ctx)
		other.callAll(ctx, relabelled(changing, "change:", "elsewhere:", ""))
	}
	pause(ctx, staysOpen+50*time.Millisecond)
	v.Note("watched", "done", fmt.Sprintf("the cancelled subscription and the open ones were watched for %s", staysOpen))
	if d.Cell.Transport != "http" {
		v.Note("closing", "done", "the client closes the line under its open subscriptions")
		v.Session.CloseWith(wire.Polite())
	}
	for _, p := range open {
		if p != nil {
			p.Drop()
		}
	}
	return nil
}

// filterFor is a filter of subscriptions/listen.
func filterFor(uris []string, kinds ...string) string {
	f := map[string]any{}
	for _, k := range kinds {
		f[k] = true
	}
	if len(uris) > 0 {
		f["resourceSubscriptions"] = uris
	}
	raw, _ := json.Marshal(f)
	return string(raw)
}

// listen opens a subscription and waits until it is acknowledged or answered.
// It returns nil when it was answered. filter "" leaves it out.
func (v *Voice) listen(ctx context.Context, label, id, filter string) *fakes.Pending {
	a := fakes.Ask{Label: label, Method: "subscriptions/listen", ID: id}
	if filter != "" {
		a.Params = json.RawMessage(`{"notifications":` + filter + `}`)
	}
	acknowledged := v.comes(func(ev *wire.Event) bool { return ev.Message().Method == methodAcknowledged })
	p := v.Start(ctx, a)
	begin := time.Now()
	for ; ; pause(ctx, 20*time.Millisecond) {
		select {
		case <-p.Answered():
			return nil
		case <-v.Line().Dead():
			return nil
		case <-ctx.Done():
			return nil
		default:
		}
		if acknowledged() {
			return p
		}
		if v.overdue(begin) {
			p.Abandon("unacknowledged", fmt.Sprintf("neither acknowledged nor answered within %s", v.Limits.Answer))
			return p
		}
	}
}

// provoke calls each tool that may be called once, between two looks at the
// lists, and returns the calls that were quick when changes were told of.
func (v *Voice) provoke(ctx context.Context, d *Drive) []toolCall {
	calls := validCalls(d.Facts, "change:", 1)
	if len(calls) == 0 {
		return nil
	}
	v.look(ctx, d, "before:")
	from := len(v.Tape().Events())
	quick, _ := v.callLogging(ctx, calls)
	v.look(ctx, d, "after:")
	if !slices.ContainsFunc(v.Tape().Events()[from:], func(ev wire.Event) bool {
		return ev.Kind == wire.Recv && kindOf(ev.Message()) != ""
	}) {
		return nil
	}
	return quick
}

// look asks the lists whose changes the server says that it announces.
func (v *Voice) look(ctx context.Context, d *Drive, prefix string) {
	var asks []fakes.Ask
	for _, k := range lists() {
		if d.Facts.Capability(k.capability + ".listChanged").Bool() {
			asks = append(asks, fakes.Ask{Label: prefix + k.method, Method: k.method})
		}
	}
	v.Each(ctx, asks)
}

// endOne cancels a subscription as its transport does.
func (v *Voice) endOne(ctx context.Context, d *Drive, p *fakes.Pending) {
	if d.Cell.Transport == "http" {
		p.Drop()
		return
	}
	_ = v.Notify(ctx, fakes.Ask{Label: "cancel", Method: "notifications/cancelled", Params: json.RawMessage(`{"requestId":` + p.ID + `}`), Limit: v.Limits.Quiet * 2})
}

// methodAcknowledged is what a server says first on a subscription.
const methodAcknowledged = "notifications/subscriptions/acknowledged"

// kindOf is the member of a filter that asks for a notification, "" for those that belong to no subscription.
func kindOf(m *wire.Message) string {
	switch m.Method {
	case "notifications/tools/list_changed":
		return "toolsListChanged"
	case "notifications/prompts/list_changed":
		return "promptsListChanged"
	case "notifications/resources/list_changed":
		return "resourcesListChanged"
	case "notifications/resources/updated":
		return "resourceSubscriptions"
	}
	return ""
}

// capabilityOf is the capability that promises a kind of notification.
func capabilityOf(kind string) string {
	if kind == "resourceSubscriptions" {
		return "resources.subscribe"
	}
	return strings.TrimSuffix(kind, "ListChanged") + ".listChanged"
}
