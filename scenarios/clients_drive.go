package scenarios

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/agntn/conform/fakes"
)

// visitPatience is how long the calls of one client may take together.
const visitPatience = 3 * time.Second

func driveClients(ctx context.Context, d *Drive) error {
	if d.Session == nil {
		return nil
	}
	v := d.Shared(ctx)
	// A handful is enough to see how the client reads; every tool is called in the neutral voice.
	// A tool that works for long is no client's business: its answer is left.
	short, cancel := context.WithTimeout(ctx, visitPatience)
	defer cancel()
	calls := validCalls(d.Facts, "call:", 1)
	calls = calls[:min(len(calls), 6)]
	if d.Client.Asking.OmitsEmptyArguments {
		for i := range calls {
			if len(parsed(calls[i].args).Map()) == 0 {
				calls[i].args = nil
			}
		}
	}
	if d.Cell.Transport == "http" && d.Client.HTTP.SessionPerCall {
		return callAlone(short, d, calls)
	}
	v.callAll(short, calls)
	return nil
}

// callAlone makes each call in a session of its own, side by side.
func callAlone(ctx context.Context, d *Drive, calls []toolCall) error {
	var wg sync.WaitGroup
	errs := make([]error, len(calls))
	for i, c := range calls {
		wg.Go(func() {
			v, err := d.Fresh(ctx, fakes.Want{NoLists: true, NoStream: true, Purpose: "a call of " + d.Client.Product})
			if v == nil || err != nil {
				errs[i] = err
				return
			}
			defer v.Done()
			v.callAll(ctx, []toolCall{c})
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
