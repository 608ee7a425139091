package sample

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

// claim is what requestState says: which question of which call is open.
type claim struct {
	Tool     string `json:"tool"`
	Args     string `json:"args"`
	Question string `json:"question"`
	Expires  int64  `json:"expires"` // Unix seconds
	Line     string `json:"line,omitempty"`
}

// stateLife is how long an open question may be answered.
const stateLife = 10 * time.Minute

func digest(v any) string {
	sum := sha256.Sum256(encode(v, plainOrder))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

func (c *call) claim(q question) claim {
	return claim{
		Tool: c.tool.name, Args: digest(c.args), Question: digest(object{"message": q.message, "form": q.form}),
		Expires: c.srv.now().Add(stateLife).Unix(), Line: c.srv.do.asking.mark(c),
	}
}

// seal writes a claim so that a client cannot change it. The key is the same on
// every process: a retry may reach another one.
func (s *Server) seal(c claim) string {
	raw, err := json.Marshal(c)
	if err != nil {
		return "" // a claim of strings and a number can always be written
	}
	body := base64.RawURLEncoding.EncodeToString(raw)
	return body + "." + base64.RawURLEncoding.EncodeToString(s.mac(body))
}

func (s *Server) mac(body string) []byte {
	m := hmac.New(sha256.New, []byte(s.opts.Key))
	m.Write([]byte(body))
	return m.Sum(nil)
}

// unseal reads a state of this server; anything else is no state at all.
func (s *Server) unseal(state string) (claim, bool) {
	body, tag, ok := strings.Cut(state, ".")
	if !ok {
		return claim{}, false
	}
	given, err := base64.RawURLEncoding.Strict().DecodeString(tag)
	if err != nil || !hmac.Equal(given, s.mac(body)) && s.do.asking.wantsSeal {
		return claim{}, false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(body)
	if err != nil {
		return claim{}, false
	}
	var c claim
	if json.Unmarshal(raw, &c) != nil || c.Expires < s.now().Unix() {
		return claim{}, false
	}
	return c, true
}

// sameCall says that a state belongs to this very question of this very call.
func sameCall(have, want claim) bool {
	return have.Tool == want.Tool && have.Args == want.Args && have.Question == want.Question
}

// answersFit checks the containers of a retry; what is inside is judged by the question.
func answersFit(x *exchange) *failure {
	if !x.modern {
		return nil
	}
	if v, given := x.params["inputResponses"]; given && asObject(v) == nil && x.srv.do.asking.wantsObject {
		return fail(codeInvalidParams, "inputResponses must be an object")
	}
	if v, given := x.params["requestState"]; given {
		if _, ok := v.(string); !ok {
			return fail(codeInvalidParams, "requestState must be a string")
		}
	}
	return nil
}

// askInResult answers the call with the question, or takes the answer that the
// client brought back. Without a fitting answer to this question it asks again.
func askInResult(c *call, q question) (reply, error) {
	do := &c.srv.do.asking
	want := c.claim(q)
	state, _ := c.params["requestState"].(string)
	if have, ok := c.srv.unseal(state); ok && do.sameCall(have, want) {
		if answer, given := asObject(c.params["inputResponses"])[q.key].(object); given {
			if r, fits := do.judge(c, q, answer); fits {
				return r, nil
			}
		}
	}
	return reply{}, &needInput{result: do.required(c, q, want)}
}

func inputRequired(c *call, q question, want claim) object {
	return object{
		"resultType":    "input_required",
		"inputRequests": object{q.key: object{"method": "elicitation/create", "params": c.srv.do.asking.params(c.exchange, q)}},
		"requestState":  c.srv.seal(want),
	}
}
