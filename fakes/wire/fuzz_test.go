package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// recordedFrames are all messages of the recorded sessions of real clients, by recording.
func recordedFrames(f *testing.F) map[string][]string {
	f.Helper()
	seen := map[string]bool{}
	files, err := filepath.Glob("../testdata/recordings/*.jsonl")
	if err != nil || len(files) < 40 {
		f.Fatalf("%d recordings: %v", len(files), err)
	}
	out := map[string][]string{}
	for _, path := range files {
		raw, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.Lines(raw) {
			var step struct{ Raw string }
			if err := json.Unmarshal(line, &step); err != nil {
				f.Fatalf("%s: %v", path, err)
			}
			// Most sessions begin alike: frames that differ in no more than their numbers are taken once.
			if kind := strings.Map(letters, step.Raw); step.Raw != "" && len(step.Raw) < 8<<10 && !seen[kind] {
				seen[kind] = true
				out[path] = append(out[path], step.Raw)
			}
		}
	}
	return out
}

func letters(r rune) rune {
	if r >= '0' && r <= '9' {
		return -1
	}
	return r
}

// FuzzFrames reads any bytes as lines of frames: nothing is lost, added or
// moved, what is left out is counted, and each frame can be looked at, recorded
// and read back.
func FuzzFrames(f *testing.F) {
	for _, frames := range recordedFrames(f) {
		for i, frame := range frames {
			f.Add([]byte(frame+"\n"+frames[(i+1)%len(frames)]+"\n"), 300*i)
		}
	}
	for _, odd := range []string{"", "\n\n\n", "\r\n{}\r\n", "no end", "\xff\xfe\n", "\ufeff{}\n", "[[[[\n", `{"id":1,"id":null,"method":"a","method":2,"result":1,"error":2}` + "\n", "{\"id\" :1 , \"result\":{}}\u2028\n\x00"} {
		f.Add([]byte(odd), 64)
	}
	f.Fuzz(func(t *testing.T, data []byte, limit int) {
		limit = 1 + int(uint(limit)%(1<<20))
		for _, in := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data))} {
			readFrames(t, in, data, limit)
		}
	})
}

func readFrames(t *testing.T, in io.Reader, data []byte, limit int) {
	t.Helper()
	tape := NewTape("001", NewBudget(64<<20))
	g := gather{limit: limit}
	r := bufio.NewReaderSize(in, 16)
	lines := bytes.Split(data, []byte("\n"))
	n := 0
	for {
		size, err := g.line(r)
		if size > 0 {
			frame, cut := g.frame()
			g.drop()
			if n >= len(lines) || len(frame)+cut != len(lines[n]) && err != errLong {
				t.Fatalf("frame %d has %d bytes and %d cut", n, len(frame), cut)
			}
			if !bytes.HasPrefix(lines[n], frame) || cut == 0 && len(lines[n]) > limit {
				t.Fatalf("frame %d of at most %d bytes is %q, cut %d, and the line %q", n, limit, frame, cut, lines[n])
			}
			if cut > 0 && len(lines[n]) <= limit {
				t.Fatalf("%d bytes of a line of %d were cut, and %d may be kept", cut, len(lines[n]), limit)
			}
			tape.Append(Event{Kind: Recv, Raw: frame, Cut: cut})
			n++
		}
		if err != nil {
			if err == io.EOF && n < len(lines)-1 {
				t.Fatalf("%d of %d lines were read", n, len(lines))
			}
			break
		}
	}
	for _, e := range tape.Events() {
		checkFrame(t, &e)
	}
}

// checkFrame holds a frame to what the readers of tapes take for granted.
func checkFrame(t *testing.T, e *Event) {
	t.Helper()
	m := e.Message()
	if m.Valid != json.Valid(bytes.TrimSpace(e.Raw)) && e.Cut == 0 {
		t.Errorf("valid is %v of %q", m.Valid, e.Raw)
	}
	kinds := 0
	for _, is := range []bool{m.IsResponse(), m.IsRequest(), m.IsNotification()} {
		if is {
			kinds++
		}
	}
	if kinds > 1 || kinds > 0 && !m.Root.IsObject() {
		t.Errorf("%q is of %d kinds", e.Raw, kinds)
	}
	if m.ID != "" && !json.Valid([]byte(m.ID)) || m.HasResult && !json.Valid([]byte(m.Result.Raw)) {
		t.Errorf("id %q and result %q of %q are no JSON", m.ID, m.Result.Raw, e.Raw)
	}
	if m.Root.IsObject() {
		checkMembers(t, m, e.Raw)
	}
	text, err := json.Marshal(*e)
	if err != nil {
		t.Fatalf("%q cannot be recorded: %v", e.Raw, err)
	}
	var back Event
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatalf("%q cannot be read from its recording: %v", e.Raw, err)
	}
	if !bytes.Equal(back.Raw, e.Raw) || back.Cut != e.Cut || back.Kind != e.Kind {
		t.Errorf("recorded and read back %q is %q", e.Raw, back.Raw)
	}
}

// checkMembers compares with what the standard library reads.
func checkMembers(t *testing.T, m *Message, raw []byte) {
	t.Helper()
	var std map[string]json.RawMessage
	if err := json.Unmarshal(raw, &std); err != nil || !utf8.Valid(raw) {
		return // deeper than it reads, or names that it repairs
	}
	if string(std["id"]) != m.ID || (std["result"] != nil) != m.HasResult || (std["error"] != nil) != m.HasError || string(std["result"]) != m.Result.Raw {
		t.Errorf("id %q, result %q, error %v of %q", m.ID, m.Result.Raw, m.HasError, raw)
	}
	var method string
	if json.Unmarshal(std["method"], &method) == nil && method != m.Method {
		t.Errorf("method %q of %q", m.Method, raw)
	}
}

// FuzzEvents reads any bytes as an event stream and compares with a reading of
// the HTML standard in the plainest form, whatever the bytes come in.
func FuzzEvents(f *testing.F) {
	for _, frames := range recordedFrames(f) {
		var b strings.Builder
		for i, frame := range frames {
			b.WriteString([]string{"", "event: message\n", "id: 7\nretry: 10\n", ": wait\n\n"}[i%4] + "data: " + frame + []string{"\n\n", "\r\n\r\n", "\r\r"}[i%3])
		}
		f.Add([]byte(b.String()))
	}
	for _, odd := range []string{"", "\ufeffdata: a\n\n", "\xef\xbb", "data\n\ndata\ndata\n\ndata:", "data:a\ndata: b\n\n", "id\n\n", "id:\x00\n\n", "id: 1\r\r\n\n", "retry:x\n\n", "data:  a\r\ndata:b\r\r", ":\n\n\n", "datadatadatadatadata: x\n\n", "data:x\n\nid: 2", "data : x\n\n", "event: a\nevent\ndata: b\n\n"} {
		f.Add([]byte(odd))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 32<<10 {
			t.Skip("the plain reading keeps all of a field")
		}
		want := plainEvents(data)
		for name, in := range map[string]io.Reader{
			"whole": bytes.NewReader(data), "bytes": iotest.OneByteReader(bytes.NewReader(data)), "halves": iotest.HalfReader(bytes.NewReader(data)),
		} {
			var got []plainEvent
			err := readSSE(in, 1<<20, nil, func(e sseEvent) error {
				got = append(got, plainEvent{e.id, e.name, string(e.data), e.retry, e.lines, e.hasID, e.unfinished})
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %q\n-want +got:\n%s", name, data, diff)
			}
		}
		small := 0
		_ = readSSE(bytes.NewReader(data), 16, nil, func(e sseEvent) error { small = max(small, len(e.data)); return nil })
		if small > 16 {
			t.Errorf("an event of %d bytes where 16 may be kept", small)
		}
	})
}

type plainEvent struct {
	ID, Name, Data, Retry string
	Lines                 int
	HasID, Unfinished     bool
}

// plainEvents splits a whole stream into lines and fields.
func plainEvents(data []byte) []plainEvent {
	s := strings.TrimPrefix(string(data), "\ufeff")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(s, "\n")
	var out []plainEvent
	var e plainEvent
	var texts []string
	for i, line := range lines {
		last := i == len(lines)-1
		if line == "" && !last {
			if e.Lines > 0 || e.HasID || e.Retry != "" {
				e.Data = strings.Join(texts, "\n")
				out = append(out, e)
			}
			e, texts = plainEvent{}, nil
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "data":
			e.Lines++
			texts = append(texts, value)
		case "id":
			if !strings.Contains(value, "\x00") {
				e.ID, e.HasID = value, true
			}
		case "event":
			e.Name = value
		case "retry":
			e.Retry = value
		}
		if last && e.Lines > 0 {
			e.Data, e.Unfinished = strings.Join(texts, "\n"), true
			out = append(out, e)
		}
	}
	return out
}
