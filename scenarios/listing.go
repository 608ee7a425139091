package scenarios

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

// lists names the list methods, the capability that offers each, the member
// that holds the entries and the member that names an entry.
func lists() []listKind {
	return []listKind{
		{"tools/list", "tools", "tools", "name"},
		{"prompts/list", "prompts", "prompts", "name"},
		{"resources/list", "resources", "resources", "uri"},
		{"resources/templates/list", "resources", "resourceTemplates", "uriTemplate"},
	}
}

type listKind struct{ method, capability, member, key string }

func listing() Scenario {
	return Scenario{
		ID: "listing", Title: "Lists", Every: true,
		Summary: "Reads all lists page by page, twice, and with cursors that the server never gave.",
		Drive:   driveListing,
		Checks:  append(listingShapeChecks(), append(listingPageChecks(), append(listingSDKChecks(), listingDetailChecks()...)...)...),
	}
}

func driveListing(ctx context.Context, d *Drive) error {
	v := d.Shared(ctx)
	var asks []fakes.Ask
	for _, k := range lists() {
		if !offered(d.Facts, k) {
			continue
		}
		if k.method != "tools/list" {
			if err := v.List(ctx, "list:"+k.method, k.method, 1000); err != nil {
				continue
			}
		}
		asks = append(asks,
			fakes.Ask{Label: "again:" + k.method, Method: k.method},
			fakes.Ask{Label: "bogus:" + k.method, Method: k.method, Params: json.RawMessage(`{"cursor":"conform-bogus"}`)})
		if first := firstCursor(d.Facts, v, k); first != "" {
			asks = append(asks, fakes.Ask{Label: "cursor:" + k.method, Method: k.method, Params: json.RawMessage(`{"cursor":` + first + `}`)})
		}
	}
	if d.Facts.Listed {
		long, _ := json.Marshal(string(make([]byte, 10_000)))
		for _, odd := range []struct{ label, cursor string }{{"odd:empty", `""`}, {"odd:number", `5`}, {"odd:null", `null`}, {"odd:long", string(long)}} {
			asks = append(asks, fakes.Ask{Label: odd.label, Method: "tools/list", Params: json.RawMessage(`{"cursor":` + odd.cursor + `}`), Silence: true})
		}
	}
	v.Each(ctx, asks)
	if !d.Facts.Modern() {
		return nil
	}
	// Under the stateless revision every connection must see the same lists.
	fresh, err := d.Fresh(ctx, fakes.Want{NoLists: true, Purpose: "lists on a connection of their own"})
	if err != nil || fresh == nil {
		return err
	}
	defer fresh.Done()
	for _, k := range lists() {
		if offered(d.Facts, k) {
			_ = fresh.List(ctx, "fresh:"+k.method, k.method, 1000)
		}
	}
	return nil
}

// offered says whether a list is worth asking for: declared, or for tools, answered.
func offered(f *Facts, k listKind) bool {
	return f.Capability(k.capability).Exists() || k.method == "tools/list" && f.Listed
}

// listMethod is a list that the server offers, tools first; where it offers
// none, the method that every server has.
func listMethod(f *Facts) string {
	for _, k := range lists() {
		if k.method == "tools/list" && f.Listed || k.method != "tools/list" && offered(f, k) {
			return k.method
		}
	}
	method, _ := harmless(f)
	return method
}

// firstCursor is the raw JSON of the first cursor that a list gave, "" when it has one page.
func firstCursor(f *Facts, v *Voice, k listKind) string {
	label := v.scope + "list:" + k.method
	if k.method == "tools/list" {
		label = "open/tools/list"
	}
	pages := v.Session.Pages(label)
	if k.method == "tools/list" {
		pages = v.d.Session.Pages(label)
	}
	if len(pages) == 0 || pages[0].Get("nextCursor").Type != gjson.String {
		return ""
	}
	return pages[0].Get("nextCursor").Raw
}

// walk returns the pages of a list as it was walked in the neutral voice.
func (e *Evidence) walk(k listKind) []*Exchange {
	if k.method == "tools/list" {
		var out []*Exchange
		for _, x := range e.Opening() {
			if x.Label == "tools/list" {
				out = append(out, x)
			}
		}
		return firstTape(out)
	}
	return e.All("list:" + k.method)
}

// firstTape keeps the exchanges of the first tape among them: one walk, not several.
func firstTape(all []*Exchange) []*Exchange {
	var out []*Exchange
	for _, x := range all {
		if x.Tape == all[0].Tape {
			out = append(out, x)
		}
	}
	return out
}

// entry is one entry of a list with the exchange that brought it.
type entry struct {
	kind listKind
	raw  gjson.Result
	x    *Exchange
}

func (n entry) name() string { return n.raw.Get(n.kind.key).String() }

// entries returns the entries of all walked lists, or of one method: MaxEntries
// of each at most.
func (e *Evidence) entries(method string) []entry {
	return ofCell(e, "entries "+method, func() []entry { return e.readEntries(method) })
}

func (e *Evidence) readEntries(method string) []entry {
	var out []entry
	for _, k := range lists() {
		if method != "" && k.method != method {
			continue
		}
		n := 0
		for _, x := range e.walk(k) {
			x.Result().Get(k.member).ForEach(func(_, v gjson.Result) bool {
				if n < MaxEntries {
					out = append(out, entry{k, v, x})
				}
				n++
				return n < MaxEntries
			})
		}
	}
	return out
}

// readerLimit is how large a listing is that readers are given, in bytes, and
// readerValues of how many values it may be, roughly: a reader that holds each
// as what its client would takes a hundred bytes and more for it.
const (
	readerLimit  = 2 << 20
	readerValues = 100_000
)

// ForReader is the answer to a call for a reader; nil when it is larger than what
// is looked at. Pictures make answers larger than lists.
func ForReader(x *Exchange) []byte {
	raw := x.Answer.Root.Raw
	if len(raw) > 2*readerLimit || strings.Count(raw, ",") > readerValues {
		return nil
	}
	return []byte(raw)
}

// ReaderPages are pages of tools/list for a reader; nil when there are none, or
// when they are larger than what is looked at: readers see all or nothing.
func ReaderPages(all []*Exchange) [][]byte {
	var out [][]byte
	size, values, tools := 0, 0, 0
	for _, x := range all {
		if !x.Result().Exists() {
			continue
		}
		page := x.Result().Raw
		if size += len(page); size > readerLimit {
			return nil
		}
		if values += strings.Count(page, ","); values > readerValues {
			return nil
		}
		x.Result().Get("tools").ForEach(func(_, _ gjson.Result) bool {
			tools++
			return tools <= MaxEntries
		})
		if tools > MaxEntries {
			return nil
		}
		out = append(out, []byte(page))
	}
	return out
}

// eachEntry looks at every entry and collects what is wrong with it.
func (e *Evidence) eachEntry(method string, look func(entry) []Fault) Ruling {
	var r Ruling
	for _, n := range e.entries(method) {
		r.Seen++
		for _, f := range look(n) {
			if f.Subject == "" {
				f.Subject = n.name()
			}
			if f.Proof == nil {
				f.Proof = []*Exchange{n.x}
			}
			r.Faults = append(r.Faults, f)
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server lists nothing of this kind")
	}
	return r
}

// one wraps a fault, nil for none.
func one(bad bool, expected, observed string) []Fault {
	if !bad {
		return nil
	}
	return []Fault{{Expected: expected, Observed: observed}}
}
