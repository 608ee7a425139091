package readers_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers"
	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/tidwall/gjson"
)

// verdict is what a real client made of one variant.
type verdict struct {
	Client string `json:"client"`
	Era    string `json:"era"`
	N      int    `json:"n"`
	State  string `json:"state"`
	Error  string `json:"error"`
	Text   string `json:"text"`
}

// TestFakesAgreeWithNpmClients puts hundreds of variants through the real
// clients of the pinned npm packages and through their fakes.
func TestFakesAgreeWithNpmClients(t *testing.T) {
	t.Parallel()
	dir, err := filepath.Abs("../testdata/npm")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		if os.Getenv("CONFORM_CI") == "1" {
			t.Fatalf("the npm clients are not installed: run npm ci --ignore-scripts in %s", dir)
		}
		t.Skipf("the npm clients are not installed: run npm ci --ignore-scripts in %s", dir)
	}
	variants := slices.Concat(lists(), oddTools(), outputLists(), calls(), outputCalls(), fuzzed(t))
	var input bytes.Buffer
	for i := range variants {
		variants[i].N = i
		if variants[i].Kind == "call" {
			variants[i].Tool = put(variants[i].Tool, "name", fmt.Sprintf(`"c%d"`, i))
		}
		// Bytes that are no UTF-8 cannot ride in JSON text; the harness cannot send them.
		if !json.Valid([]byte(variants[i].Raw)) && strings.ContainsRune(variants[i].Raw, '\ufffd') {
			continue
		}
		line, err := json.Marshal(variants[i])
		if err != nil {
			t.Fatal(err)
		}
		input.Write(append(line, '\n'))
	}
	cmd := exec.CommandContext(t.Context(), "node", "harness.mjs")
	cmd.Dir, cmd.Stdin = dir, &input
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the harness failed: %v\n%s", err, stderr.String())
	}
	tried, agreed := map[string]int{}, map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v verdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		key := variants[v.N].Kind + " " + v.Client + " " + v.Era
		tried[key]++
		if fault := compare(variants[v.N], v); fault != "" {
			if why := explained[variants[v.N].name]; why != "" {
				t.Logf("%s: %s: %s", key, variants[v.N].name, why)
				continue
			}
			t.Errorf("%s: %s\n%s\n\tsent %s", key, variants[v.N].name, fault, short(variants[v.N].Raw))
			continue
		}
		agreed[key]++
	}
	for _, key := range slices.Sorted(func(yield func(string) bool) {
		for k := range tried {
			if !yield(k) {
				return
			}
		}
	}) {
		t.Logf("%s: %d of %d agree", key, agreed[key], tried[key])
	}
	if len(tried) != 12 {
		t.Errorf("%d kinds of run, want 12: %v", len(tried), tried)
	}
}

// explained are variants on which a fake may differ, and why.
var explained = map[string]string{
	`odd result {"resultType":"input_required","inputRequests":{}}`: "what follows a question is the driver's part; without handlers the AI SDK never answers one",
	`outputSchema {"$ref":"not a uri %"}`:                           "the same verdict; ajv's reader of URIs has a text of its own for a bare percent sign",
}

func short(s string) string {
	if len(s) > 1500 {
		return s[:1500] + "..."
	}
	return s
}

// compare says how the fake differs from the real client; "" when it does not.
func compare(v variant, real verdict) string {
	r, ok := readers.ForServer(real.Client, "s")
	if !ok {
		return "there is no reader for " + real.Client
	}
	if v.Kind == "list" {
		return compareList(r.Listing(real.Era, [][]byte{[]byte(v.Raw)}), v, real)
	}
	tool := &fakes.ListedTool{Name: gjson.Get(v.Tool, "name").Str, Raw: []byte(v.Tool)}
	got := r.Call(real.Era, tool, []byte(strings.ReplaceAll(v.Raw, "@ID@", "7")))
	state := string(got.State)
	if state == string(fakes.Failed) && got.Source == "text" && real.Client == "langchain" {
		state = "call-failed"
	}
	if state != real.State {
		return fmt.Sprintf("\tfake %s (%s)\n\treal %s %s%s", state, got.Why, real.State, short(real.Error), short(real.Text))
	}
	if got.Error != "" && real.State != "hang" && got.Error != real.Error {
		return fmt.Sprintf("\tfake error %q\n\treal error %q", short(got.Error), short(real.Error))
	}
	if real.State == "accepted" {
		if want := validText(realText(real)); got.Text != want {
			return fmt.Sprintf("\tfake text %q\n\treal text %q", short(got.Text), short(want))
		}
	}
	return ""
}

// validText shows lone surrogates as a model is sent them.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	rs := js.Runes(s)
	for i, r := range rs {
		if r >= 0xD800 && r <= 0xDFFF {
			rs[i] = utf8.RuneError
		}
	}
	return string(rs)
}

// realText is what of a real client's answer stands for the text of a fake.
func realText(real verdict) string {
	switch real.Client {
	case "ai-sdk":
		v, err := js.Parse([]byte(real.Text))
		if err != nil {
			return err.Error()
		}
		if v.Get("type").Str == "json" {
			return v.Get("value").Stringify()
		}
		var parts []string
		for _, p := range v.Get("value").Items {
			if p.Get("type").Str == "file" {
				parts = append(parts, "[file "+p.Get("mediaType").Str+"]")
				continue
			}
			parts = append(parts, p.Get("text").Str)
		}
		return strings.Join(parts, "\n")
	case "langchain":
		v, err := js.Parse([]byte(real.Text))
		if err != nil {
			return err.Error()
		}
		if c := v.Get("content"); c.Kind == js.String {
			return c.Str
		}
		return v.Get("content").Stringify()
	}
	return real.Text
}

func compareList(got fakes.Listing, v variant, real verdict) string {
	if string(got.State) != real.State {
		return fmt.Sprintf("\tfake %s (%s) %s\n\treal %s %s%s", got.State, got.Why, short(got.Error), real.State, short(real.Error), short(real.Text))
	}
	if got.Error != "" && real.State != "hang" && got.Error != real.Error {
		return fmt.Sprintf("\tfake error %q\n\treal error %q", short(got.Error), short(real.Error))
	}
	if real.State != "accepted" {
		return ""
	}
	want, err := js.Parse([]byte(real.Text))
	if err != nil {
		return err.Error()
	}
	var kept []fakes.ListedTool
	for _, tool := range got.Tools {
		if tool.State != fakes.Dropped {
			kept = append(kept, tool)
		}
	}
	if len(kept) != len(want.Items) {
		return fmt.Sprintf("\tfake keeps %d tools\n\treal keeps %d", len(kept), len(want.Items))
	}
	for i, w := range want.Items {
		schema := w.Get("inputSchema")
		if real.Client == "langchain" {
			schema = w.Get("schema")
		}
		have := kept[i].Schema
		if have == nil {
			sent, err := js.Parse(kept[i].Raw)
			if err != nil {
				return err.Error()
			}
			have = []byte(sent.Get("inputSchema").Stringify())
		}
		// The order of members carries no meaning.
		h, _ := js.Parse(have)
		if kept[i].ModelName != w.Get("name").Str || !js.Equal(h, schema) {
			return fmt.Sprintf("\tfake %s %s\n\treal %s", kept[i].ModelName, have, w.Stringify())
		}
	}
	return ""
}
