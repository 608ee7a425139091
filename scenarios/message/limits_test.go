package message

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// bigList is a listing of n tools as servers write them, about 600 bytes each.
func bigList(n int) []byte {
	tool := `{"name":"mix-colours","title":"Mix colours","description":"` + strings.Repeat("Mixes colours. ", 10) + `",` +
		`"inputSchema":{"type":"object","properties":{"a":{"type":"string","description":"first"},"b":{"type":"array","items":{"type":"string"}}},"required":["a"],"additionalProperties":false},` +
		`"annotations":{"title":"Mix","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},"_meta":{"com.example/x":{"y":[1,2,3]}}}`
	return []byte(result(`{"tools":[` + tool + strings.Repeat(","+tool, n-1) + `]}`))
}

func BenchmarkBigList(b *testing.B) {
	shapes, frame := New(), bigList(10_000)
	b.SetBytes(int64(len(frame)))
	b.ReportAllocs()
	for b.Loop() {
		if got := shapes.Check("2025-11-25", frame, Context{Method: "tools/list"}); got != nil {
			b.Fatal(got)
		}
	}
}

func TestBigListIsFast(t *testing.T) {
	t.Parallel()
	shapes, frame := New(), bigList(10_000)
	start := time.Now()
	if got := shapes.Check("2025-11-25", frame, Context{Method: "tools/list"}); got != nil {
		t.Fatal(got)
	}
	// About a tenth of this is usual; the rest is for busy machines.
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("%d bytes took %v", len(frame), took)
	}
}

// TestHostileFramesStaySmall feeds frames that are made to cost memory. It runs
// alone, as it measures the allocations of the whole process.
func TestHostileFramesStaySmall(t *testing.T) {
	const size = 4 << 20
	frames := map[string]string{
		"nested arrays":      strings.Repeat("[", size),
		"nested and closed":  strings.Repeat("[", size/2) + strings.Repeat("]", size/2),
		"nested objects":     strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000),
		"wrong entries":      result(`{"completion":{"values":[` + strings.Repeat("1,", size/2) + `1]}}`),
		"wrong blocks":       result(`{"content":[` + strings.Repeat("1,", size/2) + `1]}`),
		"wrong keys of meta": result(`{"content":[],"_meta":{` + strings.Repeat(`"-":1,`, size/6) + `"a":1}}`),
		"one long string":    result(`{"content":[{"type":"image","mimeType":"image/png","data":"` + strings.Repeat("A", size) + `"}]}`),
		"escapes":            result(`{"content":[{"type":"text","text":"` + strings.Repeat(`\ud83d`, size/6) + `"}]}`),
		"one long key":       result(`{"` + strings.Repeat(`k`, size) + `":1,"content":[]}`),
	}
	shapes := New()
	if err := shapes.Load(); err != nil {
		t.Fatal(err)
	}
	for name, frame := range frames {
		method := "tools/call"
		if name == "wrong entries" {
			method = "completion/complete"
		}
		raw := []byte(frame)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		got := shapes.Check("2025-11-25", raw, Context{Method: method})
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		t.Logf("%s: %d faults, %v, %d MiB allocated", name, len(got), took.Round(time.Millisecond), (after.TotalAlloc-before.TotalAlloc)>>20)
		if took > 10*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		if len(got) > MaxFaults {
			t.Errorf("%s: %d faults", name, len(got))
		}
		for _, f := range got {
			if len(f.Path)+len(f.Observed)+len(f.Expected) > 1000 {
				t.Errorf("%s: a fault of %d bytes", name, len(f.Path)+len(f.Observed)+len(f.Expected))
			}
		}
	}
}

func TestMustsAreNotCrowdedOut(t *testing.T) {
	t.Parallel()
	var twice strings.Builder
	for i := range 200 {
		key := strings.Repeat("k", i+1)
		twice.WriteString(`"` + key + `":1,"` + key + `":1,`)
	}
	got := New().Check("2025-11-25", []byte(result(`{"x":{`+twice.String()+`"z":1},"content":7}`)), Context{Method: "tools/call"})
	if len(got) != MaxFaults || got[0].Path != "result.content" || got[0].Level != Must || got[1].Level != Note {
		t.Errorf("%d faults, the first is %+v", len(got), got[0])
	}
}
