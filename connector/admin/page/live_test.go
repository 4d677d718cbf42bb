package page

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

func TestPageShowsWhatComes(t *testing.T) {
	s := newSite(t)
	for i := range 30 {
		s.take(world(8, i))
	}
	s.open()
	s.until(`document.querySelectorAll("#source-rows tr").length === 8 && document.querySelector("#source-rows .line").hasAttribute("d")`)
	for id, want := range map[string]string{
		"sink": "orders", "delivery": "exactly-once", "version": "v0.3.0", "uptime": "1 h", "total-rate": "1,603", "total-rows": "9,000",
		"total-sources": "8", "health": "●8 running", "link": "Live", "note-rows": "4,261,000 rows since the start",
	} {
		if got := strings.Join(strings.Fields(s.text(id)), " "); got != want {
			t.Errorf("%s says %q, want %q", id, got, want)
		}
	}
	if n := s.points("#source-rows"); n != 30 {
		t.Errorf("the curve of a source that the server knew for 30 samples has %d points", n)
	}
	next := world(8, 30)
	next.Sources[2].LagRecords, next.Sources[2].RecordsRate = 7_654_321, 0
	s.show(next)
	row := eval[string](s, `[...document.querySelectorAll("#source-rows tr")].find(r => r.innerText.includes("/ 2")).innerText`)
	if !strings.Contains(row, "7,654,321") || !strings.Contains(row, "0 /s") {
		t.Errorf("the row of the changed source is %q", row)
	}
	if n := s.points("#chart-lag"); n != 31 {
		t.Errorf("the curve of all lag has %d points after 31 samples", n)
	}
	if share := eval[float64](s, `document.querySelector("#chart-lag .line").getBBox().height / 24`); share < 0.5 {
		t.Errorf("the curve of a lag that jumped is drawn over %.2f of its height", share)
	}
}

func TestPageSaysThatTheConnectionIsLostAndComesBack(t *testing.T) {
	s := newSite(t)
	s.take(world(2, 0))
	s.open()
	s.until(`document.getElementById("link").dataset.state === "live"`)
	s.down.Store(true)
	s.server.CloseClientConnections()
	s.until(`/^Connection lost,\s*last seen [1-9]\d* s ago$/.test(document.getElementById("link").innerText)`)
	if got := s.text("total-sources"); got != "2" {
		t.Errorf("what was seen last is gone: %q", got)
	}
	s.down.Store(false)
	s.until(`document.getElementById("link").innerText === "Live"`)
	s.show(world(3, 1))
	if got := s.text("total-sources"); got != "3" {
		t.Errorf("%s sources after the connection came back, want 3", got)
	}
	if n := s.points("#chart-rate"); n != 2 {
		t.Errorf("%d samples after the connection came back, want each once", n)
	}
}

// TestPageSaysThatTheProcessIsSilent has a stream that lives, and no snapshots in it.
func TestPageSaysThatTheProcessIsSilent(t *testing.T) {
	s := newSite(t)
	s.take(world(2, 0))
	s.open()
	s.until(`/^Live\s*last seen ([6-9]|1\d) s ago$/.test(document.getElementById("link").innerText)`)
}

func TestPageSaysThatTooManyAreOpen(t *testing.T) {
	s := newSite(t)
	for range maxStreams {
		s.enterStream(t)
	}
	s.open()
	s.until(`document.getElementById("link").innerText === "Not connected: 16 status pages are open, and no more are served at a time"`)
	s.leave()
	s.take(world(1, 0))
	s.until(`document.getElementById("link").innerText === "Live"`)
}

// enterStream counts a stream of another page.
func (s *site) enterStream(t *testing.T) {
	t.Helper()
	if !s.feed.enter() {
		t.Fatal("no room for another page")
	}
}

func TestPageAsksForTheToken(t *testing.T) {
	s := newSite(t)
	s.token = "a secret of 2026"
	s.take(world(2, 0))
	s.open()
	s.until(`document.activeElement.id === "token"`)
	if eval[bool](s, `document.querySelector("main").checkVisibility()`) {
		t.Error("the page shows empty figures while it waits for the token")
	}
	s.do(chromedp.KeyEvent("a wrong one\r"))
	s.until(`document.getElementById("token-note").innerText === "The server did not accept this token."`)
	s.do(chromedp.KeyEvent(s.token + "\r"))
	s.until(`document.getElementById("link").innerText === "Live" && document.getElementById("total-sources").innerText === "2"`)
	if eval[bool](s, `document.getElementById("token-form").checkVisibility()`) {
		t.Error("the page still asks")
	}
	kept := eval[string](s, `JSON.stringify([location.href, document.cookie, localStorage, sessionStorage, history.state, performance.getEntries().map(e => e.name)])`)
	if strings.Contains(kept, "secret") {
		t.Errorf("the token is kept in %s", kept)
	}
	s.down.Store(true)
	s.server.CloseClientConnections()
	s.until(`document.getElementById("link").dataset.state === "lost"`)
	s.down.Store(false)
	s.until(`document.getElementById("link").innerText === "Live"`)
}

// TestPageDoesNotJump counts what moves while only figures change.
func TestPageDoesNotJump(t *testing.T) {
	s := newSite(t)
	s.take(world(40, 0))
	s.open()
	s.show(world(40, 1))
	eval[bool](s, `window.moved = []; new PerformanceObserver(l => moved.push(...l.getEntries().map(e => e.value))).observe({type: "layout-shift"}), true`)
	for i := range 6 {
		next := world(40, i+2)
		for j := range next.Sources {
			next.Sources[j].RecordsRate = []float64{0, 9.4, 123_456}[(i+j)%3]
			next.Sources[j].LagRecords = []int64{-1, 0, 88, 12_345_678}[(i+j)%4]
			next.Sources[j].LagSeconds = []float64{-1, 0, 0.25, 5000, 90_000}[(i+j)%5]
		}
		s.show(next)
	}
	if moved := eval[float64](s, `moved.reduce((a, b) => a + b, 0)`); moved > 0.001 {
		t.Errorf("the layout moved by %.4f", moved)
	}
}
