package audit_test

import (
	"testing"
	"time"

	"rowmark/connector/audit"
)

func bound(t *testing.T, text string) audit.Bound {
	t.Helper()
	b, err := audit.ParseBound(text, time.Now())
	must(t, err)
	return b
}

func TestParseBoundRefuses(t *testing.T) {
	for _, text := range []string{"-1", "2h", "latest", "1e3", "2026-13-01", "-2", " ", "99999999999999999999"} {
		if b, err := audit.ParseBound(text, time.Now()); err == nil {
			t.Errorf("%q is taken for %+v", text, b)
		}
	}
}
