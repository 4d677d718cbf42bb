package page

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"rowmark/connector/status"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// full is a snapshot of everything that a page may show.
func full(second int) *status.Snapshot {
	s := world(30, second)
	s.Sources[3].State, s.Sources[3].Error = "retrying", "reading orders-0/3: "+strings.Repeat("a long reason ", 20)
	s.Sources[4].Topic = strings.Repeat("a-topic-without-a-place-to-break", 6)
	s.Sources[5].Paused, s.Sources[5].LagRecords, s.Sources[5].End = true, 123_456_789_012, 9_876_543_210_123
	s.HBase = status.Side{Error: "finding the master: no ZooKeeper answers at zk-1.example:2181", Since: s.At.Add(-time.Minute)}
	s.Tables = append(s.Tables, status.Table{Name: strings.Repeat("shop:a-long-name", 8), Mode: "row", RowModeReason: "the table lacks the coprocessor"})
	s.Recent = []status.Event{
		{At: s.At.Add(-3 * time.Second), Kind: "retry", Topic: "orders-0", Partition: 3, Offset: -1, Text: strings.Repeat("unbroken", 30), Count: 12},
		{At: s.At.Add(-time.Hour), Kind: "dead-letter", Topic: "orders-0", Offset: 7, Table: "shop:orders", Text: "column d:total: no number", Count: 1},
	}
	s.Reprocess = &status.Reprocess{ID: "fix-of-november", From: start, To: s.At, Done: 250, Total: 1000, Rate: 12.5, SecondsLeft: 60}
	return s
}

func TestPageFitsItsWindow(t *testing.T) {
	s := newSite(t)
	s.take(full(0))
	for i, width := range []int64{320, 390, 720, 800, 960, 1000, 1240, 1440, 2200} {
		s.enter(width, 800, []string{"light", "dark"}[i%2])
		s.show(full(i + 1))
		if got := eval[int64](s, "document.documentElement.scrollWidth"); got > width {
			t.Errorf("at %d the page is %d wide", width, got)
		}
		cut := eval[[]string](s, `[...document.querySelectorAll("h2, .figure, dd, .health li, #link, .c-state, .c-lag, #recent li, #tables li, .sides li")]
			.filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && getComputedStyle(e).display !== "inline").map(e => e.className + " " + e.innerText.slice(0, 40))`)
		if len(cut) > 0 {
			t.Errorf("at %d it cuts %q", width, cut)
		}
	}
}

// TestColumnsAlign has figures and states of all lengths in rows that are laid out one by one.
func TestColumnsAlign(t *testing.T) {
	s := newSite(t)
	s.take(full(0))
	s.open()
	s.show(full(1))
	edges := eval[[]int](s, `[...document.querySelectorAll("#sources tr")].flatMap(r => [...r.children].slice(0, 9)).map(c => Math.round(c.getBoundingClientRect().right))`)
	for i, edge := range edges {
		if edge != edges[i%9] {
			t.Fatalf("cell %d of row %d ends at %d, its column at %d", i%9, i/9, edge, edges[i%9])
		}
	}
}

func TestSchemesFollowTheReader(t *testing.T) {
	s := newSite(t)
	for scheme, want := range map[string]string{"light": "rgb(243, 245, 245)", "dark": "rgb(16, 22, 26)"} {
		s.enter(1000, 700, scheme)
		if got := eval[string](s, "getComputedStyle(document.body).backgroundColor"); got != want {
			t.Errorf("the ground is %s when the reader wants %s", got, scheme)
		}
	}
}

// TestEverythingHasAName asks Chromium what it tells a screen reader.
func TestEverythingHasAName(t *testing.T) {
	s := newSite(t)
	s.take(full(0))
	s.open()
	s.show(full(1))
	tree, err := chromedp.Run(s.window, func(ctx context.Context, t *chromedp.Target) (accessibility.GetFullAXTreeResult, error) {
		return cdp.Call(ctx, t, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, n := range tree.Nodes {
		if n.Ignored || n.Role == nil {
			continue
		}
		var role, name string
		_ = json.Unmarshal(n.Role.Value, &role)
		if n.Name != nil {
			_ = json.Unmarshal(n.Name.Value, &name)
		}
		seen[role]++
		switch role {
		case "img", "image", "checkbox", "searchbox", "textbox", "button", "link", "region", "table", "progressbar", "columnheader":
			if strings.TrimSpace(name) == "" {
				t.Errorf("a %s has no name", role)
			}
		}
	}
	for role, want := range map[string]int{"table": 1, "columnheader": 9, "row": 31, "checkbox": 1, "searchbox": 1, "progressbar": 1, "alert": 1, "status": 1} {
		if seen[role] != want {
			t.Errorf("%d of role %s, want %d: %v", seen[role], role, want, seen)
		}
	}
}

func TestKeyboardReachesEverything(t *testing.T) {
	s := newSite(t)
	s.take(full(0))
	s.open()
	s.show(full(1))
	var reached []string
	for range 5 {
		s.do(chromedp.KeyEvent("\t"))
		reached = append(reached, eval[string](s, `(e => e.id || e.className + " " + (e.getAttribute("aria-labelledby") ?? ""))(document.activeElement)`))
		if !eval[bool](s, `(e => getComputedStyle(e).outlineStyle === "solid" && e.checkVisibility())(document.activeElement)`) {
			t.Errorf("nobody sees that %s has the focus", reached[len(reached)-1])
		}
	}
	want := []string{"skip ", "only", "filter", "scroll sources-title", "scroll recent-title"}
	if fmt.Sprint(reached) != fmt.Sprint(want) {
		t.Errorf("the keyboard reaches %q, want %q", reached, want)
	}
}

func TestProgressOfReprocessing(t *testing.T) {
	s := newSite(t)
	s.take(world(1, 0))
	s.open()
	s.show(world(1, 1))
	if eval[bool](s, `document.getElementById("reprocess").checkVisibility()`) {
		t.Error("a reprocessing is shown that is none")
	}
	for i, tt := range []struct {
		of    status.Reprocess
		share float64
		text  string
	}{
		{status.Reprocess{Done: 250, Total: 1000, Rate: 12.5, SecondsLeft: 60}, 0.25, "25% · 250 of 1,000 offsets · 13 /s · 1 min left"},
		{status.Reprocess{Done: 999, Total: 1000, Rate: 0, SecondsLeft: -1}, 0.999, "99% · 999 of 1,000 offsets · 0 /s · time left not known"},
		{status.Reprocess{Done: 1, Total: 1, Rate: 2}, 1, "100% · 1 of 1 offset · 2.0 /s · done"},
		{status.Reprocess{}, 0, "0% · 0 of 0 offsets · 0 /s · done"},
	} {
		snap := world(1, i+2)
		snap.Reprocess = &tt.of
		s.show(snap)
		if got := s.text("reprocess-text"); got != tt.text {
			t.Errorf("it says %q, want %q", got, tt.text)
		}
		if got := eval[float64](s, `document.getElementById("reprocess-bar").position`); got != tt.share {
			t.Errorf("the bar is at %v, want %v", got, tt.share)
		}
	}
}
