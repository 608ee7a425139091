//go:build linux

package hostile

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/agntn/conform/report"
)

// checkFormats reads every format of a report back and returns the report.
func checkFormats(t *testing.T, dir string) report.Report {
	t.Helper()
	read := func(name string) []byte {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		checkPlain(t, name, string(raw))
		return raw
	}
	r, err := report.Read(bytes.NewReader(read("report.json")))
	if err != nil {
		t.Errorf("report.json: %v", err)
	}
	var sarif struct {
		Version string            `json:"version"`
		Runs    []json.RawMessage `json:"runs"`
	}
	if err := json.Unmarshal(read("conform.sarif"), &sarif); err != nil || sarif.Version != "2.1.0" || len(sarif.Runs) != 1 {
		t.Errorf("conform.sarif: %v, version %q, %d runs", err, sarif.Version, len(sarif.Runs))
	}
	if !json.Valid(read("badge.json")) {
		t.Error("badge.json is no JSON")
	}
	checkXML(t, "junit.xml", read("junit.xml"), "testsuites")
	checkXML(t, "badge.svg", read("badge.svg"), "svg")
	if len(read("report.md")) == 0 {
		t.Error("report.md is empty")
	}
	checkHTML(t, read("report.html"))
	return r
}

// checkPlain finds characters that work on a terminal or on a reader unseen.
func checkPlain(t *testing.T, name, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s is not UTF-8", name)
	}
	for i, c := range text {
		// Mentions and links are broken with a zero-width space of our own.
		if c < 0x20 && c != '\n' || c == 0x7f || c > 0x7f && unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) && !(c == '\u200b' && (name == "report.md" || name == "conform.sarif")) {
			t.Errorf("%s holds %U: %q", name, c, text[max(0, i-40):min(len(text), i+40)])
			return
		}
	}
	for line := range strings.Lines(text) {
		if name != "report.html" && strings.HasPrefix(strings.TrimSpace(line), "::") {
			t.Errorf("%s holds a command to a build service: %q", name, line[:min(len(line), 100)])
			return
		}
	}
}

// checkXML reads all of it, strictly.
func checkXML(t *testing.T, name string, raw []byte, root string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(raw))
	first := ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		switch x := token.(type) {
		case xml.StartElement:
			if first == "" {
				first = x.Name.Local
			}
		case xml.Directive:
			t.Errorf("%s holds a directive: %.80s", name, x)
		}
	}
	if first != root {
		t.Errorf("%s begins with %q", name, first)
	}
}

// checkHTML finds what could act in a page.
func checkHTML(t *testing.T, raw []byte) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(raw))
	if err != nil {
		t.Errorf("report.html: %v", err)
		return
	}
	scripts := 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "script":
			scripts++
		case "img", "iframe", "object", "embed", "base", "video", "audio", "math", "frame", "textarea":
			t.Errorf("report.html holds <%s>", n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "style" || a.Key == "href" && n.Data == "a" && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "https://modelcontextprotocol.io/") {
				t.Errorf("report.html holds <%s %s=%.80q>", n.Data, a.Key, a.Val)
			}
		}
	}
	if scripts != 1 {
		t.Errorf("report.html holds %d scripts", scripts)
	}
}
