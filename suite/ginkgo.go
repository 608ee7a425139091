package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// ginkgoOnce guards RunSpecs: Ginkgo keeps one suite a process.
type ginkgoOnce struct{ sync.Mutex }

var ginkgoGate ginkgoOnce // Ginkgo's own state is global; runs in one process take turns

// Labels returns the Ginkgo labels of an outcome.
func Labels(o scenarios.Outcome) []string {
	return []string{
		"client:" + o.Client, "rev:" + o.Revision, "transport:" + o.Transport,
		"level:" + string(o.Level), "scenario:" + o.Scenario,
		// Ginkgo allows no slash in a label.
		"check:" + strings.TrimPrefix(o.Check, o.Scenario+"/"),
	}
}

// CheckLabelFilter says what is wrong with a label filter, nil when nothing is.
func CheckLabelFilter(filter string) error {
	if filter == "" {
		return nil
	}
	if _, err := types.ParseLabelFilter(filter); err != nil {
		return fmt.Errorf("the label filter %q cannot be read: join labels such as client:chatgpt with &&, ||, ! and parentheses", filter)
	}
	return nil
}

// Run runs the suite for the command: the engine first, then one Ginkgo spec
// for each outcome. The report holds only outcomes that the label filter
// selects. The error is a mistake in the configuration.
func Run(ctx context.Context, cfg Config) (report.Report, *scenarios.Record, error) {
	if err := CheckLabelFilter(cfg.LabelFilter); err != nil {
		return report.Report{}, nil, err
	}
	r, rec, err := Engine(ctx, cfg)
	if err != nil {
		return r, rec, err
	}
	if err := publish(&r, cfg.LabelFilter); err != nil {
		return r, rec, err
	}
	finish(&r, &cfg)
	return r, rec, nil
}

// publish runs one spec an outcome through Ginkgo and keeps those it ran.
func publish(r *report.Report, filter string) error {
	ginkgoGate.Lock()
	defer ginkgoGate.Unlock()
	formatter.ColorableStdOut = io.Discard
	globals.Reset()
	sc, rc := types.NewDefaultSuiteConfig(), types.NewDefaultReporterConfig()
	sc.RandomSeed, sc.LabelFilter = r.Seed, filter
	rc.NoColor, rc.Succinct = true, true
	define(r.Outcomes)
	ran := map[*scenarios.Outcome]bool{}
	ginkgo.ReportAfterSuite("collect", func(rep ginkgo.Report) {
		for _, s := range rep.SpecReports {
			for _, en := range s.ReportEntries {
				if o, ok := en.GetRawValue().(*scenarios.Outcome); ok {
					ran[o] = true
				}
			}
		}
	})
	t := &quietT{}
	ginkgo.RunSpecs(t, "conform", sc, rc)
	// Ginkgo takes the signals and never gives them back.
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	kept := make([]scenarios.Outcome, 0, len(r.Outcomes))
	for i := range r.Outcomes {
		if ran[&r.Outcomes[i]] {
			kept = append(kept, r.Outcomes[i])
		}
	}
	if filter == "" && len(kept) != len(r.Outcomes) {
		return errors.New("conform lost outcomes on their way through Ginkgo: this is a mistake of conform")
	}
	r.Outcomes = kept
	return nil
}

// define makes one spec an outcome, in order, under one container.
func define(outcomes []scenarios.Outcome) bool {
	return ginkgo.Describe("conform", ginkgo.Ordered, ginkgo.ContinueOnFailure, func() {
		for i := range outcomes {
			o := &outcomes[i]
			ginkgo.It(o.ID, ginkgo.Label(Labels(*o)...), func() {
				ginkgo.AddReportEntry("outcome", o, ginkgo.ReportEntryVisibilityNever)
				switch {
				case o.Verdict == scenarios.NA, o.Verdict == scenarios.Unseen:
					ginkgo.Skip(o.Message)
				case o.Verdict == scenarios.Error:
					ginkgo.Fail("conform failed: " + o.Message)
				case o.Gate:
					ginkgo.Fail(explainOutcome(o))
				}
			})
		}
	})
}

// quietT is the smallest thing that Ginkgo can report to.
type quietT struct{ failed bool }

// Fail notes that a spec failed; the outcomes say which.
func (t *quietT) Fail() { t.failed = true }

// explainOutcome says what a spec fails of, over several lines.
func explainOutcome(o *scenarios.Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n%s\n", o.Verdict, o.ID, report.Visible(o.Message))
	if o.Expected != "" {
		fmt.Fprintf(&b, "expected: %s\n", report.Visible(o.Expected))
	}
	if o.Observed != "" {
		fmt.Fprintf(&b, "observed: %s\n", report.Visible(report.Bound(o.Observed, 600)))
	}
	if o.Remedy != "" {
		fmt.Fprintf(&b, "remedy:   %s\n", report.Visible(o.Remedy))
	}
	return b.String()
}

// Test runs the suite against the configured target inside go test: one
// subtest an outcome. Outcomes that gate fail their subtest, na and unseen skip it.
func Test(t *testing.T, cfg Config) report.Report {
	t.Helper()
	r, _, err := Engine(t.Context(), cfg)
	if err != nil {
		t.Fatalf("conform cannot run: %v", err)
	}
	finish(&r, &cfg)
	if len(r.Outcomes) == 0 {
		t.Fatalf("conform proved nothing: %s", strings.Join(r.Notes, "; "))
	}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		t.Run(o.ID, func(t *testing.T) {
			switch {
			case o.Verdict == scenarios.NA, o.Verdict == scenarios.Unseen:
				t.Skip(o.Message)
			case o.Gate, o.Verdict == scenarios.Error:
				t.Error(explainOutcome(o))
			}
		})
	}
	return r
}

// Define adds the outcomes of one run to an author's own Ginkgo tree: call it
// at the top level or in a container. The engine runs when the tree is built.
func Define(cfg Config) bool {
	r, _, err := Engine(context.Background(), cfg)
	if err != nil {
		return ginkgo.It("conform", func() { ginkgo.Fail(err.Error()) })
	}
	finish(&r, &cfg)
	return define(r.Outcomes)
}
