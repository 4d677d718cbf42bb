package reprocess

import (
	"fmt"
	"strings"
	"time"
)

// Window is the times [From, To), in milliseconds. A record belongs to it by its own timestamp in Kafka.
type Window struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// ParseWindow reads FROM/TO. Each is a time (RFC 3339), a date (its beginning in UTC), now, or a duration before now as in
// -2h; without TO it is now.
func ParseWindow(text string, now time.Time) (Window, error) {
	from, to, ok := strings.Cut(text, "/")
	if !ok {
		return Window{}, fmt.Errorf("%q: write FROM/TO, as in 2026-11-01/2026-11-02, 2026-11-01T08:00:00Z/now or -2h/", text)
	}
	if to == "" {
		to = "now"
	}
	var w Window
	var err error
	if w.From, err = parseTime(from, now); err != nil {
		return w, err
	}
	if w.To, err = parseTime(to, now); err != nil {
		return w, err
	}
	switch {
	case w.From >= w.To:
		return w, fmt.Errorf("%q: the window ends at %s, and that is not after its beginning %s", text, clock(w.To), clock(w.From))
	case w.From < 0:
		return w, fmt.Errorf("%q: no record is older than 1970", text)
	}
	return w, nil
}

func parseTime(text string, now time.Time) (int64, error) {
	if text == "now" {
		return now.UnixMilli(), nil
	}
	if strings.HasPrefix(text, "-") {
		if d, err := time.ParseDuration(text); err == nil {
			return now.Add(d).UnixMilli(), nil
		}
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UnixMilli(), nil
		}
	}
	return 0, fmt.Errorf("%q: use a time such as 2026-11-01T08:00:00Z, a date, now, or a duration before now such as -2h", text)
}

// Holds says whether a record of this time belongs to the window.
func (w Window) Holds(ms int64) bool { return ms >= w.From && ms < w.To }

func (w Window) String() string { return clock(w.From) + "/" + clock(w.To) }

// clock writes milliseconds as people read them.
func clock(ms int64) string {
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.999Z07:00")
}
