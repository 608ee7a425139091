package sample

// codePageRequired is the error of 2025-11-25 alone that names pages to open first.
const codePageRequired = -32042

const strengthPage = "https://example.com/strength"

// opensPages says that the client can send a person to a web page.
func opensPages(x *exchange) bool {
	e, _ := x.capabilities["elicitation"].(object)
	_, url := e["url"].(object)
	return url && x.knows("2025-11-25")
}

// askByPage makes the tools that ask do it by a web page where the client can
// open one, and by a form where it cannot.
func askByPage(b *behaviour) {
	b.asking.may = func(x *exchange) bool { return mayAsk(x) || opensPages(x) && (x.modern || x.answerable) }
	b.asking.params = func(x *exchange, q question) object {
		if !opensPages(x) {
			return q.params(x)
		}
		p := object{"mode": "url", "message": q.message, "url": strengthPage + "?question=" + q.key}
		if !x.modern {
			p["elicitationId"] = pageID(x, q)
		}
		return p
	}
	// A page brings no content: what was chosen there stays with the server.
	b.asking.judge = func(c *call, q question, answer object) (reply, bool) {
		if !opensPages(c.exchange) || answer["action"] != "accept" {
			return judge(c, q, answer)
		}
		if !c.modern {
			c.notify("notifications/elicitation/complete", object{"elicitationId": pageID(c.exchange, q)})
		}
		return reply{asked: true, action: "accept"}, true
	}
}

// pageID names a question of one call; it does not repeat on a server.
func pageID(x *exchange, q question) string { return q.key + "-" + string(num(x.arrival)) }

// demandPage makes the tools that ask refuse until a page was opened, in 2025-11-25.
func demandPage(b *behaviour) {
	b.asking.byRequest = func(c *call, q question) (reply, error) {
		return reply{}, fail(codePageRequired, "A page must be opened first").with(object{"elicitations": list{
			object{"mode": "url", "elicitationId": pageID(c.exchange, q), "url": strengthPage, "message": q.message},
		}})
	}
	b.asking.may = func(x *exchange) bool {
		if !x.modern && opensPages(x) {
			return true
		}
		return x.modern && mayAsk(x)
	}
}
