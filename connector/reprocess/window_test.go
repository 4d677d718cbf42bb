package reprocess

import (
	"strings"
	"testing"
	"time"
)

func TestParseWindow(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ text, want string }{
		{"2026-11-01/2026-11-02", "2026-11-01T00:00:00Z/2026-11-02T00:00:00Z"},
		{"2026-11-01T08:00:00+02:00/2026-11-01T08:00:00.5Z", "2026-11-01T06:00:00Z/2026-11-01T08:00:00.5Z"},
		{"-2h/now", "2026-11-30T10:00:00Z/2026-11-30T12:00:00Z"},
		{"-90m/-30m", "2026-11-30T10:30:00Z/2026-11-30T11:30:00Z"},
		{"2026-11-30/", "2026-11-30T00:00:00Z/2026-11-30T12:00:00Z"},
		{"2026-11-30/2027-01-01", "2026-11-30T00:00:00Z/2027-01-01T00:00:00Z"},
		{"", "error: FROM/TO"},
		{"2026-11-01", "error: FROM/TO"},
		{"/now", `error: "": use a time`},
		{"yesterday/now", `error: "yesterday": use a time`},
		{"-2/now", `error: "-2": use a time`},
		{"2026-11-02/2026-11-01", "error: not after its beginning"},
		{"now/now", "error: not after its beginning"},
		{"1969-12-31/now", "error: no record is older"},
	} {
		w, err := ParseWindow(c.text, now)
		if part, bad := strings.CutPrefix(c.want, "error: "); bad {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%q: error %v, want one with %q", c.text, err, part)
			}
			continue
		}
		if err != nil || w.String() != c.want {
			t.Errorf("%q: %s, %v, want %s", c.text, w, err, c.want)
		}
	}
}

// FROM belongs to the window and TO does not.
func TestWindowHolds(t *testing.T) {
	for at, want := range map[int64]bool{9: false, 10: true, 19: true, 20: false} {
		if got := (Window{10, 20}).Holds(at); got != want {
			t.Errorf("%d: %v", at, got)
		}
	}
}
