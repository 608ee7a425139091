package report

import (
	"strings"
	"testing"

	"github.com/agntn/conform/scenarios"
)

func TestKeyFrames(t *testing.T) {
	t.Parallel()
	log := func(texts ...string) []scenarios.Frame {
		var list []scenarios.Frame
		for _, s := range texts {
			list = append(list, scenarios.Frame{Dir: "recv", Text: s})
		}
		return list
	}
	for name, c := range map[string]struct {
		o    scenarios.Outcome
		want string
		more int
	}{
		"all fit":              {scenarios.Outcome{Evidence: log("a", "b")}, "a b", 0},
		"each once":            {scenarios.Outcome{Evidence: log("a", "b", "a", "b", "a")}, "a b", 0},
		"the first":            {scenarios.Outcome{Evidence: log("a", "b", "c", "d", "e", "f")}, "a b c d", 2},
		"those of the subject": {scenarios.Outcome{Subject: "x", Evidence: log("a", "b", "c", "d", "x", "f", "g", "h")}, "c d x f", 4},
		"an escaped subject":   {scenarios.Outcome{Subject: "x\ny", Evidence: log("a", "b", "c", "d", "e", `"x\ny"`, "g")}, `d e "x\ny" g`, 3},
		"a subject at the end": {scenarios.Outcome{Subject: "x", Evidence: log("a", "b", "c", "d", "e", "x")}, "c d e x", 2},
		"a subject in no one":  {scenarios.Outcome{Subject: "x", Evidence: log("a", "b", "c", "d", "e")}, "a b c d", 1},
		"nothing":              {scenarios.Outcome{}, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			frames, more := keyFrames(c.o, 4)
			var got []string
			for _, f := range frames {
				got = append(got, f.Text)
			}
			if strings.Join(got, " ") != c.want || more != c.more {
				t.Errorf("%q and %d more, want %q and %d", got, more, c.want, c.more)
			}
		})
	}
}

func TestUnproven(t *testing.T) {
	t.Parallel()
	a, b, c := found("x/a", scenarios.Unseen), found("x/b", scenarios.Unseen), found("x/c", scenarios.Unseen)
	a.Message, b.Message, c.Message = "needs a role", "needs HTTP", "needs a role"
	got := strings.Join(Unproven([]scenarios.Outcome{a, b, c, found("x/d", scenarios.Pass)}, []NotCalled{{"two", "r"}, {"one", "r"}}), "\n")
	want := "what one, two answer to valid calls: they were not called; --allow all allows it where nothing can be harmed, allow: in conform.yaml for some of them\n" +
		"x/a, x/c: needs a role\nx/b: needs HTTP"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
