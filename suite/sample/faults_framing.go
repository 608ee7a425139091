package sample

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// framingFaults are in the lines of stdio.
func framingFaults() []Fault {
	output := func(rewrite func(line []byte) []byte) func(b *behaviour) {
		return func(b *behaviour) { b.stdio.output = append(b.stdio.output, rewrite) }
	}
	everything := ids("*")
	faults := []Fault{
		{
			Name: "framing-stdout-clean", What: "A banner is printed on stdout before the first message.",
			Checks: ids("framing/stdout-clean"), Collateral: ids("host-*", "framing/*"),
			plant: func(b *behaviour) { b.stdio.greeting = "Sample server 1.0.0 listening on stdio\n" },
		},
		{
			Name: "framing-stdout-clean-farewell", What: "A line of text is printed on stdout when SIGTERM comes.",
			Checks: ids("framing/stdout-clean"), Shows: ids("shutdown"),
			plant: func(b *behaviour) { b.process.Farewell = "Received SIGTERM, going down\n" },
		},
		{
			Name: "framing-stdout-clean-work", What: "A library prints its log on stdout while a tool is called.",
			Checks: ids("framing/stdout-clean"), Collateral: ids("host-*", "framing/*"),
			plant: func(b *behaviour) {
				b.stdio.chatter = func(in incoming) string {
					if in.method != "tools/call" {
						return ""
					}
					return "[tools] {\n  name: '" + visible(asString(in.params["name"])) + "'\n}\n"
				}
			},
		},
		{
			Name: "framing-no-bom", What: "The output begins with a byte order mark.",
			Checks: ids("framing/no-bom"), Collateral: everything,
			plant: func(b *behaviour) { b.stdio.greeting = "\ufeff" },
		},
		{
			Name: "framing-no-bom-input", What: "A byte order mark before a request ends the process.",
			Checks: ids("framing/bom-tolerated"), Collateral: ids("framing/*", "envelope/malformed-line-survived"),
			plant: func(b *behaviour) {
				b.stdio.frame = func(ses *session, line []byte) []byte {
					if bytes.HasPrefix(line, []byte("\ufeff")) {
						ses.srv.die()
						return nil
					}
					return tidy(ses, line)
				}
			},
		},
		{
			Name: "framing-one-line-a-message", What: "Lists of tools are written over many lines.",
			Checks: ids("framing/one-line-a-message"), Collateral: everything,
			plant: output(func(line []byte) []byte {
				if !bytes.Contains(line, []byte(`"result":{"tools"`)) && !bytes.Contains(line, []byte(`"inputSchema"`)) {
					return line
				}
				var b bytes.Buffer
				if json.Indent(&b, line, "", "  ") != nil {
					return line
				}
				return append(bytes.TrimRight(b.Bytes(), "\n"), '\n')
			}),
		},
		{
			Name: "framing-line-feed-ends", What: "Lines end in CR LF.",
			Checks: ids("framing/line-feed-ends"), Collateral: ids("framing/*"),
			plant: output(func(line []byte) []byte { return append(bytes.TrimSuffix(line, []byte("\n")), '\r', '\n') }),
		},
		{
			Name: "framing-blank-lines-tolerated", What: "An empty line ends the process.",
			Checks: ids("framing/blank-lines-tolerated"), Collateral: ids("envelope/malformed-line-survived"),
			plant: func(b *behaviour) { b.stdio.blank = func(ses *session, _ outlet) { ses.srv.die() } },
		},
		{
			Name: "framing-crlf-tolerated", What: "A request whose line ends in CR LF is dropped.",
			Checks: ids("framing/crlf-tolerated"),
			plant: func(b *behaviour) {
				b.stdio.frame = func(ses *session, line []byte) []byte {
					if bytes.HasSuffix(line, []byte("\r\n")) {
						return nil
					}
					return tidy(ses, line)
				}
			},
		},
		{
			Name: "framing-utf8-split", What: "A character that arrives in two reads is lost.",
			Checks: ids("framing/utf8-split"),
			plant: func(b *behaviour) {
				b.stdio.input = func(r io.Reader) io.Reader { return &chunkReader{from: r, decode: replaceBroken} }
			},
		},
		{
			Name: "framing-utf8", What: "The input is read as Latin-1, so that other letters come back garbled.",
			Checks: ids("framing/utf8", "framing/utf8-split"), Collateral: ids("framing/*", "unknown-tool/*", "host-*", "envelope/id-unicode"),
			plant: func(b *behaviour) {
				b.stdio.input = func(r io.Reader) io.Reader { return &chunkReader{from: r, decode: asLatin1} }
			},
		},
		{
			Name: "framing-big-message", What: "A request of more than 64 KiB is dropped.",
			Checks: ids("framing/big-message"), Collateral: ids("input-required/hostile-state"),
			plant: func(b *behaviour) {
				b.stdio.maxLine = 64 << 10
				right := b.envelope.invalid
				b.envelope.invalid = func(ses *session, f *failure, id any) object {
					if strings.Contains(f.message, "too long") {
						return nil
					}
					return right(ses, f, id)
				}
			},
		},
		{
			Name: "framing-big-message-cut", What: "An answer of more than 64 KiB is cut.",
			Checks: ids("framing/big-message"), Collateral: ids("host-*", "messages/*", "framing/one-line-a-message"),
			plant: output(func(line []byte) []byte {
				if len(line) > 64<<10 {
					return append(line[:64<<10:64<<10], '\n')
				}
				return line
			}),
		},
		{
			Name: "framing-line-separators-escaped", What: "Line separators such as U+2028 stand raw in the output.",
			Checks: ids("framing/line-separators-escaped"),
			plant: func() func(b *behaviour) {
				escaped := regexp.MustCompile(`(^|[^\\])((?:\\\\)*)\\u(2028|2029|0085)`)
				raw := map[string]string{"2028": "\u2028", "2029": "\u2029", "0085": "\u0085"}
				return output(func(line []byte) []byte {
					return escaped.ReplaceAllFunc(line, func(m []byte) []byte {
						return append(m[:len(m)-6:len(m)-6], raw[string(m[len(m)-4:])]...)
					})
				})
			}(),
		},
	}
	for i := range faults {
		faults[i].Transports = only(Stdio)
	}
	return faults
}

// cutAtSeparators ends lines where only some readers do.
func cutAtSeparators(r io.Reader) io.Reader {
	return &chunkReader{from: r, decode: func(chunk []byte) []byte {
		return bytes.ReplaceAll(chunk, []byte("\u2028"), []byte("\n"))
	}}
}

// chunkReader decodes each read by itself, as careless readers do.
type chunkReader struct {
	from   io.Reader
	decode func(chunk []byte) []byte
	left   []byte
}

func (r *chunkReader) Read(p []byte) (int, error) {
	if len(r.left) == 0 {
		chunk := make([]byte, 32<<10)
		n, err := r.from.Read(chunk)
		r.left = r.decode(chunk[:n])
		if len(r.left) == 0 {
			return 0, err
		}
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}

func replaceBroken(chunk []byte) []byte { return bytes.ToValidUTF8(chunk, []byte("\ufffd")) }

func asLatin1(chunk []byte) []byte {
	var out []byte
	for _, b := range chunk {
		out = utf8.AppendRune(out, rune(b))
	}
	return out
}

// processFaults need a hold on the process; see [Process].
func processFaults() []Fault {
	faults := []Fault{
		{
			Name: "shutdown-eof-exits", What: "The process lives on after its input has ended.",
			Checks: ids("shutdown/eof-exits"), Collateral: ids("shutdown/*", "host-*"),
			plant: func(b *behaviour) { b.process.Linger = true },
		},
		{
			Name: "shutdown-answers-in-flight", What: "Requests in flight are dropped when the input ends.",
			Checks: ids("shutdown/answers-in-flight"), Collateral: ids("subscriptions/graceful-end"),
			plant: func(b *behaviour) { b.stdio.abandons = true },
		},
		{
			Name: "shutdown-exit-status", What: "The process ends with status 3 when its input has ended.",
			Checks: ids("shutdown/exit-status"),
			plant:  func(b *behaviour) { b.process.EndCode = 3 },
		},
		{
			Name: "shutdown-no-orphans", What: "A child of the process outlives it.",
			Checks: ids("shutdown/no-orphans"),
			plant:  func(b *behaviour) { b.process.Orphan = true },
		},
		{
			Name: "shutdown-sigterm-exits", What: "SIGTERM is ignored.",
			Checks: ids("shutdown/sigterm-exits"),
			plant:  func(b *behaviour) { b.process.IgnoreTerm = true },
		},
	}
	for i := range faults {
		faults[i].Transports = only(Stdio)
	}
	return faults
}
