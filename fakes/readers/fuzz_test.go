package readers_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers"
)

// tooLong is far above what reading one small list or answer takes.
const tooLong = 10 * time.Second

// fuzzSeeds are the variants that real clients ran.
func fuzzSeeds(f *testing.F) []variant {
	f.Helper()
	out := slices.Concat(lists(), oddTools(), calls())
	for i := range out {
		if i%7 != 0 { // every variant goes through every reader elsewhere
			out[i].Kind = ""
		}
	}
	return out
}

// FuzzListing has one client read two pages of any bytes: no panic, no hang,
// the same each time, and whatever is lost or dropped has a reason.
func FuzzListing(f *testing.F) {
	for i, v := range fuzzSeeds(f) {
		if v.Kind == "list" {
			f.Add([]byte(v.Raw), []byte(goodList), uint8(i))
		}
	}
	f.Add([]byte(`{"tools":[],"nextCursor":"a"}`), []byte("\xff"), uint8(1))
	f.Add([]byte(""), []byte("null"), uint8(2))
	f.Fuzz(func(t *testing.T, first, second []byte, who uint8) {
		if len(first)+len(second) > 64<<10 {
			t.Skip()
		}
		id, revision := reading(who)
		r, _ := readers.For(id)
		begin := time.Now()
		got := r.Listing(revision, [][]byte{first, second})
		if took := time.Since(begin); took > tooLong {
			t.Errorf("%s: %v", id, took)
		}
		if !slices.Contains([]fakes.State{fakes.Accepted, fakes.Lost, fakes.Hang}, got.State) {
			t.Errorf("%s: the list is %q", id, got.State)
		}
		if got.State != fakes.Accepted && got.Why == "" {
			t.Errorf("%s: the list is %s for no reason", id, got.State)
		}
		for _, tool := range got.Tools {
			if !slices.Contains([]fakes.State{fakes.Accepted, fakes.Rewritten, fakes.Dropped}, tool.State) {
				t.Errorf("%s: tool %q is %q", id, tool.Name, tool.State)
			}
			if tool.State != fakes.Accepted && tool.Why == "" {
				t.Errorf("%s: tool %q is %s for no reason", id, tool.Name, tool.State)
			}
		}
		if diff := cmp.Diff(got, r.Listing(revision, [][]byte{first, second})); diff != "" {
			t.Errorf("%s reads it another way the second time:\n%s", id, diff)
		}
	})
}

// FuzzCall has one client read any bytes as an answer to a call of any tool.
func FuzzCall(f *testing.F) {
	for i, v := range fuzzSeeds(f) {
		if v.Kind == "call" {
			f.Add([]byte(v.Tool), []byte(v.Raw), uint8(i))
		}
	}
	f.Add([]byte(""), []byte("[[["), uint8(0))
	f.Add([]byte(goodTool), []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":1e400,"message":null}}`), uint8(1))
	f.Fuzz(func(t *testing.T, tool, response []byte, who uint8) {
		if len(tool)+len(response) > 64<<10 {
			t.Skip()
		}
		id, revision := reading(who)
		r, _ := readers.For(id)
		begin := time.Now()
		var kept *fakes.ListedTool
		if l := r.Listing(revision, [][]byte{slices.Concat([]byte(`{"tools":[`), tool, []byte(`],"resultType":"complete","ttlMs":0,"cacheScope":"private"}`))}); len(l.Tools) > 0 {
			kept = &l.Tools[0]
		}
		got := r.Call(revision, kept, response)
		if took := time.Since(begin); took > tooLong {
			t.Errorf("%s: %v", id, took)
		}
		if !slices.Contains([]fakes.State{fakes.Accepted, fakes.Failed, fakes.Hang}, got.State) {
			t.Errorf("%s: the answer is %q", id, got.State)
		}
		if got.State != fakes.Accepted && got.Why == "" && got.Error == "" {
			t.Errorf("%s: the answer is %s for no reason", id, got.State)
		}
		if diff := cmp.Diff(got, r.Call(revision, kept, response)); diff != "" {
			t.Errorf("%s reads it another way the second time:\n%s", id, diff)
		}
	})
}

// reading names a client and a revision.
func reading(who uint8) (client, revision string) {
	ids := readers.IDs()
	return ids[int(who)%len(ids)], []string{"2026-07-28", "2025-11-25", "2025-03-26"}[int(who)/len(ids)%3]
}
