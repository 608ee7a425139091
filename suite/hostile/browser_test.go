//go:build linux

package hostile

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/agntn/conform/report/browser"
)

// startBrowser returns the context of a fresh browser that reaches nobody.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	return browser.Start(t, chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"),
		chromedp.Flag("proxy-server", "127.0.0.1:9"), chromedp.Flag("proxy-bypass-list", "<-loopback>"))
}

// unfold opens all that is folded, lets the page's own script place what it
// loads late, and tells what is there then.
const unfold = `(async () => {
	for (let round = 0; round < 3; round++) {
		for (const d of document.querySelectorAll('details')) d.open = true;
		await new Promise((done) => setTimeout(done, 100));
	}
	const count = (selector) => document.querySelectorAll(selector).length;
	return {
		scripts: count('script'), mains: count('main'), width: document.documentElement.scrollWidth,
		strangers: count('img, iframe, object, embed, base, video, audio, math, frame, textarea, [onload], [onerror], [ontoggle], [onfocus]'),
		address: location.href, ran: count('button.needs-script:not([hidden])'), words: document.body.innerText.length,
		abroad: [...document.links].filter((a) => !a.getAttribute('href').startsWith('#') && !a.href.startsWith('https://modelcontextprotocol.io/')).length,
	};
})()`

// sight is what unfold tells.
type sight struct {
	Scripts   int    `json:"scripts"`
	Mains     int    `json:"mains"`
	Width     int    `json:"width"`
	Strangers int    `json:"strangers"`
	Address   string `json:"address"`
	Ran       int    `json:"ran"`
	Words     int    `json:"words"`
	Abroad    int    `json:"abroad"`
}

// visit opens a page, unfolds it, and tells what is there and what the page did.
func visit(t *testing.T, chromium context.Context, html []byte) (got sight, address string, trouble, requests []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, html, 0o600); err != nil {
		t.Fatal(err)
	}
	address = "file://" + path
	tab, cancel := chromedp.NewContext(chromium)
	defer cancel()
	var heard browser.Heard
	if err := chromedp.Listen(tab, heard.Hear); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(tab, time.Minute)
	defer stop()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(pageWidth, 800), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	got, err := chromedp.Run(ctx, chromedp.Evaluate[sight](unfold, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	trouble, requests = heard.Told()
	return got, address, trouble, requests
}

// pageWidth is how wide pages are shown, in pixels.
const pageWidth = 1000

// checkPage opens a report in the browser: nothing of the target's may act, ask
// for anything or break the page.
func checkPage(t *testing.T, chromium context.Context, html []byte) {
	t.Helper()
	got, address, trouble, requests := visit(t, chromium, html)
	if got.Scripts != 1 || got.Strangers > 0 || got.Abroad > 0 {
		t.Errorf("the page holds %d scripts, %d foreign elements and %d foreign links", got.Scripts, got.Strangers, got.Abroad)
	}
	if got.Mains != 1 || got.Width > pageWidth || got.Address != address || got.Words < 500 {
		t.Errorf("the page is broken: %+v", got)
	}
	if got.Ran == 0 {
		t.Error("the page's own script did not run")
	}
	for _, s := range trouble {
		t.Errorf("the page is not calm: %.300s", s)
	}
	for _, u := range requests {
		if u != address && !strings.HasPrefix(u, "data:") {
			t.Errorf("the page asked for %.200s", u)
		}
	}
	if len(requests) == 0 {
		t.Error("no request was seen, not even for the page: the test hears nothing")
	}
}

// checkHears makes sure that a page that does act is noticed.
func checkHears(t *testing.T, chromium context.Context) {
	t.Helper()
	const acting = `<!doctype html><main></main><img src="http://127.0.0.1:1/x"><script>console.log(1)</script>`
	got, _, trouble, requests := visit(t, chromium, []byte(acting))
	if len(trouble) == 0 || len(requests) < 2 || got.Strangers == 0 || got.Ran > 0 {
		t.Errorf("a page that acts is not noticed: %v, %v, %+v", trouble, requests, got)
	}
}
