package sample

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestShapeTable holds the table to its form.
func TestShapeTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range Shapes() {
		if seen[s.Name] || !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(s.Name) {
			t.Errorf("%q: not a name, or used twice", s.Name)
		}
		seen[s.Name] = true
		if !strings.HasSuffix(s.What, ".") || s.form == nil {
			t.Errorf("%s: no sentence or no form", s.Name)
		}
	}
}

// shapeProof is what shows a shape: text that must and text that must not be in
// a conversation about everything.
type shapeProof struct{ want, not string }

func shapeProofs() map[string]shapeProof {
	return map[string]shapeProof{
		"unknown-tool-as-error": {want: `"error":{"message":"Unknown sample tool: \"nope\"","code":-32602}`},
		"json-only":             {not: "event-stream"},
		"sse-only":              {want: "text/event-stream"},
		"stateless":             {not: `session="SESSION"`},
		"protected":             {want: "200 application/json"},
		"tools-only":            {want: `"capabilities":{"tools":{}}`},
		"no-tools":              {want: `"error":{"message":"Method not found","code":-32601}`, not: `"tools":`},
		"no-capabilities":       {want: `"capabilities":{}`, not: `"tools":`},
		"modern-only":           {want: `"resultType"`},
		"legacy-only":           {want: `"protocolVersion":"2025-11-25"`, not: `"resultType"`},
		"2025-11-25-only":       {want: `"protocolVersion":"2025-11-25"`},
		"2025-03-26-only":       {want: `"protocolVersion":"2025-03-26"`},
		"paged":                 {want: `"nextCursor":"`},
		"paged-by-one":          {want: `"nextCursor":"`},
		"slow":                  {want: `"tools":[`},
		"slow-start":            {want: `"tools":[`},
		"requires-elicitation":  {want: `"tools":[`},
		"asks-by-page":          {want: `"tools":[`},
		"demands-page":          {want: `"tools":[`},
		"asks-roots":            {want: `"tools":[`},
		"samples":               {want: `"tools":[`},
		"tasks":                 {want: `"report_write"`},
		"talkative":             {want: `"tools":[`},
		"out-of-order":          {want: `"tools":[`},
		"reordered":             {want: `"jsonrpc":"2.0"}`},
		"extra-members":         {want: `"com.example/extra"`},
		"big":                   {want: `"list_entry_300"`},
		"unicode":               {want: "日本語"},
	}
}

// TestShapes talks to each shape in every place where it can be seen.
func TestShapes(t *testing.T) {
	t.Parallel()
	for _, s := range Shapes() {
		proof, ok := shapeProofs()[s.Name]
		if !ok {
			t.Errorf("%s: nothing shows this shape", s.Name)
		}
		for _, era := range s.Eras {
			for _, transport := range s.Transports {
				t.Run(strings.Join([]string{s.Name, era, transport}, " "), func(t *testing.T) {
					t.Parallel()
					c := newClient(t, newServer(t, Options{Shape: s.Name, Delay: 20 * time.Millisecond}), era, transport)
					if name, value, ok := strings.Cut(s.Header, ": "); ok {
						c.header = map[string]string{name: value}
					}
					c.open()
					if era == Modern {
						c.ask("server/discover", "")
					}
					for cursor := ""; ; {
						answer := c.ask("tools/list", cursor)
						_, rest, more := strings.Cut(answer, `"nextCursor":"`)
						if !more {
							break
						}
						cursor = `{"cursor":"` + rest[:strings.Index(rest, `"`)] + `"}`
					}
					c.call("nope", `{}`)
					c.call("text_slug", `{"text":"Tea for Two"}`)
					c.call("count_up", `{"to":2,"pause_ms":1},"_meta":{"progressToken":1}`)
					log := c.log.String()
					texts := []string{proof.want}
					if proof.not != `"tools":` {
						texts = append(texts, "tea-for-two", "Counted to 2.", `"shape_draw"`)
					}
					for _, want := range texts {
						if !strings.Contains(log, want) {
							t.Errorf("no %q in %s", want, log)
						}
					}
					if proof.not != "" && strings.Contains(log, proof.not) {
						t.Errorf("%q in %s", proof.not, log)
					}
					if strings.Contains(log, "<silence>") || strings.Contains(log, "<gone>") {
						t.Errorf("something was not answered: %s", log)
					}
				})
			}
		}
	}
}

// TestTalkative tells what may come unasked, between the answers.
func TestTalkative(t *testing.T) {
	t.Parallel()
	c := newClient(t, newServer(t, Options{Shape: "talkative"}), Legacy, Stdio)
	c.open().ask("ping", "")
	c.settle()
	if !strings.Contains(c.log.String(), `"method":"notifications/tools/list_changed"`) {
		t.Errorf("nothing came: %s", c.log.String())
	}
	early := newClient(t, newServer(t, Options{Shape: "talkative"}), Legacy, Stdio)
	early.ask("ping", "")
	early.drain()
	if strings.Contains(early.log.String(), "list_changed") {
		t.Errorf("a notification before the handshake: %s", early.log.String())
	}
	m := newClient(t, newServer(t, Options{Shape: "talkative"}), Modern, Stdio)
	m.ask("tools/list", "")
	m.settle()
	if strings.Contains(m.log.String(), "list_changed") {
		t.Errorf("a notification that nobody subscribed to: %s", m.log.String())
	}
}

// TestOutOfOrder answers a later request first.
func TestOutOfOrder(t *testing.T) {
	t.Parallel()
	c := newClient(t, newServer(t, Options{Shape: "out-of-order"}), Modern, Stdio)
	c.write(c.frame("1", "tools/list", "") + "\n" + c.frame("2", "prompts/list", "") + "\n")
	c.read("1")
	if !strings.Contains(c.log.String(), `"id":2,"result"`) {
		t.Errorf("the second was not answered first: %s", c.log.String())
	}
}

// TestSlowStart waits before it reads.
func TestSlowStart(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	begin := time.Now()
	Main(context.Background(), []string{"--shape", "slow-start", "--delay", "100ms"}, strings.NewReader(handshake), &out, &out)
	if time.Since(begin) < 100*time.Millisecond || !strings.Contains(out.String(), "sample") {
		t.Errorf("after %s: %s", time.Since(begin), out.String())
	}
}

// TestOptions turns the page size and finds the tools that Roles names.
func TestOptions(t *testing.T) {
	t.Parallel()
	c := newClient(t, newServer(t, Options{PageSize: 6}), Legacy, Stdio)
	answer := c.open().ask("tools/list", "")
	if strings.Count(answer, `"inputSchema"`) != 6 || !strings.Contains(answer, "nextCursor") {
		t.Errorf("page of 6: %s", answer)
	}
	for _, r := range Roles() {
		i := slices.IndexFunc(rightTools(), func(t *tool) bool { return t.name == r.Tool })
		if i < 0 {
			t.Errorf("no tool %s", r.Tool)
			continue
		}
		for _, args := range [][]byte{r.Arguments, r.Alternative} {
			v, err := decode(args)
			if err != nil || len(validateInput(rightTools()[i], asObject(v))) > 0 {
				t.Errorf("%s: arguments of %s do not fit: %s", r.Job, r.Tool, args)
			}
		}
	}
}

// TestExamples keeps the examples of every tool to its schema.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, tool := range append(rightTools(), manyTools(2)...) {
		for _, example := range tool.examples {
			v, err := decode(encode(example, plainOrder))
			if problems := validateInput(tool, asObject(v)); err != nil || len(problems) > 0 {
				t.Errorf("%s: %v: %v", tool.name, example, problems)
			}
		}
		if !strings.HasSuffix(tool.description, ".") || len(tool.name) > 40 {
			t.Errorf("%s: name or description", tool.name)
		}
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain größe 日本 🍵": "plain größe 日本 🍵", "a\nb\r\tc": `a\nb\r\tc`, "\x00\x1b\x7f\u0085\u009b": `\u0000\u001b\u007f\u0085\u009b`,
		"\u202e\u200b\u2028\u2029\ufeff\u2066": `\u202e\u200b\u2028\u2029\ufeff\u2066`, `a\b`: `a\\b`, "\U000e0041": `\udb40\udc41`,
	} {
		if got := visible(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
	if got := quoted("a\"\n"); got != `"a\"\n"` {
		t.Errorf("got %s", got)
	}
}
