package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rowmark/connector/status"

	"github.com/chromedp/chromedp"
)

// rows are the sources that the table shows, from top to bottom, with their sign and state.
func (s *site) rows() []string {
	s.Helper()
	return eval[[]string](s, `[...document.querySelectorAll("#source-rows tr")].map(r => {
		const t = q => r.querySelector(q).textContent;
		return t(".topic") + t(".partition").replaceAll(" ", "") + " " + t(".state");
	})`)
}

// find types into the filter, in place of what is there.
func (s *site) find(text string) {
	s.Helper()
	eval[bool](s, `document.getElementById("filter").focus(), document.getElementById("filter").select(), true`)
	s.do(chromedp.KeyEvent("\b" + text))
}

// TestSignsOfSources pins what a source is said to be, by a sign and a word and not by colour alone.
func TestSignsOfSources(t *testing.T) {
	s := newSite(t)
	snap := world(12, 0)
	set := func(i int, change func(*status.Source)) { change(&snap.Sources[i]) }
	set(0, func(x *status.Source) { x.State = "retrying"; x.Error = "reading the checkpoint: connection refused" })
	set(1, func(x *status.Source) { x.Paused = true; x.LagRecords = 9000 })
	set(2, func(x *status.Source) { x.State = "taking" })
	set(3, func(x *status.Source) { x.AdvancedAt = snap.At.Add(-61e9) })
	set(4, func(x *status.Source) { x.AdvancedAt = snap.At.Add(-59e9); x.LagRecords = 8000 })
	set(5, func(x *status.Source) { x.AdvancedAt = snap.At.Add(-61e9); x.LagRecords = 0 })
	set(6, func(x *status.Source) { x.State = "fenced"; x.LagRecords = 1 })
	set(7, func(x *status.Source) { x.AdvancedAt = snap.At.Add(-61e9); x.Paused = true; x.LagRecords = 2 })
	set(8, func(x *status.Source) { x.State = "waiting"; x.LagRecords = -1 })
	s.take(snap)
	s.open()
	s.show(snap)
	want := []string{"▲stalled", "▲retrying", "▲fenced", "‖paused", "‖paused", "◌taking", "◌waiting", "●running"}
	var got []string
	for _, row := range s.rows()[:8] {
		got = append(got, strings.Fields(row)[1])
	}
	slices.Sort(got[:3])
	slices.Sort(want[:3])
	if !slices.Equal(got, want) {
		t.Errorf("the signs are %v, want %v", got, want)
	}
	if got := strings.Join(strings.Fields(s.text("health")), " "); got != "▲3 to look at ‖2 paused ◌2 starting or ending ●5 running" {
		t.Errorf("the count is %q", got)
	}
	if got := eval[string](s, "document.title"); got != "▲ 3 · orders · rowmark" {
		t.Errorf("the title is %q", got)
	}
	if first := s.rows()[7]; first != "orders-0/4 ●running" {
		t.Errorf("of what runs, %s is the first, want that with most lag", first)
	}
}

func TestPageHolds500Partitions(t *testing.T) {
	s := newSite(t)
	snap := world(500, 0)
	snap.Sources[321].Error, snap.Sources[321].LagRecords = "writing rows of shop:orders: region is not served", 3
	snap.Sources[17].Paused = true
	for i := range 120 {
		s.take(world(500, i-120))
	}
	s.take(snap)
	s.open()
	s.until(`document.querySelectorAll("#source-rows tr").length === 500`)
	rows := s.rows()
	if rows[0] != "orders-3/21 ▲running" || rows[1] != "orders-0/17 ‖paused" {
		t.Errorf("the first rows are %q", rows[:2])
	}
	lags := eval[[]int](s, `[...document.querySelectorAll("#source-rows .c-lag")].map(c => Number(c.textContent.replaceAll(",", "")))`)
	if !slices.IsSortedFunc(lags[2:], func(a, b int) int { return b - a }) {
		t.Errorf("the rest is not by lag: %v", lags)
	}
	if drawn := eval[int](s, `document.querySelectorAll("#source-rows .line[d]").length`); drawn < 8 || drawn > 100 {
		t.Errorf("%d curves are drawn, want those in view", drawn)
	}
	for _, tt := range []struct {
		typed string
		want  int
	}{{"orders-3/2", 11}, {"paused", 1}, {"REGION not served", 1}, {"orders-4/99", 1}, {"nothing like it", 0}} {
		s.find(tt.typed)
		s.until(fmt.Sprintf(`document.querySelectorAll("#source-rows tr").length === %d`, tt.want))
		if got, want := s.text("shown"), fmt.Sprintf("%d of 500", tt.want); got != want {
			t.Errorf("%q: it says %q, want %q", tt.typed, got, want)
		}
	}
	s.find("")
	s.do(chromedp.Click(chromedp.CSS("#only")))
	s.until(`document.querySelectorAll("#source-rows tr").length === 2`)
	gone := world(498, 1)
	s.show(gone)
	s.until(`document.getElementById("source-none").innerText === "Nothing needs a look."`)
}

// TestRowsStayUntilOneNeedsALook changes the lags so that another order would be right.
func TestRowsStayUntilOneNeedsALook(t *testing.T) {
	s := newSite(t)
	s.take(world(5, 0))
	s.open()
	s.show(world(5, 1))
	before := s.rows()
	next := world(5, 2)
	for i := range next.Sources {
		next.Sources[i].LagRecords = 5000 - next.Sources[i].LagRecords
	}
	s.show(next)
	if after := s.rows(); !slices.Equal(before, after) {
		t.Errorf("rows moved a second later, from %v to %v", before, after)
	}
	worse := world(5, 3)
	worse.Sources[1].Error = "no lease"
	s.show(worse)
	if first := s.rows()[0]; first != "orders-0/1 ▲running" {
		t.Errorf("the first row is %s, want the one that needs a look now", first)
	}
}
