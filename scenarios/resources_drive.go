package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

const (
	// resourcePages is how many pages of the lists are read here; listing walks them to their end.
	resourcePages = 20
	// maxReads and maxReadSize bound what is read: a resource may be a whole database.
	maxReads    = 5
	maxReadSize = 1 << 20
	// maxSubscribed is how many resources are subscribed to.
	maxSubscribed = 3
)

func driveResources(ctx context.Context, d *Drive) error {
	v := d.Shared(ctx)
	for _, k := range lists() {
		if k.capability == "resources" {
			_ = v.List(ctx, "list:"+k.method, k.method, resourcePages)
		}
	}
	entries := v.listed("list:resources/list", "resources")
	var uris, templates []string
	for _, r := range entries {
		if u := r.Get("uri"); u.Type == gjson.String {
			uris = append(uris, u.Str)
		}
	}
	for _, t := range v.listed("list:resources/templates/list", "resourceTemplates") {
		templates = append(templates, t.Get("uriTemplate").String())
	}
	var asks []fakes.Ask
	for _, p := range append(missingURIs(uris, templates), climbing(uris)...) {
		asks = append(asks, fakes.Ask{Label: p.label, Method: "resources/read", Params: uriParams(p.uri)})
	}
	v.Each(ctx, asks)
	var err error
	rest := []func(){func() { v.readSome(ctx, entries) }, func() { err = driveOddURIs(ctx, d) }}
	if !v.Modern() {
		rest = append(rest, func() { driveSubscribe(ctx, d, v, uris) })
	}
	d.Do(rest...)
	return err
}

// driveOddURIs reads odd uris one after the other, on a session of their own:
// one SDK ends its process over a uri with NUL. Of two eras over stdio the newer
// one is tried alone, which spares a process.
func driveOddURIs(ctx context.Context, d *Drive) error {
	if sparesProcess(d.Facts) {
		return nil
	}
	v, err := d.Fresh(ctx, fakes.Want{NoLists: true, NoStream: true, Purpose: "odd uris"})
	if err != nil {
		return err
	}
	defer v.Done()
	for _, p := range oddURIs() {
		if v.Do(ctx, fakes.Ask{Label: p.label, Method: "resources/read", Params: uriParams(p.uri)}); v.Dead() {
			return nil
		}
	}
	return nil
}

// sparesProcess says that what needs a process of its own is left to the newer era.
func sparesProcess(f *Facts) bool {
	return f.Transport == "stdio" && !f.Modern() && slices.ContainsFunc(f.Run.Offered[f.Transport], fakes.Modern)
}

// listed returns the entries of all pages that were read under a label.
func (v *Voice) listed(label, member string) []gjson.Result {
	var out []gjson.Result
	for _, p := range v.Pages(v.scope + label) {
		out = append(out, p.Get(member).Array()...)
	}
	return out
}

func uriParams(uri string) json.RawMessage {
	raw, _ := json.Marshal(map[string]string{"uri": uri})
	return raw
}

// readSome reads some listed resources one after the other, and stops when one is large.
// What lies on the web is left to clients, which are told to fetch it themselves.
func (v *Voice) readSome(ctx context.Context, entries []gjson.Result) {
	read := 0
	for _, r := range entries {
		uri := r.Get("uri")
		if read >= maxReads || ctx.Err() != nil {
			return
		}
		if uri.Type != gjson.String || onWeb(uri.Str) || r.Get("size").Int() > maxReadSize {
			continue
		}
		read++
		label := fmt.Sprintf("read:%d", read)
		_ = v.Do(ctx, fakes.Ask{Label: label, Method: "resources/read", Params: uriParams(uri.Str)})
		if m := v.Answer(label); m != nil && len(m.Root.Raw) > maxReadSize {
			return
		}
	}
}

func onWeb(uri string) bool {
	low := strings.ToLower(uri)
	return strings.HasPrefix(low, "https:") || strings.HasPrefix(low, "http:")
}

// uriProbe is a uri to read under a label.
type uriProbe struct{ label, uri string }

// missingURIs are uris that no server offers: one of a scheme that is listed, as
// long as no template reaches it, and one of a scheme that nobody has.
func missingURIs(uris, templates []string) []uriProbe {
	var out []uriProbe
	for _, known := range append(append([]string{}, uris...), templates...) {
		scheme := schemeOf(known)
		if scheme == "" || onWeb(known) {
			continue
		}
		authority := "zz-conform-no-such"
		if strings.HasPrefix(known, scheme+":///") {
			authority = "/zz-conform-no-such"
		}
		out = append(out, uriProbe{"missing:listed-scheme", scheme + "://" + authority + "/none/nothing.txt"})
		break
	}
	out = append(out, uriProbe{"missing:unknown-scheme", "zz-conform-no-such-scheme://none/nothing.txt"})
	var free []uriProbe
	for _, p := range out {
		if !reached(p.uri, templates) {
			free = append(free, p)
		}
	}
	return free
}

// reached says that a template may stand for a uri, its expressions for anything.
func reached(uri string, templates []string) bool {
	for _, t := range templates {
		var pattern strings.Builder
		for rest := t; rest != ""; {
			literal, tail, open := strings.Cut(rest, "{")
			pattern.WriteString(regexp.QuoteMeta(literal))
			if !open {
				break
			}
			pattern.WriteString(".*")
			_, rest, _ = strings.Cut(tail, "}")
		}
		if re, err := regexp.Compile("(?s)^" + pattern.String() + "$"); err != nil || re.MatchString(uri) {
			return true
		}
	}
	return false
}

// schemeOf is the scheme of a uri without its colon, "" when there is none.
func schemeOf(uri string) string {
	return strings.TrimSuffix(regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`).FindString(uri), ":")
}

// oddURIs are strings that are no uris, or no reasonable ones.
func oddURIs() []uriProbe {
	return []uriProbe{
		{"odd:empty", ""},
		{"odd:words", "not a uri"},
		{"odd:long", "zz-conform:" + strings.Repeat("x", 10_000)},
		{"odd:lines", "zz-conform://a\r\nb\nc"},
		{"odd:nul", "zz-conform://a\x00b"},
	}
}

// climbing are file uris that lead from a listed one to a file that every
// machine has and everybody may read. The first asks for that file plainly: a
// server that offers the whole machine lets nobody climb.
func climbing(uris []string) []uriProbe {
	for _, u := range uris {
		if !strings.HasPrefix(strings.ToLower(u), "file:///") {
			continue
		}
		dir := u[:strings.LastIndex(u, "/")+1]
		up, enc := strings.Repeat("../", 10), strings.Repeat("%2e%2e%2f", 10)
		return []uriProbe{
			{"climb-control", "file:///etc/hostname"},
			{"climb:plain", dir + up + "etc/hostname"},
			{"climb:encoded", dir + enc + "etc%2fhostname"},
			{"climb:slashes", dir + strings.ReplaceAll(up, "/", "%2f") + "etc/hostname"},
		}
	}
	return nil
}

// driveSubscribe subscribes to some listed resources, calls the tools that may
// be called, since one may change a resource, and unsubscribes again.
func driveSubscribe(ctx context.Context, d *Drive, v *Voice, uris []string) {
	if !d.Facts.Capability("resources.subscribe").Bool() {
		uri := "zz-conform-no-such-scheme://none"
		if len(uris) > 0 {
			uri = uris[0]
		}
		_ = v.Do(ctx, fakes.Ask{Label: "undeclared:subscribe", Method: "resources/subscribe", Params: uriParams(uri)})
		return
	}
	uris = uris[:min(len(uris), maxSubscribed)]
	v.eachURI(ctx, "subscribe:", "resources/subscribe", uris)
	from := len(v.Tape().Events())
	calls := validCalls(d.Facts, "change:", 1)
	v.callAll(ctx, calls)
	changed := updatesIn(v.Tape().Events()[from:])
	v.eachURI(ctx, "unsubscribe:", "resources/unsubscribe", uris)
	if !changed {
		return
	}
	pause(ctx, updateGrace+100*time.Millisecond) // updates on their way are none of those that count
	for i := range calls {
		calls[i].label = "after:" + strings.TrimPrefix(calls[i].label, "change:")
	}
	v.callAll(ctx, calls)
	pause(ctx, updateGrace/2)
	v.Note("after", "done", "the tools were called again after resources/unsubscribe")
}

func (v *Voice) eachURI(ctx context.Context, label, method string, uris []string) {
	var asks []fakes.Ask
	for i, u := range uris {
		asks = append(asks, fakes.Ask{Label: fmt.Sprintf("%s%d", label, i+1), Method: method, Params: uriParams(u)})
	}
	v.Each(ctx, asks)
}

func updatesIn(events []wire.Event) bool {
	for i := range events {
		if events[i].Kind == wire.Recv && events[i].Message().Method == "notifications/resources/updated" {
			return true
		}
	}
	return false
}
