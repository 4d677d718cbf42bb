package main

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A line of the log stands alone, whatever the bar showed before it, and nothing is drawn behind the last one.
func TestLogLinesStandApartFromTheBar(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := &screen{out: &out}
		b := &bar{screen: s, stop: make(chan struct{})}
		b.drawn(&out)
		for _, text := range []string{"first", "second", "third"} {
			for range 5 {
				time.Sleep(barEvery)
				b.draw(int64(out.Len()), 10_000)
			}
			_, _ = s.Write([]byte(text + "\n"))
		}
		b.draw(5000, 10_000)
		b.close()
		time.Sleep(time.Minute)
		_, _ = s.Write([]byte("fourth\n"))
		time.Sleep(time.Minute)
		var seen []string
		for line := range strings.SplitSeq(out.String(), "\n") {
			seen = append(seen, line[strings.LastIndex(line, "\r")+1:])
		}
		if got := strings.Join(seen, "|"); got != "first|second|third|fourth|" || !strings.Contains(out.String(), "offsets") {
			t.Errorf("the terminal shows %q", got)
		}
	})
}
