package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"sync"
	"time"

	"github.com/agntn/conform/fakes"
)

// maxValidSets is how many argument sets of one tool are tried.
const maxValidSets = 3

// maxTools bounds how many tools are called, so that servers with hundreds of
// tools are judged by a part of them.
const maxTools = 60

// patience is how long valid calls may take together. A tool that works longer
// is no fault: what is not answered by then proves nothing.
const patience = 12 * time.Second

// stragglers is how long the last of them are waited for when most are answered
// and no more answers come.
const stragglers = 3 * time.Second

// toolCall is one call to make.
type toolCall struct {
	label, tool string
	args        json.RawMessage // none when nil
	meta        json.RawMessage
}

// validCalls lists calls with valid arguments, labelled "<prefix><tool>#<n>":
// first one of each callable tool, then the second of each, and so on.
func validCalls(f *Facts, prefix string, each int) []toolCall {
	tools := f.CallableTools()
	tools = tools[:min(len(tools), maxTools)]
	sets := make([][]ArgumentSet, len(tools))
	for i, t := range tools {
		sets[i] = CallArguments(f, t)
	}
	var out []toolCall
	for n := range each {
		for i, t := range tools {
			if n < len(sets[i]) {
				out = append(out, toolCall{label: fmt.Sprintf("%s%s#%d", prefix, toolLabel(f, t), n+1), tool: t.Name, args: sets[i][n].JSON})
			}
		}
	}
	return out
}

// toolLabel names a tool in a label: by its name where that is plain, else by its place.
func toolLabel(f *Facts, t *Tool) string {
	if regexp.MustCompile(`^[A-Za-z0-9_.:/-]{1,80}$`).MatchString(t.Name) {
		return t.Name
	}
	for i := range f.Tools {
		if &f.Tools[i] == t || f.Tools[i].Name == t.Name {
			return fmt.Sprintf("tool-%d", i+1)
		}
	}
	return "tool"
}

// callAll makes calls at the same time, or one after the other when the cell is
// driven alone. Those that are not answered when the patience ends are left;
// the tape says that conform stopped waiting.
func (v *Voice) callAll(ctx context.Context, calls []toolCall) {
	ask := func(c toolCall) fakes.Ask {
		return fakes.Ask{Label: c.label, Method: "tools/call", Params: fakes.Call(c.tool, c.args), Meta: c.meta, Limit: 2 * patience}
	}
	if v.Alone() {
		all, cancel := context.WithTimeout(ctx, 5*patience)
		defer cancel()
		for _, c := range calls {
			if all.Err() != nil {
				return
			}
			one, done := context.WithTimeout(all, patience)
			_ = v.Do(one, ask(c))
			done()
		}
		return
	}
	all, cancel := v.patient(ctx)
	defer cancel()
	answered := make(chan struct{}, len(calls))
	go waitForMost(all, cancel, answered, len(calls), stragglers, v.Behind)
	var wg sync.WaitGroup
	for _, c := range calls {
		if all.Err() != nil {
			break
		}
		p := v.Start(all, ask(c))
		wg.Go(func() {
			_ = p.Wait(all)
			answered <- struct{}{}
		})
	}
	wg.Wait()
}

// patient returns a context that ends when the patience does: later, but not
// without end, where the server is behind with what it was asked over HTTP.
func (v *Voice) patient(ctx context.Context) (context.Context, context.CancelFunc) {
	all, cancel := context.WithCancel(ctx)
	begin := time.Now()
	go func() {
		defer cancel()
		for all.Err() == nil {
			if waited := time.Since(begin); waited > 4*patience || waited > patience && !v.Behind(patience/2) {
				return
			}
			pause(all, patience/24)
		}
	}()
	return all, cancel
}

// waitForMost cancels once at least half of n calls are answered and then none
// is for the given time, unless the server is behind: what is left works long.
func waitForMost(ctx context.Context, cancel func(), answered <-chan struct{}, n int, quiet time.Duration, behind func(time.Duration) bool) {
	for done := 0; done < n; {
		var idle <-chan time.Time
		if done >= (n+1)/2 {
			idle = time.After(quiet)
		}
		select {
		case <-answered:
			done++
		case <-idle:
			if !behind(quiet) {
				cancel()
				return
			}
		case <-ctx.Done():
			return
		}
	}
}
