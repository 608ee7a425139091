package scenarios

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios/message"
)

// elicitationForms are the checks on the questions themselves, whoever was asked.
func elicitationForms(shapes *message.Shapes) []Check {
	return []Check{
		{
			ID: "elicitation/form-schema-allowed", Claim: "A form has the kinds of fields that forms may have: flat, and simple.", Level: Must,
			Why:    "Clients draw a form from the schema. A nested object or a reference becomes a text box, or the question is refused whole.",
			Remedy: "Use an object whose properties are strings, numbers, booleans or choices, and nothing else.",
			Basis:  []string{"client/elicitation#requested-schema"}, Requirements: allowedFields(),
			Judge: func(e *Evidence) Ruling { return judgeQuestions(e, shapes, allowedFields()) },
		},
		{
			ID: "elicitation/form-shape", Claim: "A question has a message, a form and, if any, the mode form; defaults are of their field's type.", Level: Must,
			Why:    "Clients refuse what has another shape, and the tool that asked fails.",
			Remedy: "Send message and requestedSchema, and defaults that the field itself would take.",
			Basis:  []string{"client/elicitation#form-mode-elicitation-requests"}, Requirements: formShape(),
			Judge: func(e *Evidence) Ruling { return judgeQuestions(e, shapes, formShape()) },
		},
		{
			ID: "elicitation/required-known", Claim: "What a form requires is among its fields.", Level: Should,
			Why:    "A field that is required and not there can never be filled in.",
			Remedy: "List in required only names of properties.",
			Basis:  []string{"client/elicitation#requested-schema"}, Requirements: []string{"elicitation.schema-required-known"},
			Judge: func(e *Evidence) Ruling { return eachForm(e, unknownRequired) },
		},
		{
			ID: "elicitation/no-secrets", Claim: "A form does not ask for passwords, keys or card numbers.", Level: Should,
			Why:    "What is typed into a form passes through the client and may reach the model and its logs.",
			Remedy: "Send the person to a web page of your own (mode url) for anything secret.",
			Basis:  []string{pageElicitation}, Requirements: []string{"elicitation.no-secrets"},
			Judge: func(e *Evidence) Ruling { return eachForm(e, secretFields) },
		},
		{
			ID: "elicitation/no-links-in-form", Claim: "A form carries no web addresses.", Level: Should,
			Why:    "A link in a form looks like one that the client vouches for.",
			Remedy: "Use mode url for addresses, so that the client can show where they lead.",
			Basis:  []string{"client/elicitation#safe-url-handling"}, Requirements: []string{"elicitation.no-links-in-form"},
			Judge: func(e *Evidence) Ruling { return eachForm(e, linksInForm) },
		},
		{
			ID: "elicitation/url-mode", Claim: "A question that opens a web page goes to clients that declared it, with a whole address and an id of its own.", Level: Must,
			Why:    "A client that shows forms only cannot open the page, and one that can needs an address it can read.",
			Remedy: "Ask by mode url only where elicitation.url is declared, and give each question its own elicitationId.",
			Basis:  []string{"client/elicitation#url-mode-elicitation-requests"}, Requirements: []string{"elicitation.mode-supported", "elicitation.url-valid", "elicitation.url-id-unique", "elicitation.url-members", "elicitation.url-id"},
			Judge: judgeURLMode,
		},
		{
			ID: "elicitation/url-https", Claim: "The page of a question is served over https.", Level: Should,
			Why:    "Clients warn about other addresses or do not open them.",
			Remedy: "Use https; plain http is fine for localhost alone.",
			Basis:  []string{"client/elicitation#safe-url-handling"}, Requirements: []string{"elicitation.url-https"},
			Judge: func(e *Evidence) Ruling { return eachURL(e, notHTTPS) },
		},
		{
			ID: "elicitation/url-no-user-data", Claim: "The address of a question holds no credentials and no personal data.", Level: Should,
			Why:    "Addresses end up in histories and logs.",
			Remedy: "Put an opaque id into the address and keep the data on the server.",
			Basis:  []string{"client/elicitation#safe-url-handling"}, Requirements: []string{"elicitation.url-no-user-data"},
			Judge: func(e *Evidence) Ruling { return eachURL(e, userData) },
		},
		{
			ID: "elicitation/complete-names-id", Claim: "notifications/elicitation/complete names a question of the same session.", Level: Must,
			Why:    "The client cannot tell which of its questions is done.",
			Remedy: "Send the elicitationId of the question, to the client that was asked.",
			Basis:  []string{"client/elicitation#completion-notifications-for-url-mode-elicitation"}, Requirements: []string{"elicitation.complete-names-id"},
			Judge: judgeCompleteID,
		},
		{
			ID: "elicitation/required-error", Claim: "Error -32042 lists the pages to open, and goes to clients that can open pages.", Level: Must,
			Why:    "Clients read data.elicitations of this error and do nothing without it.",
			Remedy: "Fill data.elicitations with mode, message, url and elicitationId, and use the code for nothing else.",
			Basis:  []string{"client/elicitation#url-elicitation-required-error"}, Requirements: []string{"elicitation.required-error-list", "elicitation.required-error-only-then"},
			Judge: func(e *Evidence) Ruling { return judgeRequiredError(e, shapes) },
		},
	}
}

func allowedFields() []string {
	return []string{
		"elicitation.schema-root", "elicitation.schema-flat", "elicitation.schema-string", "elicitation.schema-number",
		"elicitation.schema-boolean", "elicitation.schema-enum", "elicitation.schema-multi-select",
	}
}

func formShape() []string {
	return []string{"elicitation.message", "elicitation.form-schema-present", "elicitation.form-mode-value", "elicitation.schema-defaults"}
}

// question is one question that anybody got, with the frame it came in.
type question struct {
	received
	method string
	params gjson.Result
}

// questions lists every question that the cell's client got, by
// request of the server or inside a result.
func (e *Evidence) questions() []question {
	return slices.Clone(onTapes(e, "questions", e.readQuestions))
}

func (e *Evidence) readQuestions() []question {
	var out []question
	for _, f := range e.frames() {
		m := f.event.Message()
		if m.IsRequest() && needsCapability(m.Method) != "" {
			out = append(out, question{f, m.Method, m.Root.Get("params")})
		}
		if result := m.Result; m.IsResponse() && wantsInput(result) {
			result.Get("inputRequests").ForEach(func(_, q gjson.Result) bool {
				out = append(out, question{f, q.Get("method").Str, q.Get("params")})
				return true
			})
		}
	}
	return out
}

// judgeQuestions rules over the shapes of frames that ask something, as far as
// the given requirements go.
func judgeQuestions(e *Evidence, shapes *message.Shapes, about []string) Ruling {
	var r Ruling
	seen := map[string]bool{}
	var last *received
	for _, q := range e.questions() {
		if last != nil && last.event == q.event || q.revision == "" {
			continue // one frame may hold several questions
		}
		last = &q.received
		r.Seen++
		for _, f := range shapes.Check(q.revision, q.event.Raw, q.context()) {
			key := pattern(f.Path) + f.Expected
			if f.Level != message.Must || seen[key] || !slices.ContainsFunc(f.Requirements, func(id string) bool { return slices.Contains(about, id) }) {
				continue
			}
			seen[key] = true
			r.Faults = append(r.Faults, Fault{Subject: f.Path, Expected: f.Expected, Observed: f.Observed, Message: fmt.Sprintf("%s of a question should be %s, is %s", orFrame(f.Path), f.Expected, f.Observed), Proof: proofOf(q.received)})
		}
	}
	if r.Seen == 0 {
		return e.whyNothingAsked()
	}
	return r
}

// eachForm looks at every form once.
func eachForm(e *Evidence, look func(params gjson.Result) []Fault) Ruling {
	var r Ruling
	seen := map[string]bool{}
	for _, q := range e.questions() {
		form := q.params.Get("requestedSchema")
		if q.method != "elicitation/create" || !form.IsObject() {
			continue
		}
		r.Seen++
		key := q.params.Get("message").Raw + form.Raw
		if seen[key] {
			continue
		}
		seen[key] = true
		for _, f := range look(q.params) {
			f.Proof = proofOf(q.received)
			r.Faults = append(r.Faults, f)
		}
	}
	if r.Seen == 0 {
		return e.whyNothingAsked()
	}
	return r
}

func unknownRequired(params gjson.Result) []Fault {
	var out []Fault
	for _, name := range params.Get("requestedSchema.required").Array() {
		if !member(params.Get("requestedSchema.properties"), name.Str).Exists() {
			out = append(out, Fault{Subject: name.Str, Expected: "a field of the form", Observed: "a name in required that no property has"})
		}
	}
	return out
}

// secretFields finds fields by their exact names; in running text the same
// words have harmless meanings.
func secretFields(params gjson.Result) []Fault {
	secret := regexp.MustCompile(`^(password|passwd|passphrase|pin|secret|clientsecret|apikey|accesstoken|authtoken|refreshtoken|bearertoken|privatekey|secretkey|creditcard|creditcardnumber|cardnumber|cvv|cvc|ssn|iban)$`)
	plain := strings.NewReplacer("_", "", "-", "", " ", "")
	var out []Fault
	params.Get("requestedSchema.properties").ForEach(func(k, field gjson.Result) bool {
		for _, name := range []string{k.Str, field.Get("title").Str} {
			if secret.MatchString(strings.ToLower(plain.Replace(name))) {
				out = append(out, Fault{Subject: k.Str, Expected: "no field for a secret", Observed: "a field called " + short(name, 60)})
				break
			}
		}
		return true
	})
	return out
}

func linksInForm(params gjson.Result) []Fault {
	link := regexp.MustCompile(`(?i)\bhttps?://[^\s"]+`)
	var out []Fault
	look := func(where string, v gjson.Result) {
		if l := link.FindString(v.Str); l != "" {
			out = append(out, Fault{Subject: where, Expected: "no web address", Observed: short(l, 120)})
		}
	}
	look("message", params.Get("message"))
	params.Get("requestedSchema.properties").ForEach(func(k, field gjson.Result) bool {
		look(k.Str+".title", field.Get("title"))
		look(k.Str+".description", field.Get("description"))
		return true
	})
	return out
}

// pages lists the questions that open a web page.
func (e *Evidence) pages() []question {
	return slices.DeleteFunc(e.questions(), func(q question) bool {
		return q.method != "elicitation/create" || q.params.Get("mode").Str != "url"
	})
}

func noPages() Ruling { return NotApplicable("the server asked nobody to open a web page") }

func judgeURLMode(e *Evidence) Ruling {
	var r Ruling
	ids := map[string]bool{}
	declared := map[string]gjson.Result{}
	for _, q := range e.requestsToClient() {
		declared[fmt.Sprintf("%p", q.event)] = q.declared
	}
	for _, q := range e.pages() {
		r.Seen++
		add := func(expected, observed string) {
			r.Faults = append(r.Faults, Fault{Subject: "url", Expected: expected, Observed: observed, Proof: proofOf(q.received)})
		}
		if d, ok := declared[fmt.Sprintf("%p", q.event)]; ok && !d.Get("elicitation.url").Exists() {
			add("a form: the client did not declare elicitation.url", "mode url")
		}
		raw := q.params.Get("url")
		if u, err := url.Parse(raw.Str); raw.Str == "" || err != nil || !u.IsAbs() {
			add("a whole web address", orNone(raw))
		}
		id := q.params.Get("elicitationId")
		key := fmt.Sprintf("%s %s", q.tape.ID, id.Raw)
		if id.Exists() && ids[key] && !e.Facts.Modern() {
			add("an elicitationId of its own", "the id "+short(id.Raw, 60)+" again")
		}
		ids[key] = true
	}
	if r.Seen == 0 {
		return noPages()
	}
	return r
}

func eachURL(e *Evidence, look func(u *url.URL) string) Ruling {
	var r Ruling
	for _, q := range e.pages() {
		u, err := url.Parse(q.params.Get("url").Str)
		if err != nil {
			continue
		}
		r.Seen++
		if bad := look(u); bad != "" {
			r.Faults = append(r.Faults, Fault{Subject: short(u.Redacted(), 120), Expected: "an address that is safe to open and to log", Observed: bad, Proof: proofOf(q.received)})
		}
	}
	if r.Seen == 0 {
		return noPages()
	}
	return r
}

func notHTTPS(u *url.URL) string {
	host := u.Hostname()
	ip := net.ParseIP(host)
	if u.Scheme == "https" || host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback() {
		return ""
	}
	return "scheme " + short(u.Scheme, 30)
}

func userData(u *url.URL) string {
	if u.User != nil {
		return "a user name or password before the host"
	}
	mail := regexp.MustCompile(`[^@\s]+@[^@\s]+\.[a-zA-Z]{2,}`)
	for k, values := range u.Query() {
		for _, v := range values {
			if mail.MatchString(v) {
				return "an e-mail address in the query"
			}
			if v != "" && regexp.MustCompile(`(?i)^(api_?key|password|secret|access_?token)$`).MatchString(k) {
				return "the query member " + short(k, 40)
			}
		}
	}
	return ""
}

func judgeCompleteID(e *Evidence) Ruling {
	var r Ruling
	known := map[string]bool{}
	for _, q := range e.pages() {
		known[q.tape.ID+q.params.Get("elicitationId").Raw] = true
	}
	for _, f := range e.frames() {
		m := f.event.Message()
		if m.Method != "notifications/elicitation/complete" {
			continue
		}
		r.Seen++
		if id := m.Root.Get("params.elicitationId"); !known[f.tape.ID+id.Raw] {
			r.Faults = append(r.Faults, Fault{Subject: "elicitationId", Expected: "the id of a question of this session", Observed: orNone(id), Proof: proofOf(f)})
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server sent no notifications/elicitation/complete")
	}
	return r
}

func judgeRequiredError(e *Evidence, shapes *message.Shapes) Ruling {
	var r Ruling
	for _, f := range e.frames() {
		if f.x == nil || f.x.Code() != -32042 || f.revision == "" {
			continue
		}
		r.Seen++
		for _, fault := range e.shapeFaults(f, f.revision, f.context(), shapes) {
			if slices.Contains(fault.Requirements, "elicitation.required-error-list") {
				r.Faults = append(r.Faults, Fault{Subject: fault.Path, Expected: fault.Expected, Observed: fault.Observed, Proof: proofOf(f)})
			}
		}
		if !strings.Contains(declaredFirst(f.tape), `"url"`) {
			r.Faults = append(r.Faults, Fault{Subject: toolName(f.x), Expected: "-32042 only for clients that declared elicitation.url", Observed: "-32042 for a client that did not", Proof: proofOf(f)})
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server sent no error -32042")
	}
	return r
}

// declaredFirst is the raw elicitation capability of a line's handshake, "" when there is none.
func declaredFirst(t *wire.Tape) string {
	for _, ev := range t.Events() {
		if m := ev.Message(); m.Method == "initialize" {
			return m.Root.Get("params.capabilities.elicitation").Raw
		}
	}
	return ""
}
