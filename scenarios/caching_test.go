package scenarios

import "testing"

func TestCaching(t *testing.T) {
	t.Parallel()
	page := func(id int, params, scope, next string) []string {
		return exchanged("page", id, "tools/list", params, `"result":{"tools":[],"ttlMs":0`+scope+next+`}`)
	}
	const (
		next    = `,"nextCursor":"2"`
		public  = `,"cacheScope":"public"`
		private = `,"cacheScope":"private"`
		second  = `{"cursor":"2"}`
	)
	one := func(name, want string, lines ...[]string) judged {
		return judged{name: name, judge: judgeScopePerWalk, revision: modernRevision, lines: joined(lines...), want: want}
	}
	runJudged(t, "caching", []judged{
		one("the same", "pass", page(1, `{}`, public, next), page(2, second, public, "")),
		one("another", "fault", page(1, `{}`, public, next), page(2, second, private, "")),
		one("none at all", "na", page(1, `{}`, "", next), page(2, second, "", "")),
		one("one page", "na", page(1, `{}`, public, "")),
		one("a cursor of another list", "na", page(1, `{}`, public, next), exchanged("page", 3, "prompts/list", second, `"result":{"prompts":[],"cacheScope":"private"}`)),
	})
}
