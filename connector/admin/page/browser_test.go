package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rowmark/connector/status"
	"rowmark/test/browser"

	devlog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a page may take to show something, on a machine that does much else.
const patience = 20 * time.Second

// chromium is the one browser of these tests; each has a window of its own.
var chromium struct {
	sync.Once
	ctx  context.Context
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	os.Exit(code)
}

// started gives Chromium, or leaves the test out on a person's machine that has none.
func started(t *testing.T) context.Context {
	t.Helper()
	chromium.Do(func() { chromium.ctx, chromium.stop, chromium.err = browser.Start(context.Background()) })
	if errors.Is(chromium.err, browser.ErrMissing) && os.Getenv("CI") == "" {
		t.Skip("the status page is not tested in a browser: ", chromium.err)
	}
	if chromium.err != nil {
		t.Fatal(chromium.err)
	}
	return chromium.ctx
}

// site is a server of the page, and a browser's window that may look at it.
type site struct {
	*testing.T
	*feed
	server *httptest.Server
	window context.Context

	down  atomic.Bool // it ends all connections
	token string      // that it wants; empty: none

	mu       sync.Mutex
	scolding []string // what the browser complained of
}

func newSite(t *testing.T) *site {
	t.Helper()
	parent := started(t)
	s := &site{T: t, feed: newFeed(nil)}
	pages := routes(s.feed)
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case s.down.Load():
			panic(http.ErrAbortHandler)
		case r.URL.Path == "/events" && s.token != "" && r.Header.Get("Authorization") != "Bearer "+s.token:
			http.Error(w, "a token is needed", http.StatusUnauthorized)
		default:
			pages.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.server.Close)
	ctx, end := chromedp.NewContext(parent, chromedp.WithNewBrowserContext(), chromedp.WithListener(s.listen))
	t.Cleanup(end)
	ctx, endTime := context.WithTimeout(ctx, 3*patience)
	t.Cleanup(endTime)
	s.window = ctx
	t.Cleanup(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, text := range s.scolding {
			t.Error(text)
		}
	})
	return s
}

// listen notes errors of the page, breaches of its policy, and requests to others. An answer that is an error, or none, is
// the server's.
func (s *site) listen(event any) {
	var text string
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text = "the page threw: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
	case *runtime.EventConsoleAPICalled:
		text = fmt.Sprintf("the page wrote to the console: %s", e.Type)
	case *devlog.EventEntryAdded:
		if e.Entry.Source == devlog.EntrySourceNetwork {
			return
		}
		text = "the browser complained: " + e.Entry.Text
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; strings.HasPrefix(u, s.server.URL+"/") || strings.HasPrefix(u, "data:") || u == "about:blank" {
			return
		}
		text = "the page asked for " + e.Request.URL
	default:
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scolding = append(s.scolding, text)
}

func (s *site) do(steps ...chromedp.Action[chromedp.Void]) {
	s.Helper()
	if err := chromedp.Do(s.window, steps...); err != nil {
		s.Fatal(err)
	}
}

// enter opens the page at a size, in a colour scheme.
func (s *site) enter(width, height int64, scheme string) {
	s.Helper()
	s.do(chromedp.EmulateViewport(width, height), browser.Scheme(scheme), chromedp.Navigate(s.server.URL+"/"))
}

// open opens the page on a desk, by day.
func (s *site) open() { s.Helper(); s.enter(1440, 900, "light") }

// eval is what a script says in the page.
func eval[T any](s *site, script string) T {
	s.Helper()
	v, err := chromedp.Run(s.window, chromedp.Evaluate[T](script))
	if err != nil {
		s.Fatalf("%s: %v", script, err)
	}
	return v
}

// until waits for a script to be true.
func (s *site) until(script string) {
	s.Helper()
	for deadline := time.Now().Add(patience); !eval[bool](s, script); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.Fatalf("it never came to be: %s; the page says: %.1000s", script, eval[string](s, "document.body.innerText"))
		}
	}
}

// text is what an element shows.
func (s *site) text(id string) string {
	s.Helper()
	return eval[string](s, fmt.Sprintf("document.getElementById(%q).innerText", id))
}

// points is how many points a curve has.
func (s *site) points(curve string) int {
	s.Helper()
	return eval[int](s, fmt.Sprintf(`document.querySelector("%s .line").getAttribute("d").split(/[ML]/).length - 1`, curve))
}

// show takes a snapshot, and waits for the page to have drawn it.
func (s *site) show(snap *status.Snapshot) {
	s.Helper()
	s.take(snap)
	s.until(fmt.Sprintf(`document.getElementById("link").title === "Figures of %s UTC"`, snap.At.UTC().Format(time.DateTime)))
}
