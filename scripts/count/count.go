package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// event is one line of go test -json: see "go doc test2json".
type event struct {
	Action     string
	Package    string
	ImportPath string // of build output
	Test       string
	Output     string
	Elapsed    float64 // seconds
}

// tally counts tests. A test that has subtests is not counted, its subtests are.
type tally struct{ passed, failed, skipped int }

// test is what is known of one test: how it ended, "" while it runs, and what it printed.
type test struct {
	ended  string
	output []string
}

// run is what is known of one package.
type run struct {
	tests  map[string]*test
	order  []string // of the tests, as they started
	output []string // of the package outside its tests
}

// report writes how the tests went as the events come in, and returns the sum. Lines that are no events are passed on.
func report(events io.Reader, w io.Writer) (tally, error) {
	var total tally
	runs := map[string]*run{}
	skips := map[string]int{}
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			var e event
			if json.Unmarshal([]byte(line), &e) != nil {
				fmt.Fprintln(w, strings.TrimSuffix(line, "\n"))
			} else if e.Action == "build-output" {
				fmt.Fprint(w, e.Output)
			} else if e.Package != "" {
				p := runs[e.Package]
				if p == nil {
					p = &run{tests: map[string]*test{}}
					runs[e.Package] = p
				}
				if p.take(e) {
					sum := p.close(e, w, skips)
					total = tally{total.passed + sum.passed, total.failed + sum.failed, total.skipped + sum.skipped}
					delete(runs, e.Package)
				}
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return total, fmt.Errorf("read the events of go test: %w", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		fmt.Fprintf(w, "FAIL  %s did not end\n", name)
		total.failed++
	}
	writeSkips(w, skips)
	if total == (tally{}) {
		fmt.Fprintln(w, "no test ran")
	}
	fmt.Fprintf(w, "%d passed, %d failed, %d skipped\n", total.passed, total.failed, total.skipped)
	return total, nil
}

// take notes an event and reports whether it ends the package.
func (p *run) take(e event) bool {
	ends := e.Action == "pass" || e.Action == "fail" || e.Action == "skip"
	if e.Test == "" {
		if e.Action == "output" {
			p.output = append(p.output, e.Output)
		}
		return ends
	}
	t := p.tests[e.Test]
	if t == nil {
		t = &test{}
		p.tests[e.Test] = t
		p.order = append(p.order, e.Test)
	}
	if e.Action == "output" {
		t.output = append(t.output, e.Output)
	} else if ends {
		t.ended = e.Action
	}
	return false
}

// close writes the line of a package and what failed in it, adds its skips, and returns its sum.
func (p *run) close(e event, w io.Writer, skips map[string]int) tally {
	var sum tally
	parents := map[string]bool{}
	for _, name := range p.order {
		for i, c := range name {
			if c == '/' {
				parents[name[:i]] = true
			}
		}
	}
	for _, name := range p.order {
		t := p.tests[name]
		switch {
		case t.ended == "skip":
			sum.skipped++
			skips[reason(t.output)]++
		case parents[name]:
			if t.ended == "" || t.ended == "fail" {
				writeOutput(w, t.output)
			}
		case t.ended == "pass":
			sum.passed++
		default: // failed, or still running when the process died
			sum.failed++
			writeOutput(w, t.output)
		}
	}
	if e.Action == "fail" && sum.failed == 0 {
		sum.failed++ // did not build, or failed outside its tests
		writeOutput(w, p.output)
	}
	switch {
	case e.Action == "fail":
		fmt.Fprintf(w, "FAIL  %s  %s  %.1fs\n", e.Package, sum, e.Elapsed)
	case sum != tally{}:
		fmt.Fprintf(w, "ok    %s  %s  %.1fs\n", e.Package, sum, e.Elapsed)
	}
	return sum
}

// String says what is not zero.
func (t tally) String() string {
	var parts []string
	for _, part := range []struct {
		n    int
		word string
	}{{t.passed, "passed"}, {t.failed, "failed"}, {t.skipped, "skipped"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.word))
		}
	}
	return strings.Join(parts, ", ")
}

// writeOutput writes what a test printed, without the lines in which go test says what it does.
func writeOutput(w io.Writer, output []string) {
	for _, line := range output {
		if !strings.HasPrefix(line, "=== ") {
			fmt.Fprint(w, line)
		}
	}
}

// reason is what a skipped test gave for its reason, without the place in the source.
func reason(output []string) string {
	for _, line := range output {
		text := strings.TrimSpace(line)
		if text == "" || strings.HasPrefix(text, "=== ") || strings.HasPrefix(text, "--- ") {
			continue
		}
		if _, after, found := strings.Cut(text, ".go:"); found {
			if _, said, found := strings.Cut(after, ": "); found {
				return said
			}
		}
		return text
	}
	return "no reason given"
}

// writeSkips lists the reasons of skips, those of most tests first.
func writeSkips(w io.Writer, skips map[string]int) {
	reasons := slices.SortedFunc(maps.Keys(skips), func(a, b string) int {
		return cmp.Or(skips[b]-skips[a], strings.Compare(a, b))
	})
	for _, why := range reasons {
		fmt.Fprintf(w, "skip  %d: %s\n", skips[why], why)
	}
}
