package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite/sample"
)

// judgedWithin is far above what judging one cell takes.
const judgedWithin = 10 * time.Second

// FuzzJudges has the checks of one cell judge a transcript of the right server
// after something was done to what it sent: no panic, no hang, bounded evidence,
// and the same outcome when they judge again.
func FuzzJudges(f *testing.F) {
	dice := rand.New(rand.NewPCG(1, 2))
	texts := []string{"", "null", "{}", "[]", "x", `{"content":[{"type":"text","text":"\u001b[31m"}],"isError":true}`, `{"code":-32602,"message":"no"}`, "\xff\x00", `{"tools":[{"name":1}]}`, strings.Repeat("[", 20_000), `"` + strings.Repeat("é", 40_000) + `"`, "1e400"}
	for _, s := range scenarios.All() {
		for i := range 4 {
			steps := make([]byte, 8*i*i)
			for j := range steps {
				steps[j] = byte(dice.IntN(256))
			}
			rev := []string{fakes.Rev20260728, fakes.Rev20251125}[i%2]
			f.Add(cellName(scenarios.Cell{Scenario: s.ID, Client: "any", Revision: rev, Transport: []string{overStdio, overHTTP}[i/2]}), steps, texts[dice.IntN(len(texts))])
		}
	}
	cfg, rec := rightRecord() // not within the limit of a single input
	f.Fuzz(func(t *testing.T, cell string, steps []byte, text string) {
		if !fuzzing() {
			t.Parallel()
		}
		if len(steps) > 400 || len(text) > 200_000 {
			t.Skip()
		}
		if len(rec.Cells) == 0 {
			t.Fatal("the right server was not driven")
		}
		c := chosenCell(rec, cell)
		first := judgeMeddled(t, cfg, rec, c, steps, text)
		again := judgeMeddled(t, cfg, rec, c, steps, text)
		if diff := cmp.Diff(first, again, cmpopts.IgnoreFields(scenarios.Outcome{}, "DurationMS")); diff != "" {
			t.Errorf("%s is judged another way the second time:\n%s", cellName(c), diff)
		}
	})
}

func cellName(c scenarios.Cell) string {
	return fmt.Sprintf("%s@%s@%s@%s", c.Scenario, c.Client, c.Revision, c.Transport)
}

// chosenCell is the cell of that name, else any.
func chosenCell(rec *scenarios.Record, name string) scenarios.Cell {
	for _, c := range rec.Cells {
		if cellName(c) == name {
			return c
		}
	}
	h := fnv.New32()
	_, _ = h.Write([]byte(name)) // it never fails
	return rec.Cells[int(h.Sum32())%len(rec.Cells)]
}

// rightRecord is what a run of the whole catalogue saw of the right server over
// both transports.
func rightRecord() (*Config, *scenarios.Record) {
	s, err := sample.New(sample.Options{})
	if err != nil {
		return nil, &scenarios.Record{}
	}
	srv := httptest.NewServer(s.Handler())
	defer srv.Close()
	cfg := Config{
		Profile: scenarios.ProfileStrict, Allow: AllowAll, Revisions: []string{fakes.Rev20260728, fakes.Rev20251125}, Answer: 5 * time.Second,
		Target: Target{URL: srv.URL + "/mcp", LikeStdio: true, Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
			own, err := sample.New(sample.Options{})
			if err != nil {
				return err
			}
			return own.ServeStdio(ctx, in, out, io.Discard)
		}},
	}
	for _, r := range sample.Roles() {
		cfg.Roles = append(cfg.Roles, scenarios.Role{Job: r.Job, Tool: r.Tool, Arguments: r.Arguments, Alternative: r.Alternative})
	}
	_, rec, err := Engine(context.Background(), cfg)
	if err != nil {
		return nil, &scenarios.Record{}
	}
	cfg.defaults()
	set, err := fakes.Load()
	if err != nil {
		return nil, &scenarios.Record{}
	}
	cfg.Clients = set.Defaults()
	return &cfg, rec
}

// judgeMeddled judges a cell after the steps were done to copies of its tapes and facts.
func judgeMeddled(t *testing.T, cfg *Config, rec *scenarios.Record, c scenarios.Cell, steps []byte, text string) []scenarios.Outcome {
	t.Helper()
	m := meddler{steps: steps, text: text}
	own := &scenarios.Record{Facts: rec.Facts, Cells: rec.Cells}
	for _, f := range rec.Targets {
		own.Targets = append(own.Targets, m.facts(f, f.Transport == c.Transport && f.Revision == c.Revision))
	}
	scenarios.ShareWork(own.Targets)
	for _, tape := range rec.Tapes {
		if tape.Client == c.Client && (tape.Revision == c.Revision || c.Revision == allOf) && (tape.Transport == c.Transport || c.Transport == allOf) {
			tape = m.tape(tape)
		}
		own.Tapes = append(own.Tapes, tape)
	}
	s, ok := cfg.Catalogue.Scenario(c.Scenario)
	if !ok {
		t.Fatalf("no scenario %s", c.Scenario)
	}
	ev := evidence(cfg, own, c)
	var out []scenarios.Outcome
	for _, k := range s.Checks {
		begin := time.Now()
		o := judgeCheck(cfg, ev, k)
		if took := time.Since(begin); took > judgedWithin {
			t.Errorf("%s: %v", o.ID, took)
		}
		if o.Verdict == scenarios.Error && c.Trouble == "" {
			t.Errorf("%s: %s\n%v", o.ID, o.Message, o.Evidence)
		}
		for _, fr := range o.Evidence {
			if len(fr.Text) > 20*maxFrame {
				t.Errorf("%s: a frame of evidence has %d bytes", o.ID, len(fr.Text))
			}
		}
		if isFinding(o.Verdict) && (o.Message == "" || o.Observed == "" && o.Expected == "") {
			t.Errorf("%s finds a fault and does not say which", o.ID)
		}
		out = append(out, o)
	}
	return out
}

// meddler does things to what a server sent. Each step is four bytes: two choose
// an event, one says what is done and one how.
type meddler struct {
	steps []byte
	text  string
}

func (m *meddler) facts(f *scenarios.Facts, own bool) *scenarios.Facts {
	out := *f
	out.Tools = slices.Clone(f.Tools)
	for s := range slices.Chunk(m.steps, 4) {
		if len(s) < 4 || !own || s[2]%numberOfDeeds != 0 || len(out.Tools) == 0 {
			continue
		}
		tool := &out.Tools[int(s[0])%len(out.Tools)]
		tool.Raw = changed(tool.Raw, int(s[1]), oddValue(s[3], m.text))
		if !json.Valid(tool.Raw) {
			tool.Raw = json.RawMessage("{}")
		}
	}
	return &out
}

func (m *meddler) tape(old *wire.Tape) *wire.Tape {
	events := slices.Clone(old.Events())
	for s := range slices.Chunk(m.steps, 4) {
		if len(s) < 4 || len(events) == 0 {
			break
		}
		i := (int(s[0])<<8 | int(s[1])) % len(events)
		for j := range events {
			if k := (i + j) % len(events); events[k].Kind != wire.Send {
				i = k
				break
			}
		}
		events = m.deed(events, i, int(s[2]%numberOfDeeds), s[3])
	}
	out := &wire.Tape{ID: old.ID, Client: old.Client, Revision: old.Revision, Transport: old.Transport, SkipBOM: old.SkipBOM}
	out.Load(events, false)
	return out
}

// numberOfDeeds is how many there are; the first is done to facts.
const numberOfDeeds = 14

func (m *meddler) deed(events []wire.Event, i, deed int, how byte) []wire.Event {
	e := events[i]
	id := e.Message().ID
	if id == "" {
		id = fmt.Sprint(how)
	}
	switch deed {
	case 0:
		return events
	case 1:
		return slices.Delete(events, i, i+1)
	case 2:
		return slices.Insert(events, i, e)
	case 3:
		j := (i + 1 + int(how)) % len(events)
		events[i], events[j] = events[j], events[i]
		return events
	case 4:
		e.Raw = []byte(m.text)
	case 5:
		e.Raw = []byte(`{"jsonrpc":"2.0","id":` + id + `,"result":` + m.text + `}`)
	case 6:
		e.Raw = []byte(`{"jsonrpc":"2.0","id":` + id + `,"error":` + m.text + `}`)
	case 7:
		e.Raw = e.Raw[:min(len(e.Raw), int(how)*4)]
	case 8, 9, 10:
		e.Raw = changed(e.Raw, int(how)+256*(deed-8), oddValue(how, m.text))
	case 11:
		e.Kind = []wire.Kind{wire.Notice, wire.Exit, wire.Close, wire.Recv, wire.Stderr}[how%5]
		e.Status = []string{"silent", "stuck", "dead", "dropped", "", m.text}[how/5%6]
	case 12:
		if e.HTTP == nil {
			break
		}
		h := *e.HTTP
		h.Status, h.Header, h.SSE = 100+int(how)*2, http.Header{"Content-Type": {m.text}, "Mcp-Session-Id": {m.text}}, how%2 == 0
		h.EventID, h.Retry, h.Lines = m.text, m.text, int(how)
		e.HTTP = &h
	case 13:
		e.At, e.Cut, e.Post = time.Duration(how)*time.Second, int(how), int(how)
	}
	events[i] = e
	return events
}

// oddValue is a JSON value that is seldom right.
func oddValue(n byte, text string) json.RawMessage {
	odd := []string{"null", "true", "0", "-1", "1.5", `""`, `"x"`, "[]", "{}", "[null]", `{"a":null}`, "12345678901234567890", "1e400", `["a","a"]`, `{"type":"x"}`, text}
	v := json.RawMessage(odd[int(n)%len(odd)])
	if !json.Valid(v) {
		v, _ = json.Marshal(text) // a text can always be written
	}
	return v
}

// changed puts a value in the place of the nth one of a JSON text.
func changed(raw []byte, n int, with json.RawMessage) []byte {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return raw
	}
	total := 0
	count(v, &total)
	n %= total
	out, err := json.Marshal(replaced(v, &n, with))
	if err != nil {
		return raw
	}
	return out
}

func count(v any, n *int) {
	*n++
	switch x := v.(type) {
	case map[string]any:
		for _, m := range x {
			count(m, n)
		}
	case []any:
		for _, m := range x {
			count(m, n)
		}
	}
}

func replaced(v any, n *int, with json.RawMessage) any {
	*n--
	if *n < 0 {
		*n = 1 << 40 // done
		return with
	}
	switch x := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(x))
		for k := range x {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			x[k] = replaced(x[k], n, with)
		}
	case []any:
		for i := range x {
			x[i] = replaced(x[i], n, with)
		}
	}
	return v
}
