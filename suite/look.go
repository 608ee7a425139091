package suite

import (
	"context"
	"fmt"

	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

// Look opens the target under each revision, lists its tools and closes again.
// No tool is called. It returns what is known under each offered revision and
// transport, the newest first; the error says why nothing is offered.
func Look(ctx context.Context, cfg Config) ([]*scenarios.Facts, error) {
	cfg.defaults()
	if len(cfg.Target.transports()) == 0 {
		return nil, errNoTarget
	}
	e := &engine{cfg: cfg, hub: newHub(&cfg), facts: &scenarios.RunFacts{Seed: cfg.Seed, Calls: cfg.Calls, Roles: cfg.Roles, Offered: map[string][]string{}}}
	offered, fails := e.discover(ctx)
	var out []*scenarios.Facts
	for _, f := range offered {
		out = append(out, f.facts)
		e.closing.Go(func() { f.session.CloseWith(wire.Quick()) })
	}
	e.closing.Wait()
	if len(out) == 0 {
		for tr, err := range fails {
			return nil, fmt.Errorf("over %s the server could not be opened: %w", tr, err)
		}
		return nil, fmt.Errorf("the server offers no revision that conform knows")
	}
	return out, nil
}
