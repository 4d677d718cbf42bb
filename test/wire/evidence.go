package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"rowmark/test/linear"
)

// A history is not played the same way twice, so one that went wrong is written down: what befell it, what its
// connectors logged, and what was recorded for package linear.

// trace keeps the last lines of a history. As a writer it takes whole lines.
type trace struct {
	mu    sync.Mutex
	lines []string
	size  int
	lost  int
}

// mostTrace bounds the bytes of a trace; many histories run at once.
const mostTrace = 4 << 20

func (t *trace) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, string(b))
	for t.size += len(b); t.size > mostTrace; t.lost++ {
		t.size -= len(t.lines[0])
		t.lines[0] = "" // let go of it
		t.lines = t.lines[1:]
	}
	return len(b), nil
}

func (t *trace) save(path string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b []byte
	if t.lost > 0 {
		b = fmt.Appendf(b, "the first %d lines were let go\n", t.lost)
	}
	for _, l := range t.lines {
		b = append(b, l...)
	}
	return os.WriteFile(path, b, 0o644)
}

// save writes the history down in w.out, if it went wrong.
func (w *world) save() error {
	if w.out == "" || w.faultless() {
		return nil
	}
	if err := os.MkdirAll(w.out, 0o755); err != nil {
		return fmt.Errorf("writing down history %d: %w", w.seed, err)
	}
	name := filepath.Join(w.out, fmt.Sprintf("seed-%d", w.seed))
	if err := w.trace.save(name + ".log"); err != nil {
		return fmt.Errorf("writing down what befell history %d: %w", w.seed, err)
	}
	ops, err := json.MarshalIndent(struct {
		Registers []linear.RegisterOp `json:"registers"`
		Rows      []linear.RowOp      `json:"rows"`
	}{w.registers.Ops(), w.rows.Ops()}, "", " ")
	if err == nil {
		err = os.WriteFile(name+".json", ops, 0o644)
	}
	if err != nil {
		return fmt.Errorf("writing down the operations of history %d: %w", w.seed, err)
	}
	return nil
}
