package report

import (
	"errors"
	"fmt"
	"time"

	"github.com/agntn/conform/scenarios"
	"github.com/tidwall/match"
)

// Waiver takes findings of a check out of the gate, for a reason that the report shows.
type Waiver struct {
	// Check is a check id or a pattern with * and ?, where * also spans slashes.
	Check string
	// Client limits the waiver to one client; "" is every one.
	Client string
	// Reason is required.
	Reason string
	// Until is the last day on which the waiver counts, in its own time zone; zero is for ever.
	Until time.Time
}

// Check ids are short; a longer pattern is a mistake or an attack.
const maxWaiverPattern = 200

// Validate says what is wrong with a waiver.
func (w Waiver) Validate() error {
	switch {
	case w.Check == "":
		return errors.New("a waiver names no check; add a check id or a pattern like host-*")
	case len(w.Check) > maxWaiverPattern:
		return fmt.Errorf("the waiver for %s has a check longer than %d characters", Bound(w.Check, 40), maxWaiverPattern)
	case w.Reason == "":
		return fmt.Errorf("the waiver for %s has no reason; say why the finding is accepted", w.Check)
	}
	return nil
}

// expired reports whether the last day of the waiver is over.
func (w Waiver) expired(now time.Time) bool {
	return !w.Until.IsZero() && !now.Before(w.Until.AddDate(0, 0, 1))
}

func (w Waiver) matches(o scenarios.Outcome) bool {
	return (w.Client == "" || w.Client == o.Client) && match.Match(o.Check, w.Check)
}

// Waive marks the findings that a waiver names and takes them out of the gate. It
// changes outcomes in place and returns what a person should know: waivers that
// expired and no longer count, and those that name no finding of this run. The
// first waiver that fits gives the reason. Waivers that do not validate count for nothing.
func Waive(outcomes []scenarios.Outcome, waivers []Waiver, now time.Time) (notes []string) {
	for _, w := range waivers {
		if err := w.Validate(); err != nil {
			notes = append(notes, err.Error())
			continue
		}
		ran, met := false, false
		for i := range outcomes {
			o := &outcomes[i]
			if !w.matches(*o) {
				continue
			}
			ran = true
			if o.Verdict != scenarios.Fail && o.Verdict != scenarios.Warn {
				continue
			}
			met = true
			if o.Waived == "" && !w.expired(now) {
				o.Waived, o.Gate = w.Reason, false
			}
		}
		switch {
		case w.expired(now) && met:
			notes = append(notes, fmt.Sprintf("%s expired on %s and no longer counts; mend the finding or extend the waiver (its reason was: %s)",
				w, w.Until.Format(time.DateOnly), w.Reason))
		case !met && ran:
			notes = append(notes, fmt.Sprintf("%s names no finding of this run; remove it", w))
		case !ran:
			notes = append(notes, fmt.Sprintf("%s names no check of this run", w))
		}
	}
	return notes
}

// String names the waiver for a person.
func (w Waiver) String() string {
	if w.Client != "" {
		return "the waiver for " + w.Check + " under " + w.Client
	}
	return "the waiver for " + w.Check
}
