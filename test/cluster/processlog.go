package cluster

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// waitFor polls until cond holds; it fails at once when the process ends.
func (p *Process) waitFor(ctx context.Context, cond func() bool) error {
	p.mu.Lock()
	done := p.done
	p.mu.Unlock()
	for {
		select {
		case <-done:
			return fmt.Errorf("it ended by itself (%v)", p.exitErr)
		default:
		}
		if cond() {
			return nil
		}
		if err := sleep(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

// waitForLog polls until the log of the present run holds each of the texts.
func (p *Process) waitForLog(ctx context.Context, texts ...string) error {
	return p.waitFor(ctx, func() bool {
		data, err := p.readLog()
		if err != nil {
			return false
		}
		for _, t := range texts {
			if !bytes.Contains(data, []byte(t)) {
				return false
			}
		}
		return true
	})
}

func (p *Process) readLog() ([]byte, error) {
	f, err := os.Open(p.logPath)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if _, err := f.Seek(p.logFrom, io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(f)
}

// tellingLines picks what explains a failure: the first lines about errors, and
// the last lines of all.
func tellingLines(log string) string {
	const first, last = 8, 15
	lines := strings.Split(strings.TrimRight(log, "\n"), "\n")
	var out []string
	tail := max(0, len(lines)-last)
	for _, l := range lines[:tail] {
		if len(out) < first && (strings.Contains(l, "ERROR") || strings.Contains(l, "FATAL") || strings.Contains(l, "Exception")) {
			out = append(out, l)
		}
	}
	if len(out) > 0 {
		out = append(out, "…")
	}
	return strings.Join(append(out, lines[tail:]...), "\n")
}
