package report

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/agntn/conform/scenarios"
)

//go:embed html
var htmlAssets embed.FS

// HTMLOptions carries what the page tells and a report does not hold.
type HTMLOptions struct {
	// Texts are the catalogue's texts: claims, reasons, example frames, code.
	Texts Texts
	// Scenarios maps a scenario id to its title; without one the id is shown.
	Scenarios map[string]string
}

// WriteHTML writes r as one self-contained page: no script of another origin, no
// request, whole without script. Nothing the server said is ever markup. The page
// is bounded: long texts are cut with a note, and what does not lead a finding is
// kept compressed for the script to show.
func WriteHTML(w io.Writer, r Report, o HTMLOptions) error {
	assets, err := readAssets()
	if err != nil {
		return err
	}
	more := newLazy()
	p := newPage(r, o, more)
	p.Assets = assets
	if p.More, err = more.encode(); err != nil {
		return fmt.Errorf("compress the details of the page: %w", err)
	}
	return assets.write(w, "page", p)
}

// write runs one of the page templates.
func (a assets) write(w io.Writer, name string, data any) error {
	out := bufio.NewWriterSize(w, 64<<10)
	if err := a.tmpl.ExecuteTemplate(out, name, data); err != nil {
		return fmt.Errorf("write the HTML page: %w", err)
	}
	return out.Flush()
}

// assets are the page's own style and script with the policy that allows them alone.
type assets struct {
	tmpl   *template.Template
	Policy string
	Style  template.CSS
	Script template.JS
}

func readAssets() (assets, error) {
	var a assets
	style, err := htmlAssets.ReadFile("html/page.css")
	if err != nil {
		return a, fmt.Errorf("read the page's style: %w", err)
	}
	script, err := htmlAssets.ReadFile("html/page.js")
	if err != nil {
		return a, fmt.Errorf("read the page's script: %w", err)
	}
	style, script = bytes.TrimSpace(style), bytes.TrimSpace(script)
	a.Style, a.Script = template.CSS(style), template.JS(script)
	a.Policy = "default-src 'none'; img-src data:; style-src '" + digest(style) + "'; script-src '" + digest(script) +
		"'; base-uri 'none'; form-action 'none'"
	a.tmpl, err = template.New("report").Funcs(htmlFuncs()).ParseFS(htmlAssets, "html/*.tmpl")
	if err != nil {
		return a, fmt.Errorf("parse the page's templates: %w", err)
	}
	return a, nil
}

// digest is the source expression a content security policy knows an inline text by.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func htmlFuncs() template.FuncMap {
	return template.FuncMap{
		"hopen":    func(level, below int) template.HTML { return heading("<h%d>", level+below) },
		"hclose":   func(level, below int) template.HTML { return heading("</h%d>", level+below) },
		"word":     func(v scenarios.Verdict) string { return wordOf(v).short },
		"icon":     func(v any) scenarios.Verdict { return cleanVerdict(scenarios.Verdict(fmt.Sprint(v))) },
		"ref":      func(id string) template.URL { return template.URL("#" + id) }, //nolint:gosec // ids are built of safe characters
		"clip":     func(s string) string { return Visible(Bound(s, shortText)) },
		"count":    count,
		"number":   thousands,
		"duration": duration,
	}
}

// heading writes a heading's tag; levels differ between one server and several.
func heading(format string, level int) template.HTML {
	return template.HTML(fmt.Sprintf(format, min(max(level, 1), 6))) //nolint:gosec // a number alone
}

// duration writes milliseconds as people say them.
func duration(ms int64) string {
	switch {
	case ms < 1000:
		return fmt.Sprintf("%d ms", ms)
	case ms < 120_000:
		return fmt.Sprintf("%.1f s", float64(ms)/1000)
	}
	return fmt.Sprintf("%d min %d s", ms/60_000, ms/1000%60)
}
