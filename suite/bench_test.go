package suite

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/suite/sample"
)

// inProcess is the default run on the sample server in this process.
func inProcess(b *testing.B, opts sample.Options) Config {
	b.Helper()
	set, err := fakes.Load()
	if err != nil {
		b.Fatal(err)
	}
	return Config{Clients: set.Defaults(), Target: Target{LikeStdio: true, Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
		s, err := sample.New(opts)
		if err != nil {
			return err
		}
		return s.ServeStdio(ctx, in, out, io.Discard)
	}}}
}

// BenchmarkRun is a whole default run on the sample server in this process.
func BenchmarkRun(b *testing.B) {
	outcomes := 0
	var used int64
	for b.Loop() {
		r, _, err := Engine(b.Context(), inProcess(b, sample.Options{}))
		if err != nil {
			b.Fatal(err)
		}
		outcomes += len(r.Outcomes)
		used += r.Stats.CPUMS
	}
	b.ReportMetric(float64(outcomes)/float64(b.N), "outcomes/op")
	b.ReportMetric(float64(used)*1000/float64(outcomes), "cpu-µs/outcome")
}

// BenchmarkJudge reads a recorded run and judges it: readers, judges and
// evidence, without a target.
func BenchmarkJudge(b *testing.B) {
	cfg := inProcess(b, sample.Options{})
	r, rec, err := Engine(b.Context(), cfg)
	if err != nil {
		b.Fatal(err)
	}
	var kept bytes.Buffer
	if err := WriteRecord(&kept, cfg, r, rec); err != nil {
		b.Fatal(err)
	}
	outcomes := 0
	for b.Loop() {
		b.StopTimer()
		_, again, err := ReadRecord(bytes.NewReader(kept.Bytes()))
		if err != nil {
			b.Fatal(err)
		}
		cfg := cfg
		cfg.defaults()
		b.StartTimer()
		outcomes += len(judge(&cfg, again, 0))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(outcomes), "µs/outcome")
}

// BenchmarkTools runs servers of more and more tools; the time is to grow with
// the number and no faster.
func BenchmarkTools(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var judged, used int64
			for b.Loop() {
				r, _, err := Engine(b.Context(), inProcess(b, sample.Options{Shape: "big", Tools: n}))
				if err != nil {
					b.Fatal(err)
				}
				judged += r.Stats.JudgeMS
				used += r.Stats.CPUMS
			}
			b.ReportMetric(float64(judged)/float64(b.N), "judge-ms/op")
			b.ReportMetric(float64(used)/float64(b.N), "cpu-ms/op")
		})
	}
}
