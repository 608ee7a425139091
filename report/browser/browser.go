// Package browser opens pages in a real Chromium for tests, and hears what a
// calm page never does.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Missing skips a test whose tools are not there; where they have to be, it fails.
func Missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CONFORM_CI") == "1" {
		t.Fatalf("%s is missing", what)
	}
	t.Skipf("%s is missing", what)
}

// Start returns the context of a fresh browser, started with further options.
func Start(t *testing.T, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		Missing(t, "chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-component-update", true))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), append(options, more...)...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	return ctx
}

// Heard is what a page did meanwhile: errors, dialogs and windows, and requests.
type Heard struct {
	mu                sync.Mutex
	trouble, requests []string
}

// Hear keeps an event of a tab; it is to be given to [chromedp.Listen].
func (h *Heard) Hear(event any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		h.trouble = append(h.trouble, fmt.Sprintf("console %s", e.Type))
	case *runtime.EventExceptionThrown:
		h.trouble = append(h.trouble, "exception "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		h.trouble = append(h.trouble, fmt.Sprintf("log %s: %s", e.Entry.Level, e.Entry.Text))
	case *page.EventJavascriptDialogOpening:
		h.trouble = append(h.trouble, "dialog "+e.Message)
	case *page.EventWindowOpen:
		h.trouble = append(h.trouble, "a window was opened")
	case *network.EventRequestWillBeSent:
		h.requests = append(h.requests, e.Request.URL)
	}
}

// Told returns the trouble and the addresses that were asked for so far.
func (h *Heard) Told() (trouble, requests []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.trouble, h.requests
}
