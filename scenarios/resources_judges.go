package scenarios

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
	"github.com/yosida95/uritemplate/v3"
)

func judgeResourceURI(e *Evidence) Ruling {
	allowed := regexp.MustCompile(`^(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$`)
	return e.eachEntry("resources/list", func(n entry) []Fault {
		uri := n.raw.Get("uri")
		switch {
		case uri.Type != gjson.String:
			return nil // the shape of the list is judged with the messages
		case schemeOf(uri.Str) == "":
			return one(true, "a scheme, such as file: or one of your own", fmt.Sprintf("%q", short(uri.Str, 120)))
		case !allowed.MatchString(uri.Str):
			return one(true, "the characters of RFC 3986, others percent-encoded", fmt.Sprintf("%q", short(uri.Str, 120)))
		}
		return nil
	})
}

func judgeHTTPS(e *Evidence) Ruling {
	var r Ruling
	web := 0
	for _, n := range e.entries("resources/list") {
		if uri := n.raw.Get("uri").String(); onWeb(uri) {
			web++
			if why := unfetchable(uri); why != "" {
				r.Seen++
				r.Faults = append(r.Faults, Fault{Subject: short(uri, 120), Expected: "a host that every client reaches", Observed: why, Proof: []*Exchange{n.x}})
			}
		}
	}
	switch {
	case web == 0:
		return NotApplicable("no resource has an https uri")
	case r.Seen == 0:
		return NotSeen(fmt.Sprintf("%s with an https uri: conform fetches nothing from the web, so whether clients can is open", count(web, "resource")))
	}
	return r
}

// unfetchable says why no other machine can fetch a web address, "" when one may.
func unfetchable(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return "an address that cannot be read"
	}
	host := strings.ToLower(u.Hostname())
	if ip := net.ParseIP(host); ip != nil {
		if ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() {
			return "the address " + host + " belongs to one machine or network"
		}
		return ""
	}
	if host == "" || !strings.Contains(host, ".") {
		return fmt.Sprintf("the host %q has no domain", host)
	}
	for _, end := range []string{".local", ".localhost", ".internal", ".invalid", ".test", ".home.arpa"} {
		if strings.HasSuffix(host, end) {
			return "hosts below " + end + " are not on the web"
		}
	}
	return ""
}

func judgeTemplatesAnswered(e *Evidence) Ruling {
	pages := e.All("list:resources/templates/list")
	if len(pages) == 0 {
		return NotSeen("resources/templates/list was not asked")
	}
	x := pages[0]
	var f *Fault
	if !x.Result().Exists() && x.Code() != -32601 {
		f = &Fault{Subject: "resources/templates/list", Expected: "a list or error -32601", Observed: sayAnswer(x), Proof: []*Exchange{x}}
	}
	return Ruling{}.add(x, f)
}

func judgeTemplates(e *Evidence) Ruling {
	return e.eachEntry("resources/templates/list", func(n entry) []Fault {
		t := n.raw.Get("uriTemplate")
		if t.Type != gjson.String {
			return nil
		}
		if _, err := uritemplate.New(t.Str); err != nil {
			return one(true, "a template of RFC 6570", fmt.Sprintf("%q", short(t.Str, 120)))
		}
		return nil
	})
}

// reads are the reads of listed resources that were answered with contents, and
// a ruling for those who find none.
func (e *Evidence) reads() ([]*Exchange, Ruling) {
	var out []*Exchange
	all := e.All("read:")
	for _, x := range all {
		if x.Result().Get("contents").IsArray() {
			out = append(out, x)
		}
	}
	switch {
	case len(out) > 0:
		return out, Ruling{}
	case len(all) > 0:
		return nil, NotSeen("no listed resource could be read")
	case len(e.entries("resources/list")) == 0:
		return nil, NotApplicable("the server lists no resources")
	}
	return nil, NotSeen("no listed resource was read: those on the web and those of more than 1 MiB are left alone")
}

func readURI(x *Exchange) string { return x.Request.Root.Get("params.uri").String() }

func judgeListedReadable(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("read:") {
		var f *Fault
		switch {
		case x.AsksInput():
			continue
		case x.IsRPCError() && saysUpstream(x.Text()):
			continue // what lies behind the server is not there; nobody can judge it here
		case !x.Result().Exists():
			f = &Fault{Subject: short(readURI(x), 120), Expected: "its contents", Observed: sayAnswer(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		_, why := e.reads()
		return why
	}
	return r
}

// saysUpstream says that an error speaks of a network or a service that is not there.
func saysUpstream(text string) bool {
	low := strings.ToLower(text)
	for _, w := range []string{"enotfound", "econnrefused", "econnreset", "etimedout", "eai_again", "getaddrinfo", "fetch failed", "dial tcp", "connection refused", "no such host", "network is unreachable", "timed out", "unauthorized", "not authenticated", "api key"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

func judgeTextIsText(e *Evidence) Ruling {
	reads, none := e.reads()
	r := none
	texts := 0
	for _, x := range reads {
		var f *Fault
		for _, c := range x.Result().Get("contents").Array() {
			text := c.Get("text")
			if text.Type != gjson.String {
				continue
			}
			texts++
			if why := binary(text.Str); why != "" {
				f = &Fault{Subject: short(readURI(x), 120), Expected: "text, or a blob in base64", Observed: why, Proof: []*Exchange{x}}
				break
			}
		}
		r = r.add(x, f)
	}
	if len(reads) > 0 && texts == 0 {
		return NotApplicable("what was read is all binary, in base64")
	}
	return r
}

// binary says what shows that a text was binary data, "" when nothing does. A
// few replacement characters may be meant; many are bytes that were no UTF-8.
func binary(text string) string {
	if n := strings.Count(text, "\x00"); n > 0 {
		return "a text with " + count(n, "NUL character")
	}
	if n := strings.Count(text, "\uFFFD"); n >= 4 && n*50 >= utf8.RuneCountInString(text) {
		return fmt.Sprintf("a text with %d replacement characters (U+FFFD) among %d", n, utf8.RuneCountInString(text))
	}
	return ""
}

func judgeURIEcho(e *Evidence) Ruling {
	reads, r := e.reads()
	for _, x := range reads {
		asked := readURI(x)
		var f *Fault
		for _, c := range x.Result().Get("contents").Array() {
			if uri := c.Get("uri").String(); !below(uri, asked) {
				f = &Fault{Subject: short(asked, 120), Expected: "the uri " + short(asked, 120) + ", or one below it", Observed: "the uri " + short(uri, 120), Proof: []*Exchange{x}}
				break
			}
		}
		r = r.add(x, f)
	}
	return r
}

// below says that a uri is another one, however it is escaped, or lies below it.
func below(uri, of string) bool {
	plain := func(u string) string {
		if un, err := url.PathUnescape(u); err == nil {
			u = un
		}
		return strings.TrimRight(u, "/")
	}
	a, b := plain(uri), plain(of)
	return a == b || strings.HasPrefix(a, b) && strings.ContainsAny(a[len(b):len(b)+1], "/?#")
}

func judgeReadHints(e *Evidence) Ruling {
	reads, r := e.reads()
	for _, x := range reads {
		var missing []string
		for _, m := range []string{"ttlMs", "cacheScope"} {
			if !x.Result().Get(m).Exists() {
				missing = append(missing, m)
			}
		}
		var f *Fault
		if len(missing) > 0 {
			f = &Fault{Subject: short(readURI(x), 120), Expected: "ttlMs and cacheScope", Observed: "no " + strings.Join(missing, " and no "), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}
