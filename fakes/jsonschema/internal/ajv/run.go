package ajv

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// ErrBudget says that checking a value would take too long.
var ErrBudget = errors.New("too many steps")

// Limits bound the check of one value.
type Limits struct {
	Steps    int
	Depth    int
	Patterns time.Duration
}

const (
	maxErrors  = 50_000
	maxSubject = 1 << 20
	matchTime  = 500 * time.Millisecond
)

// path is a place in the value, linked to its parent.
type path struct {
	parent *path
	token  string
}

func (p *path) String() string {
	var tokens []string
	for ; p != nil; p = p.parent {
		tokens = append(tokens, p.token)
	}
	var b strings.Builder
	for i := len(tokens) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(tokens[i], "~", "~0"), "/", "~1"))
	}
	return b.String()
}

// fault is one error of a value.
type fault struct {
	at      *path
	message string
}

// run is the check of one value.
type run struct {
	limits   Limits
	steps    int
	depth    int
	deadline time.Time
	faults   []fault
	// anchors holds the dynamic anchors met so far. ajv passes one object down
	// and never takes anything out again.
	anchors map[string]*env
	// halted is set by a step after which ajv leaves out the rest of its group.
	halted bool
}

// stop is a panic that ends a run; the text of a JavaScript exception, or a budget.
type stop struct{ err error }

func (r *run) step(n int) {
	r.steps += n
	if r.steps > r.limits.Steps {
		panic(stop{ErrBudget})
	}
}

func (r *run) fail(at *path, message string) {
	if len(r.faults) >= maxErrors {
		panic(stop{ErrBudget})
	}
	r.faults = append(r.faults, fault{at, message})
}

func (r *run) reset(count int) { r.faults = r.faults[:count] }

// frame is one call of a compiled function: its variables for evaluated properties and items.
type frame struct {
	run   *run
	slots []any
}

// op is one step of a compiled schema.
type op func(f *frame, data any, at *path)

// apply runs ops and tells whether they found nothing.
func (f *frame) apply(ops []op, data any, at *path) bool {
	before := len(f.run.faults)
	f.exec(ops, data, at)
	return len(f.run.faults) == before
}

func (f *frame) exec(ops []op, data any, at *path) { f.sequence(ops, false, data, at) }

// sequence runs ops, when quiet up to the first that finds something.
func (f *frame) sequence(ops []op, quiet bool, data any, at *path) {
	f.run.depth++
	if f.run.depth > f.run.limits.Depth {
		panic(stop{&Exception{stackOverflow}})
	}
	for _, op := range ops {
		f.run.step(1)
		before := len(f.run.faults)
		op(f, data, at)
		if quiet && (len(f.run.faults) > before || f.run.halted) {
			break
		}
	}
	f.run.halted = false
	f.run.depth--
}

// call runs a function compiled on its own. It tells whether the value fits and
// what the function evaluated.
func (r *run) call(fn *fn, data any, at *path) (ok bool, props, items any) {
	if fn == nil {
		panic(stop{errors.New("schema is not compiled")})
	}
	f := &frame{run: r, slots: make([]any, fn.slots)}
	for i := range f.slots {
		f.slots[i] = undefined{}
	}
	ok = f.apply(fn.ops, data, at)
	return ok, f.props(fn.props), f.items(fn.items)
}

func index(i int) string { return strconv.Itoa(i) }

// Schema is a compiled schema.
type Schema struct{ env *env }

// Errors checks JSON text and gives ajv's errors, each as errorsText prints it. The
// error is ErrBudget, or an exception that ajv's own code would throw.
func (s *Schema) Errors(raw []byte, limits Limits) (texts []string, err error) {
	data, err := parse(raw)
	if err != nil {
		return nil, err
	}
	r := &run{limits: limits, deadline: time.Now().Add(limits.Patterns), anchors: map[string]*env{}}
	defer func() {
		if p := recover(); p != nil {
			s, ok := p.(stop)
			if !ok {
				panic(p)
			}
			texts, err = nil, s.err
		}
	}()
	r.call(s.env.fn, data, nil)
	for _, fault := range r.faults {
		texts = append(texts, "data"+fault.at.String()+" "+fault.message)
	}
	return texts, nil
}

// late tells whether the time for patterns is used up.
func (r *run) late() bool { return time.Now().After(r.deadline) }
