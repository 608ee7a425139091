package scenarios

import (
	"slices"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/scenarios/message"
)

// judgeClientFrames looks at what came on the client's own lines as the neutral
// checks on frames do. What came to the neutral voice as well is told once, by
// those checks: whether the client suffers from it is told by its reader.
func judgeClientFrames(e *Evidence, shapes *message.Shapes) Ruling {
	r := e.invalidFrames(shapes)
	if r.Seen == 0 {
		return NotSeen("nothing came on this client's lines")
	}
	neutral := *e
	neutral.Cell.Client = fakes.Any
	known := onTapes(&neutral, "invalid frames", func() map[string]bool {
		kinds := map[string]bool{}
		for _, f := range neutral.invalidFrames(shapes).Faults {
			kinds[kindOfFrame(f)] = true
		}
		return kinds
	})
	own := r
	own.Faults = nil
	for _, f := range r.Faults {
		if !known[kindOfFrame(f)] {
			own.Faults = append(own.Faults, f)
		}
	}
	if len(own.Faults) == 0 && len(r.Faults) > 0 {
		own.Note = "what is invalid comes under every client, and is told by messages/every-message-valid and framing/stdout-clean"
	}
	return own
}

// invalidFrames finds messages of the wrong shape, and lines that are no messages
// while the client still reads: what comes later is told by framing/stdout-clean.
func (e *Evidence) invalidFrames(shapes *message.Shapes) Ruling {
	r := judgeShapes(e, shapes, message.Must)
	if e.Cell.Transport == "stdio" {
		out := e.junk()
		r.Seen += out.Seen
		r.Faults = append(r.Faults, slices.DeleteFunc(out.Faults, isFarewell)...)
	}
	return r
}

// kindOfFrame is the same for faults that differ in places of lists alone. All
// lines that are no messages are of one kind.
func kindOfFrame(f Fault) string {
	if f.Subject == "stdout" {
		return f.Subject
	}
	return pattern(f.Expected)
}
