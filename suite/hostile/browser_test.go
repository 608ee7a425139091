//go:build linux

package hostile

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// startBrowser returns the context of a fresh browser that reaches nobody.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		if os.Getenv("CONFORM_CI") == "1" {
			t.Fatal("chromium is missing")
		}
		t.Skip("chromium is missing")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"),
		chromedp.Flag("proxy-server", "127.0.0.1:9"), chromedp.Flag("proxy-bypass-list", "<-loopback>"))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	return ctx
}

// watched is what a page did that no report does.
type watched struct {
	mu       sync.Mutex
	trouble  []string
	requests []string
}

func (w *watched) hear(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		w.trouble = append(w.trouble, fmt.Sprintf("console %s", e.Type))
	case *runtime.EventExceptionThrown:
		w.trouble = append(w.trouble, "exception "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		w.trouble = append(w.trouble, fmt.Sprintf("log %s: %s", e.Entry.Level, e.Entry.Text))
	case *page.EventJavascriptDialogOpening:
		w.trouble = append(w.trouble, "dialog "+e.Message)
	case *page.EventWindowOpen:
		w.trouble = append(w.trouble, "a window was opened")
	case *network.EventRequestWillBeSent:
		w.requests = append(w.requests, e.Request.URL)
	}
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

// checkPage opens a report in the browser: nothing of the target's may act, ask
// for anything or break the page.
func checkPage(t *testing.T, browser context.Context, html []byte) {
	t.Helper()
	const width = 1000
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, html, 0o600); err != nil {
		t.Fatal(err)
	}
	tab, cancel := chromedp.NewContext(browser)
	defer cancel()
	var w watched
	if err := chromedp.Listen(tab, w.hear); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(tab, time.Minute)
	defer stop()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 800), chromedp.Navigate("file://"+path)); err != nil {
		t.Fatal(err)
	}
	got, err := chromedp.Run(ctx, chromedp.Evaluate[sight](unfold, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	if got.Scripts != 1 || got.Strangers > 0 || got.Abroad > 0 {
		t.Errorf("the page holds %d scripts, %d foreign elements and %d foreign links", got.Scripts, got.Strangers, got.Abroad)
	}
	if got.Mains != 1 || got.Width > width || got.Address != "file://"+path || got.Words < 500 {
		t.Errorf("the page is broken: %+v", got)
	}
	if got.Ran == 0 {
		t.Error("the page's own script did not run")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.trouble {
		t.Errorf("the page is not calm: %.300s", s)
	}
	for _, u := range w.requests {
		if u != "file://"+path && !strings.HasPrefix(u, "data:") {
			t.Errorf("the page asked for %.200s", u)
		}
	}
	if len(w.requests) == 0 {
		t.Error("no request was seen, not even for the page: the test hears nothing")
	}
}

// checkHears makes sure that a page that does act is noticed.
func checkHears(t *testing.T, browser context.Context) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "acts.html")
	const acting = `<!doctype html><main></main><img src="http://127.0.0.1:1/x"><script>console.log(1)</script>`
	if err := os.WriteFile(path, []byte(acting), 0o600); err != nil {
		t.Fatal(err)
	}
	tab, cancel := chromedp.NewContext(browser)
	defer cancel()
	var w watched
	if err := chromedp.Listen(tab, w.hear); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(tab, time.Minute)
	defer stop()
	if err := chromedp.Do(ctx, chromedp.Navigate("file://"+path)); err != nil {
		t.Fatal(err)
	}
	got, err := chromedp.Run(ctx, chromedp.Evaluate[sight](unfold, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.trouble) == 0 || len(w.requests) < 2 || got.Strangers == 0 || got.Ran > 0 {
		t.Errorf("a page that acts is not noticed: %v, %v, %+v", w.trouble, w.requests, got)
	}
}
