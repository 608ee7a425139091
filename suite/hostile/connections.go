package hostile

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// requests reads HTTP requests of a connection and lets f write what it likes for each.
func requests(f func(c net.Conn, body []byte) bool) func(net.Listener) {
	return connections(func(c net.Conn) {
		in := bufio.NewReader(c)
		for {
			q, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			body, _ := io.ReadAll(io.LimitReader(q.Body, 16<<20))
			if !f(c, body) {
				return
			}
		}
	})
}

// right is the answer of an ordinary server to a body.
func right(body []byte) string {
	var out strings.Builder
	(&talk{}).plain(&out, readRequest(body))
	return out.String()
}

// head is an HTTP answer's beginning with these lines.
func head(lines ...string) string {
	return "HTTP/1.1 200 OK\r\n" + strings.Join(append(lines, "", ""), "\r\n")
}

// raw answers every request with the same bytes and then closes the connection.
func raw(name, about, text string) Server {
	return Server{Name: name, About: about, HTTP: requests(func(c net.Conn, _ []byte) bool {
		_, _ = io.WriteString(c, text)
		return false
	})}
}

// connectionServers misuse connections and the framing of HTTP.
func connectionServers() []Server {
	const json = "Content-Type: application/json"
	closing := func(name, about string, f func(c net.Conn, body []byte) bool) Server {
		return Server{Name: name, About: about, HTTP: requests(f)}
	}
	return []Server{
		closing("slow-headers", "sends one byte of a header in twenty milliseconds, without end", func(c net.Conn, _ []byte) bool {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nX-Slow: ")
			for {
				if _, err := io.WriteString(c, "x"); err != nil {
					return false
				}
				time.Sleep(20 * time.Millisecond)
			}
		}),
		closing("endless-headers", "sends headers without end", func(c net.Conn, _ []byte) bool {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n")
			forever(c, "X-Header: and one more\r\n")
			return false
		}),
		closing("endless-header", "sends one header that never ends", func(c net.Conn, _ []byte) bool {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nX-Header: ")
			forever(c, "x")
			return false
		}),
		closing("endless-continues", "says 100 Continue and 103 Early Hints without end", func(c net.Conn, _ []byte) bool {
			forever(c, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
			return false
		}),
		closing("length-too-long", "promises more bytes than it sends, and keeps the connection open", func(c net.Conn, body []byte) bool {
			_, _ = io.WriteString(c, head(json, "Content-Length: 100000")+right(body))
			hang()
			return false
		}),
		closing("length-too-long-and-closed", "promises more bytes than it sends, and closes", func(c net.Conn, body []byte) bool {
			_, _ = io.WriteString(c, head(json, "Content-Length: 100000")+right(body))
			return false
		}),
		closing("length-too-short", "sends more bytes than it promised", func(c net.Conn, body []byte) bool {
			answer := right(body)
			_, err := io.WriteString(c, head(json, fmt.Sprintf("Content-Length: %d", len(answer)/2))+answer)
			return err == nil
		}),
		raw("length-huge", "promises nine exabytes", head(json, "Content-Length: 9223372036854775807")+"{"),
		raw("length-negative", "promises fewer bytes than none", head(json, "Content-Length: -5")+"{}"),
		raw("two-lengths", "promises two lengths and chunks besides", head(json, "Content-Length: 5", "Content-Length: 6", "Transfer-Encoding: chunked")+"0\r\n\r\n"),
		raw("broken-chunks", "sends chunks of wrong lengths", head(json, "Transfer-Encoding: chunked")+"5\r\n{}\r\nzzz\r\n"),
		raw("huge-chunk", "announces a chunk of sixteen exabytes", head(json, "Transfer-Encoding: chunked")+"ffffffffffffffff\r\n{}"),
		raw("no-http", "answers with something that is no HTTP", "SSH-2.0-OpenSSH_9.6\r\n\x00\x01\x02"),
		raw("closes-without-answer", "closes the connection instead of answering", ""),
		closing("closed-keep-alive", "promises to keep connections open and closes each after one answer", func(c net.Conn, body []byte) bool {
			answer := right(body)
			if answer == "" {
				_, _ = io.WriteString(c, "HTTP/1.1 202 Accepted\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n")
				return false
			}
			_, _ = io.WriteString(c, head(json, "Connection: keep-alive", "Keep-Alive: timeout=600", fmt.Sprintf("Content-Length: %d", len(answer)))+answer)
			return false
		}),
		closing("reset", "resets the connection in the middle of each answer", func(c net.Conn, body []byte) bool {
			answer := right(body)
			_, _ = io.WriteString(c, head(json, fmt.Sprintf("Content-Length: %d", len(answer)))+answer[:len(answer)/2])
			if tcp, ok := c.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
			return false
		}),
		{Name: "never-reads-requests", About: "takes connections and never reads from them", HTTP: connections(func(net.Conn) { hang() })},
		{Name: "closes-connections", About: "closes each connection at once", HTTP: connections(func(net.Conn) {})},
		{Name: "speaks-first", About: "sends answers before anybody asks", HTTP: connections(func(c net.Conn) {
			_, _ = io.WriteString(c, strings.Repeat(head(json, "Content-Length: 2")+"{}", 100))
			hang()
		})},
		{Name: "no-tls", About: "speaks plain HTTP under https", TLS: true, HTTP: handled((&talk{}).handler())},
		{Name: "tls-hangs", About: "never goes on with the TLS handshake", TLS: true, HTTP: connections(func(net.Conn) { hang() })},
		{Name: "tls-junk", About: "answers the TLS handshake with records that never end", TLS: true, HTTP: connections(func(c net.Conn) { forever(c, "\x16\x03\x03\x40\x00junk") })},
	}
}
