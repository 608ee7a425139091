package suite

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

// lineProblems says what is wrong with the lines of a trial.
func (x *trial) lineProblems() []string {
	var out []string
	for i := range x.lines {
		l := &x.lines[i]
		if l.outcome.Repro == "" {
			out = append(out, fmt.Sprintf("%s has no repro line: %q", l.outcome.ID, l.outcome.NoRepro))
			continue
		}
		if errors.Is(l.err, errors.ErrUnsupported) {
			continue
		}
		for _, lack := range l.lacks() {
			out = append(out, fmt.Sprintf("%s: its repro line does not show it: %s\n\tline %s\n\tshows %.30000s", l.outcome.ID, lack, l.outcome.Repro, l.out))
		}
	}
	return out
}

// lacks says what of the fault the output does not show.
func (l *line) lacks() []string {
	var out []string
	// A server that hangs or does not end shows just that.
	silent := slices.ContainsFunc(l.fault.Proof, func(p *scenarios.Exchange) bool { return p != nil && p.Request.ID != "" && p.AnswerAt < 0 })
	if l.err != nil && !silent && l.outcome.Check != "shutdown/eof-exits" {
		out = append(out, l.err.Error())
	}
	switch l.outcome.Check {
	case "concurrency/no-cross-talk":
		if !l.mixed() {
			out = append(out, "no answer is that of another call")
		}
		return out
	case "subscriptions/changes-announced":
		return l.lacksChange()
	case "shutdown/sigterm-exits":
		if !strings.Contains(l.out, "still running") {
			out = append(out, "the server ends")
		}
		return out
	case "shutdown/no-orphans":
		if _, left, _ := strings.Cut(l.out, "left behind:"); !strings.Contains(left, mark) {
			out = append(out, "no process is left")
		}
		return out
	}
	if remembers(l.fault) && l.differs() {
		return out
	}
	for _, p := range l.fault.Proof {
		if p != nil {
			out = append(out, l.lacksOf(p)...)
		}
	}
	return out
}

func (l *line) lacksOf(p *scenarios.Exchange) []string {
	printed := plainText(l.out)
	var out []string
	want := func(what string, raw []byte) {
		if text := plainText(string(raw)); !strings.Contains(printed, text) {
			out = append(out, fmt.Sprintf("%s is not there: %.300s", what, text))
		}
	}
	among := slices.ContainsFunc(l.fault.With, func(x *scenarios.Exchange) bool { return x.Sent == p.Sent })
	switch {
	case p.Sent.Kind == wire.Recv || p.AnswerAt >= 0 && among:
		// A question may have another id each time, and of many requests at once others may meet it.
		raw := p.Sent.Raw
		if p.Sent.Kind == wire.Send {
			raw = p.Tape.Events()[p.AnswerAt].Raw
		}
		if text := withoutID(plainText(string(raw))); !strings.Contains(withoutID(printed), text) {
			out = append(out, fmt.Sprintf("%.300s is not there", text))
		}
	case among:
		if !slices.ContainsFunc(l.fault.With, func(x *scenarios.Exchange) bool { return !l.answers(x) }) {
			out = append(out, "every request is answered")
		}
	case p.AnswerAt >= 0:
		want("the answer", p.Tape.Events()[p.AnswerAt].Raw)
		for _, e := range p.Further {
			want("a further answer", e.Raw)
		}
	case p.End == "rounds": // conform stopped answering: it would have gone on
		if n := strings.Count(l.out, `"method":"elicitation/create"`) + strings.Count(l.out, `"method":"sampling/createMessage"`); n < 10 {
			out = append(out, fmt.Sprintf("only %d questions are there", n))
		}
	case p.End == "unacknowledged" && strings.HasPrefix(l.outcome.Check, "subscriptions/"):
		if strings.Contains(l.out, "notifications/subscriptions/acknowledged") {
			out = append(out, "an acknowledgement is there")
		}
	case p.Sent.HTTP != nil && (p.End == "silent" || p.End == "stuck"):
		if l.answers(p) || !strings.Contains(l.out, "timed out") {
			out = append(out, "the request does not run out of time")
		}
	case p.Head != nil:
		want("the status", fmt.Appendf(nil, "HTTP/1.1 %d", p.Head.HTTP.Status))
		if p.Body != nil {
			for part := range bytes.Lines(p.Body.Raw) {
				want("the body", part)
			}
		}
	case p.Request.Method == "subscriptions/listen": // it is answered when the line ends
	case l.took > tooLate: // it was, after all
	case p.Request.Method != "" && l.answersWhole(p):
		out = append(out, "an answer to id "+p.Request.ID+" is there")
	}
	return out
}

// lacksChange says what is missing of a list that changed and of which nobody was told.
func (l *line) lacksChange() []string {
	method := l.fault.Proof[0].Request.Method
	member, _, _ := strings.Cut(method, "/")
	lists := map[string]bool{}
	for m := range l.messages() {
		if list := m.Result.Get(member); list.IsArray() {
			lists[fmt.Sprint(list.Get("#.name"))] = true
		}
		if m.Method == "notifications/"+member+"/list_changed" {
			return []string{"the change is told of"}
		}
	}
	if len(lists) < 2 {
		return []string{"no list changed"}
	}
	return nil
}

// answers says that the output holds an answer to the request's id.
func (l *line) answers(x *scenarios.Exchange) bool {
	return x.Request.ID != "" && regexp.MustCompile(`"id" ?: ?`+regexp.QuoteMeta(x.Request.ID)+`[,}]`).MatchString(l.out)
}

// answersWhole says that the output holds such an answer that was not cut off.
func (l *line) answersWhole(x *scenarios.Exchange) bool {
	for m := range l.messages() {
		if m.ID == x.Request.ID && m.IsResponse() {
			return true
		}
	}
	return false
}

// differs says that two requests that are equal but for their ids have different answers.
func (l *line) differs() bool {
	got := map[string]string{}
	for m := range l.messages() {
		if m.IsResponse() {
			got[m.ID] = m.Result.Raw + m.Root.Get("error").Raw
		}
	}
	for i, x := range l.fault.Proof {
		for _, y := range l.fault.Proof[:i] {
			one, other := got[x.Request.ID], got[y.Request.ID]
			if same(x, y) && one != "" && other != "" && one != other {
				return true
			}
		}
	}
	return false
}

// messages are the frames of the output.
func (l *line) messages() iter.Seq[*wire.Message] {
	return func(yield func(*wire.Message) bool) {
		split := strings.NewReplacer("HTTP/1.1", "\nHTTP/1.1", "curl: (", "\ncurl: (").Replace(l.out)
		for printed := range strings.Lines(split) {
			if m := wire.ParseMessage([]byte(strings.TrimPrefix(printed, "data: "))); m.Valid && !yield(m) {
				return
			}
		}
	}
}

// mixed says that calls that repeat their text were answered, and a text is missing.
func (l *line) mixed() bool {
	want, calls, got := map[string][]string{}, map[string]int{}, map[string][]string{}
	for _, x := range l.fault.With {
		calls[x.Request.ID]++
		if x.Request.Root.Get("params.name").Str == "text_echo" {
			want[x.Request.ID] = append(want[x.Request.ID], x.Request.Root.Get("params.arguments.text").Str)
		}
	}
	for m := range l.messages() {
		if m.IsResponse() {
			got[m.ID] = append(got[m.ID], m.Result.Get("content.0.text").Str)
		}
	}
	for id, texts := range want {
		for _, text := range texts {
			if len(got[id]) >= calls[id] && !slices.Contains(got[id], text) {
				return true
			}
		}
	}
	return false
}

func withoutID(s string) string {
	return regexp.MustCompile(`"id":("[^"]*"|\d+)`).ReplaceAllString(s, "")
}

// plainText takes out what differs from one run of a server to the next: times,
// and ids, states and names that it makes.
func plainText(s string) string {
	s = strings.ReplaceAll(s, "\r", "")
	s = regexp.MustCompile(`(?m)^data: ?`).ReplaceAllString(s, "")
	s = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z`).ReplaceAllString(s, "TIME")
	s = regexp.MustCompile(`\b\d+-(start|\d+)\b`).ReplaceAllString(s, "N-$1") // events of streams that are numbered
	s = regexp.MustCompile(`of_connection_[A-Z0-9]{6}`).ReplaceAllString(s, "OF_CONNECTION")
	s = regexp.MustCompile(`task-\d+|strength-\d+|You are number \d+`).ReplaceAllString(s, "MADE")
	s = regexp.MustCompile(`\d{7,}`).ReplaceAllString(s, "0")
	s = regexp.MustCompile(`[A-Za-z0-9_+/=.-]{24,}`).ReplaceAllString(s, "*")
	return strings.TrimSpace(s)
}
