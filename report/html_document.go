package report

import (
	"crypto/sha256"
	_ "embed" // the page's own files
	"encoding/base64"
	"strings"

	g "maragu.dev/gomponents"
)

var (
	//go:embed html/page.css
	styleFile string
	//go:embed html/page.js
	scriptFile string
	//go:embed html/icons.svg
	iconsFile string
	//go:embed html/help.html
	helpFile string
	//go:embed html/keys.html
	keysFile string
)

// document is a whole page around its body. Its policy allows its own style and
// script alone.
func document(tool Tool, title string, body ...g.Node) g.Node {
	style, script := strings.TrimSpace(styleFile), strings.TrimSpace(scriptFile)
	named := func(name, content string) g.Node { return el("meta", set("name", name), set("content", content)) }
	return g.Group{fixed("<!doctype html>\n"), el("html",
		set("lang", "en"),
		lines(
			el("head", lines(
				el("meta", set("charset", "utf-8")),
				el("meta", set("http-equiv", "Content-Security-Policy"), set("content", policy(style, script))),
				named("viewport", "width=device-width, initial-scale=1"),
				named("referrer", "no-referrer"),
				named("color-scheme", "light dark"),
				named("generator", tool.Name+" "+tool.Version),
				el("title", text(title)),
				favicon(),
				el("style", fixed(style)),
			), nl()),
			el("body",
				lines(fixedFile(iconsFile)),
				lines(body...),
				lines(fixedFile(helpFile), el("script", fixed(script))),
				nl(),
			),
		),
		nl(),
	), nl()}
}

// policy is the content security policy of a page with one style and one script.
func policy(style, script string) string {
	return "default-src 'none'; img-src data:; style-src '" + digest(style) + "'; script-src '" + digest(script) +
		"'; base-uri 'none'; form-action 'none'"
}

// digest is the source expression a content security policy knows an inline text by.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// fixedFile is a file of fixed markup.
func fixedFile(text string) g.Node { return fixed(strings.TrimSpace(text)) }

// foot ends the body of a page: who wrote it, what more is to be said, the keys.
func foot(tool Tool, more string) g.Node {
	return el("footer", class("foot"), lines(
		el("p", text("Written by "+tool.Name+" "+tool.Version+"."+more)),
		fixedFile(keysFile),
	), nl())
}
