package hostile

import (
	"fmt"
	"io"
	"strings"
)

// answerServers answer the wrong request, or in the wrong way.
func answerServers() []Server {
	ids := func(name, about string, change func(r request) string) Server {
		return both(name, about, answering(func(w io.Writer, r request) bool {
			if r.id == "" {
				return false
			}
			r.id = change(r)
			(&talk{}).plain(w, r)
			return true
		}))
	}
	return []Server{
		ids("other-ids", "answers every request under the id of another", func(r request) string { return r.id + "1" }),
		ids("ids-as-strings", "answers numbers as strings", func(r request) string { return quoted(strings.Trim(r.id, `"`)) }),
		ids("null-ids", "answers every request under null", func(request) string { return "null" }),
		both("both-members", "answers with a result and an error at once", answering(func(w io.Writer, r request) bool {
			if r.id == "" {
				return false
			}
			var b strings.Builder
			(&talk{}).plain(&b, r)
			fmt.Fprintf(w, `%s,"error":{"code":-32603,"message":"and it failed"}}`+"\n", strings.TrimSuffix(b.String(), "}\n"))
			return true
		})),
		both("answers-notifications", "answers whatever it reads, notifications and answers among them", answering(func(w io.Writer, r request) bool {
			if r.id != "" && r.method != "" {
				return false
			}
			fmt.Fprintln(w, `{"jsonrpc":"2.0","id":null,"result":{}}`)
			return true
		})),
		both("says-yes", "answers every request that there is with an empty result", answering(func(w io.Writer, r request) bool {
			if r.id == "" || r.method == "initialize" || r.method == "server/discover" || r.method == "tools/list" {
				return false
			}
			result(w, r, "{}")
			return true
		})),
		both("says-no", "refuses everything after the opening", answering(func(w io.Writer, r request) bool {
			if r.id == "" || r.method == "initialize" || r.method == "server/discover" {
				return false
			}
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no"}}`+"\n", r.id)
			return true
		})),
	}
}
