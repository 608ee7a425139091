package wire

import (
	"context"
	"testing"
	"time"
)

// enterSoon enters, or reports that there was no place.
func enterSoon(g *gate, ahead bool) func() {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	return g.enter(ctx, ahead)
}

func TestGateBoundsWhatIsOpen(t *testing.T) {
	t.Parallel()
	var g gate
	var leave []func()
	for range gateFirst {
		leave = append(leave, g.enter(t.Context(), false))
	}
	if enterSoon(&g, false) != nil {
		t.Fatalf("more than %d requests were let in before anything was answered", gateFirst)
	}
	if enterSoon(&g, true) == nil {
		t.Fatal("a request that may go ahead had to wait")
	}
	in := make(chan func())
	go func() { in <- g.enter(t.Context(), false) }()
	leave[0]()
	leave[0]() // a place is given back once
	leave[1]()
	if <-in == nil {
		t.Fatal("nobody was let in when places were given back")
	}
	if enterSoon(&g, false) != nil {
		t.Error("more were let in than places were given back")
	}
}

func TestGateKeepsNobodyWaitingForLong(t *testing.T) {
	t.Parallel()
	var g gate
	for range gateFirst {
		g.enter(t.Context(), false)
	}
	begin := time.Now()
	if g.enter(t.Context(), false) == nil {
		t.Fatal("requests that get no answer keep all others out")
	}
	if took := time.Since(begin); took < gateWait/2 || took > 3*gateWait {
		t.Errorf("let in after %s", took)
	}
}

func TestGateFollowsTheServer(t *testing.T) {
	t.Parallel()
	var g gate
	for range 200 {
		g.took(200 * time.Millisecond)
	}
	if g.limit != gateMost {
		t.Errorf("a server that is far away, but quick: %d places, want %d", g.limit, gateMost)
	}
	for range 300 {
		g.took(900 * time.Millisecond)
	}
	if g.limit != gateLeast {
		t.Errorf("a server that gets slower and slower: %d places, want %d", g.limit, gateLeast)
	}
}

func TestGateSeesWhoWaitsForLong(t *testing.T) {
	t.Parallel()
	var g gate
	g.took(time.Millisecond)
	for range gateLeast {
		g.enter(t.Context(), false)
	}
	time.Sleep(2 * gateOld)
	before := g.limit
	g.took(time.Millisecond)
	if g.limit >= before {
		t.Errorf("%d places after %d, though all that are open wait for long", g.limit, before)
	}
}
