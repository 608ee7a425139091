package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/agntn/conform/fakes"
)

func opening() Scenario {
	return Scenario{
		ID: "opening", Title: "Opening", Waits: true,
		Summary: "Opens sessions in right, odd and early ways: unknown versions, requests before the handshake, unknown capabilities.",
		Drive:   driveOpening,
		Checks:  append(handshakeChecks(), append(identityChecks(), discoverChecks()...)...),
	}
}

func driveOpening(ctx context.Context, d *Drive) error {
	probes := []func(context.Context, *Drive) error{openEarly, openDiscoverFirst, openOddly, openBadly}
	if d.Facts.Modern() {
		probes = []func(context.Context, *Drive) error{openAnyFirst, openUnsupported}
	}
	v := d.Shared(ctx)
	var wg sync.WaitGroup
	errs := make([]error, len(probes))
	for i, p := range probes {
		wg.Go(func() { errs[i] = p(ctx, d) })
	}
	if d.Facts.Modern() {
		v.Each(ctx, modernAsks(d))
	} else {
		_ = v.Do(ctx, fakes.Ask{Label: "ping", Method: "ping"})
	}
	driveCapabilities(ctx, d, v)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// initializeWith writes the params of initialize with the given version.
func initializeWith(version, capabilities string) json.RawMessage {
	v, _ := json.Marshal(version)
	return json.RawMessage(`{"protocolVersion":` + string(v) + `,"capabilities":` + capabilities + `,"clientInfo":{"name":"conform","version":"1.0.0"}}`)
}

// openUnknownVersion asks for a version from the future, as the first message of a line.
func openUnknownVersion(ctx context.Context, d *Drive) error {
	v, err := d.Raw(ctx, "a version from the future")
	if err != nil {
		return err
	}
	defer v.Done()
	v.unknownVersion(ctx)
	return nil
}

func (v *Voice) unknownVersion(ctx context.Context) {
	_ = v.Do(ctx, fakes.Ask{Label: "version:2099-01-01", Method: "initialize", Params: initializeWith("2099-01-01", `{}`), Limit: v.Limits.Start})
}

// openEarly asks for the tools before the handshake, and then opens with a version of the past.
func openEarly(ctx context.Context, d *Drive) error {
	v, err := d.Raw(ctx, "a request before the handshake")
	if err != nil {
		return err
	}
	defer v.Done()
	_ = v.Do(ctx, fakes.Ask{Label: "early", Method: "tools/list", Limit: v.Limits.Start})
	_ = v.Do(ctx, fakes.Ask{Label: "version:1900-01-01", Method: "initialize", Params: initializeWith("1900-01-01", `{}`), Limit: v.Limits.Start})
	return nil
}

// openDiscoverFirst does what clients do that do not know the server yet.
func openDiscoverFirst(ctx context.Context, d *Drive) error {
	v, err := d.Raw(ctx, "server/discover before the handshake")
	if err != nil {
		return err
	}
	defer v.Done()
	v.Session.Revision = fakes.Rev20260728
	_ = v.Do(ctx, fakes.Ask{Label: "discover-first", Method: "server/discover", Limit: v.Limits.Start})
	v.Session.Revision = ""
	_ = v.Do(ctx, fakes.Ask{Label: "after-discover", Method: "initialize", Params: initializeWith(d.Facts.Revision, `{}`), Limit: v.Limits.Start})
	return nil
}

// heldBack is how much later than the answer to initialize a slow client goes on.
const heldBack = 500 * time.Millisecond

// openOddly declares capabilities from the future, holds initialized back, and initializes twice.
func openOddly(ctx context.Context, d *Drive) error {
	v, err := d.Raw(ctx, "unknown capabilities, a slow client")
	if err != nil {
		return err
	}
	defer v.Done()
	caps := `{"zzConform":{"level":9},"experimental":{"com.example/zz":{}},"extensions":{"com.example/zz":{}}}`
	if v.Do(ctx, fakes.Ask{Label: "odd-capabilities", Method: "initialize", Params: initializeWith(d.Facts.Revision, caps), Limit: v.Limits.Start}) != nil {
		return nil
	}
	v.Session.Revision = d.Facts.Revision
	_ = v.Do(ctx, fakes.Ask{Label: "early-ping", Method: "ping"})
	select {
	case <-time.After(heldBack):
	case <-ctx.Done():
		return nil
	}
	v.Note("held-back", "waited", fmt.Sprintf("notifications/initialized was held back for %s", heldBack))
	_ = v.Notify(ctx, fakes.Ask{Label: "initialized", Method: "notifications/initialized"})
	_ = v.Do(ctx, fakes.Ask{Label: "odd-list", Method: "tools/list"})
	_ = v.Do(ctx, fakes.Ask{Label: "twice", Method: "initialize", Params: initializeWith(d.Facts.Revision, `{}`)})
	_ = v.Do(ctx, fakes.Ask{Label: "after-twice", Method: "ping"})
	// A modern request on a connection that was opened by a handshake.
	envelope := json.RawMessage(`{"_meta":{"` + fakes.MetaVersion + `":"` + fakes.Rev20260728 + `","` + fakes.MetaClientInfo + `":{"name":"conform","version":"1.0.0"},"` + fakes.MetaCapabilities + `":{}}}`)
	_ = v.Do(ctx, fakes.Ask{Label: "mixed", Method: "server/discover", Params: envelope, Silence: true})
	return nil
}

// openBadly leaves required members of initialize out, one after the other. A
// server that refused them all is still unopened: it is asked for a version from
// the future then, which spares a process. What it says there counts only when it
// opens; else it is asked again on a line of its own.
func openBadly(ctx context.Context, d *Drive) error {
	v, err := d.Raw(ctx, "initialize without its members")
	if err != nil {
		return err
	}
	defer v.Done()
	refused := true
	for _, bad := range []struct{ label, params string }{
		{"bad:capabilities", `{"protocolVersion":"` + d.Facts.Revision + `","clientInfo":{"name":"conform","version":"1.0.0"}}`},
		{"bad:clientInfo", `{"protocolVersion":"` + d.Facts.Revision + `","capabilities":{}}`},
		{"bad:protocolVersion", `{"capabilities":{},"clientInfo":{"name":"conform","version":"1.0.0"}}`},
	} {
		_ = v.Do(ctx, fakes.Ask{Label: bad.label, Method: "initialize", Params: json.RawMessage(bad.params), Silence: true})
		m := v.Answer(bad.label)
		refused = refused && m != nil && m.Root.Get("error").Exists()
	}
	if refused && !v.Dead() {
		v.unknownVersion(ctx)
		if m := v.Answer("version:2099-01-01"); m != nil && m.Result.Exists() {
			return nil
		}
	}
	return openUnknownVersion(ctx, d)
}

// openAnyFirst sends a request of the stateless revision as the very first
// message, and then one with a version that nobody speaks.
func openAnyFirst(ctx context.Context, d *Drive) error {
	v, err := d.Raw(ctx, "a list as the first message")
	if err != nil {
		return err
	}
	defer v.Done()
	_ = v.Do(ctx, fakes.Ask{Label: "first", Method: listMethod(d.Facts), Limit: v.Limits.Start})
	_ = v.Do(ctx, versionAsk("then-unsupported", listMethod(d.Facts), "1900-01-01"))
	return nil
}

func openUnsupported(ctx context.Context, d *Drive) error {
	v, err := d.Raw(ctx, "a version that nobody speaks")
	if err != nil {
		return err
	}
	defer v.Done()
	a := versionAsk("unsupported:list", listMethod(d.Facts), "1900-01-01")
	a.Limit = v.Limits.Start
	_ = v.Do(ctx, a)
	_ = v.Do(ctx, versionAsk("unsupported:server/discover", "server/discover", "1900-01-01"))
	return nil
}

// versionAsk names a version in _meta, and in the header where there is one.
func versionAsk(label, method, version string) fakes.Ask {
	return fakes.Ask{
		Label: label, Method: method, Meta: json.RawMessage(`{"` + fakes.MetaVersion + `":"` + version + `"}`),
		Header: map[string][]string{"Mcp-Protocol-Version": {version}},
	}
}

func modernAsks(d *Drive) []fakes.Ask {
	bare := `{"_meta":{"` + fakes.MetaVersion + `":"` + d.Facts.Revision + `","` + fakes.MetaCapabilities + `":{}}}`
	named := func(name string) json.RawMessage {
		return json.RawMessage(`{"` + fakes.MetaClientInfo + `":{"name":"` + name + `","version":"9.9.9"}}`)
	}
	list := listMethod(d.Facts)
	return []fakes.Ask{
		{Label: "no-client-info", Method: list, Params: json.RawMessage(bare), Bare: true},
		{Label: "odd-capabilities", Method: list, Capabilities: json.RawMessage(`{"zzConform":{},"extensions":{"com.example/zz":{}}}`)},
		{Label: "identity:other", Method: list, Meta: named("zz-other-client")},
		{Label: "discover-again", Method: "server/discover"},
		versionAsk("legacy-in-meta", "server/discover", fakes.Rev20251125),
	}
}

// driveCapabilities asks for what the server did not declare, and for what it did.
func driveCapabilities(ctx context.Context, d *Drive, v *Voice) {
	var asks []fakes.Ask
	for _, k := range lists() {
		if k.method == "tools/list" {
			continue
		}
		asks = append(asks, fakes.Ask{Label: "list:" + k.method, Method: k.method})
	}
	if !d.Facts.Capability("completions").Exists() {
		asks = append(asks, fakes.Ask{Label: "undeclared:completion", Method: "completion/complete",
			Params: json.RawMessage(`{"ref":{"type":"ref/prompt","name":"zz_conform"},"argument":{"name":"zz","value":"z"}}`)})
	}
	v.Each(ctx, asks)
}
