package page

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rowmark/connector/status"
)

// pastOf is the history as a page gets it.
func pastOf(t *testing.T, f *feed) history {
	t.Helper()
	text, err := f.past()
	if err != nil {
		t.Fatal(err)
	}
	var h history
	if text == nil {
		return h
	}
	body, ok := strings.CutPrefix(string(text), "event: history\ndata: ")
	if !ok || !strings.HasSuffix(body, "}\n\n") {
		t.Fatalf("no event: %.60q", text)
	}
	if err := json.Unmarshal([]byte(body), &h); err != nil {
		t.Fatal(err)
	}
	return h
}

func source(topic string, partition int32, lag int64) status.Source {
	return status.Source{Topic: topic, Partition: partition, LagRecords: lag, RecordsRate: 2.5}
}

func TestHistoryFollowsTheSources(t *testing.T) {
	f := newFeed(nil)
	at := func(second int, sources ...status.Source) {
		f.take(&status.Snapshot{At: time.Unix(int64(second), 0), Sources: sources, Tables: []status.Table{{Rows: int64(second) * 10}, {Rows: 1}}})
	}
	at(1, source("a", 0, 5))
	at(2, source("a", 0, 6), source("a", 1, 70))
	at(3, source("a", 1, 71), source("b", 0, -1))
	at(3, source("a", 1, 99)) // the same moment again
	at(2, source("a", 1, 99)) // and one before
	h := pastOf(t, f)
	want := []series{{"a", 1, []int64{-1, 70, 71}}, {"b", 0, []int64{-1, -1, -1}}}
	same := func(a, b series) bool {
		return a.Topic == b.Topic && a.Partition == b.Partition && slices.Equal(a.Lag, b.Lag)
	}
	if !slices.EqualFunc(h.Sources, want, same) {
		t.Errorf("sources are %v, want %v", h.Sources, want)
	}
	if want := []int64{1000, 2000, 3000}; !slices.Equal(h.At, want) {
		t.Errorf("samples are at %v, want %v", h.At, want)
	}
	if want := []float64{2.5, 5, 5}; !slices.Equal(h.Rate, want) {
		t.Errorf("rates are %v, want %v", h.Rate, want)
	}
	if want := []int64{11, 21, 31}; !slices.Equal(h.Rows, want) {
		t.Errorf("rows are %v, want %v", h.Rows, want)
	}
}

func TestHistoryIsTwoMinutesLong(t *testing.T) {
	f := newFeed(nil)
	for i := range 300 {
		f.take(world(3, i))
	}
	h := pastOf(t, f)
	first, last := world(3, 180), world(3, 299)
	if len(h.At) != 120 || h.At[0] != first.At.UnixMilli() || h.At[119] != last.At.UnixMilli() {
		t.Errorf("%d samples, from %d to %d", len(h.At), h.At[0], h.At[len(h.At)-1])
	}
	if len(h.Rate) != 120 || len(h.Rows) != 120 {
		t.Errorf("%d rates and %d rows", len(h.Rate), len(h.Rows))
	}
	for i, s := range h.Sources {
		if len(s.Lag) != 120 || s.Lag[0] != first.Sources[i].LagRecords || s.Lag[119] != last.Sources[i].LagRecords {
			t.Errorf("source %d: %d lags, from %d to %d", i, len(s.Lag), s.Lag[0], s.Lag[len(s.Lag)-1])
		}
	}
}

// TestNumbersThatAreNoneAreLeftOut has a snapshot that JSON can't hold between two that it can.
func TestNumbersThatAreNoneAreLeftOut(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		f := newFeed(nil)
		for i := range 3 {
			s := world(1, i)
			if i == 1 {
				s.Sources[0].RecordsRate = bad
			}
			f.take(s)
		}
		if h := pastOf(t, f); len(h.At) != 2 {
			t.Errorf("%v: %d samples, want 2", bad, len(h.At))
		}
		if latest, _ := f.now(); !strings.Contains(string(latest), world(1, 2).At.Format(time.RFC3339)) {
			t.Errorf("%v: the latest is %.100s", bad, latest)
		}
	}
}

// TestSnapshotsAreAskedForEachSecond goes on until the context ends, with nothing to tell at first.
func TestSnapshotsAreAskedForEachSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		asked := 0
		f := newFeed(ctx.Done())
		go f.follow(ctx, func() *status.Snapshot {
			if asked++; asked <= 2 {
				return nil
			}
			return world(1, asked/2) // each twice
		})
		time.Sleep(9500 * time.Millisecond)
		if h := pastOf(t, f); asked != 10 || len(h.At) != 5 {
			t.Errorf("asked %d times and kept %d samples, want 10 and 5", asked, len(h.At))
		}
		cancel()
		synctest.Wait()
	})
}
