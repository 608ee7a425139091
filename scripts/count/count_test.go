package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReport(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		events string
		want   string
		total  tally
	}{
		{
			name: "subtests count and their parents do not",
			events: `{"Action":"start","Package":"a"}
{"Action":"run","Package":"a","Test":"TestX"}
{"Action":"run","Package":"a","Test":"TestX/one"}
{"Action":"pass","Package":"a","Test":"TestX/one"}
{"Action":"run","Package":"a","Test":"TestX/two"}
{"Action":"output","Package":"a","Test":"TestX/two","Output":"=== RUN   TestX/two\n"}
{"Action":"output","Package":"a","Test":"TestX/two","Output":"    x_test.go:12: node is not on the PATH\n"}
{"Action":"output","Package":"a","Test":"TestX/two","Output":"    --- SKIP: TestX/two (0.00s)\n"}
{"Action":"skip","Package":"a","Test":"TestX/two"}
{"Action":"pass","Package":"a","Test":"TestX"}
{"Action":"output","Package":"a","Output":"PASS\n"}
{"Action":"pass","Package":"a","Elapsed":1.25}
`,
			want:  "ok    a  1 passed, 1 skipped  1.2s\nskip  1: node is not on the PATH\n1 passed, 0 failed, 1 skipped\n",
			total: tally{passed: 1, skipped: 1},
		},
		{
			name: "what failed shows its output",
			events: `{"Action":"run","Package":"a","Test":"TestX"}
{"Action":"output","Package":"a","Test":"TestX","Output":"=== RUN   TestX\n"}
{"Action":"output","Package":"a","Test":"TestX","Output":"    x_test.go:7: got 1, want 2\n"}
{"Action":"fail","Package":"a","Test":"TestX"}
{"Action":"output","Package":"a","Output":"FAIL\n"}
{"Action":"fail","Package":"a","Elapsed":0.5}
`,
			want:  "    x_test.go:7: got 1, want 2\nFAIL  a  1 failed  0.5s\n0 passed, 1 failed, 0 skipped\n",
			total: tally{failed: 1},
		},
		{
			name: "a test that the process took along failed",
			events: `{"Action":"run","Package":"a","Test":"TestX"}
{"Action":"output","Package":"a","Test":"TestX","Output":"panic: boom\n"}
{"Action":"fail","Package":"a","Elapsed":0.1}
`,
			want:  "panic: boom\nFAIL  a  1 failed  0.1s\n0 passed, 1 failed, 0 skipped\n",
			total: tally{failed: 1},
		},
		{
			name: "a package that does not build failed",
			events: `{"ImportPath":"a [a.test]","Action":"build-output","Output":"a/x.go:3:1: syntax error\n"}
{"ImportPath":"a [a.test]","Action":"build-fail"}
{"Action":"output","Package":"a","Output":"FAIL\ta [build failed]\n"}
{"Action":"fail","Package":"a","Elapsed":0,"FailedBuild":"a [a.test]"}
`,
			want:  "a/x.go:3:1: syntax error\nFAIL\ta [build failed]\nFAIL  a  1 failed  0.0s\n0 passed, 1 failed, 0 skipped\n",
			total: tally{failed: 1},
		},
		{
			name:   "a package that never ended failed",
			events: `{"Action":"run","Package":"a","Test":"TestX"}` + "\n",
			want:   "FAIL  a did not end\n0 passed, 1 failed, 0 skipped\n",
			total:  tally{failed: 1},
		},
		{
			name: "a package without tests is not worth a line",
			events: `{"Action":"output","Package":"a","Output":"?   \ta\t[no test files]\n"}
{"Action":"skip","Package":"a","Elapsed":0}
`,
			want: "no test ran\n0 passed, 0 failed, 0 skipped\n",
		},
		{
			name:   "lines that are no events are passed on",
			events: "go: downloading example.com/x v1.0.0\n",
			want:   "go: downloading example.com/x v1.0.0\nno test ran\n0 passed, 0 failed, 0 skipped\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			total, err := report(strings.NewReader(tt.events), &out)
			if err != nil {
				t.Fatal(err)
			}
			if total != tt.total {
				t.Errorf("total = %+v, want %+v", total, tt.total)
			}
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReportOfARun(t *testing.T) {
	t.Parallel()
	events, err := os.Open("testdata/run.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer events.Close()
	want, err := os.ReadFile("testdata/run.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if _, err := report(events, &out); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}
