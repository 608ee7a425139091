package hostile

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// streaming answers every POST with a stream: the ordinary answer among what f writes.
func streaming(name, about string, f func(w io.Writer, answer string)) Server {
	return overHTTP(name, about, func(w http.ResponseWriter, q *http.Request) {
		raw, _ := io.ReadAll(io.LimitReader(q.Body, 16<<20))
		w.Header().Set("Content-Type", "text/event-stream")
		f(flushed{w}, strings.TrimSpace(right(raw)))
	})
}

// flushed hands on each write at once.
type flushed struct{ http.ResponseWriter }

func (w flushed) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	if err == nil {
		err = http.NewResponseController(w.ResponseWriter).Flush()
	}
	return n, err
}

// streamEventServers misuse event streams.
func streamEventServers() []Server {
	ping := "data: {\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n\n"
	return []Server{
		streaming("endless-events", "answers, and then sends events without end", func(w io.Writer, answer string) {
			fmt.Fprintf(w, "data: %s\n\n", answer)
			forever(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\n\n")
		}),
		streaming("endless-events-first", "sends events without end and no answer", func(w io.Writer, _ string) { forever(w, ping) }),
		streaming("endless-data-line", "sends one data line that never ends", func(w io.Writer, _ string) {
			io.WriteString(w, "data: ")
			forever(w, "x")
		}),
		streaming("endless-data-lines", "sends one event of data lines that never ends", func(w io.Writer, _ string) { forever(w, "data: x\n") }),
		streaming("endless-comments", "sends comments without end and no answer", func(w io.Writer, _ string) { forever(w, ": still here\n\n") }),
		streaming("endless-fields", "sends fields without end that nobody knows", func(w io.Writer, _ string) { forever(w, "id: "+strings.Repeat("x", 1000)+"\nfield: y\n\n") }),
		streaming("stream-stays-open", "answers and keeps every stream open", func(w io.Writer, answer string) {
			fmt.Fprintf(w, "id: 1\nretry: 99999999999999999999\ndata: %s\n\n", answer)
			hang()
		}),
		streaming("stream-is-silent", "opens a stream for each request and sends nothing", func(w io.Writer, _ string) {
			io.WriteString(w, ": \n\n")
			hang()
		}),
		streaming("stream-by-drops", "sends one byte of its answer in fifty milliseconds", func(w io.Writer, answer string) {
			for _, b := range []byte("data: " + answer + "\n\n") {
				if _, err := w.Write([]byte{b}); err != nil {
					return
				}
				time.Sleep(50 * time.Millisecond)
			}
		}),
		streaming("stream-cut", "ends each stream in the middle of the answer", func(w io.Writer, answer string) {
			fmt.Fprintf(w, "id: 7\nretry: 1\ndata: %s", answer[:len(answer)/2])
		}),
		streaming("stream-of-junk", "sends events that are no JSON around the answer", func(w io.Writer, answer string) {
			fmt.Fprintf(w, "\xef\xbb\xbfevent: \x1b[31m\nid: a\x00b\nretry: -1\ndata\ndata:\n\n\n\ndata: {\n\ndata: %s\n\nevent: close\ndata: [\n\r\r\n\n", answer)
		}),
	}
}
