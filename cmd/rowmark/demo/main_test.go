package demo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"rowmark/test/cluster"
)

// built is the program that the demos of these tests start, once one asks.
var built struct {
	once sync.Once
	dir  string
	err  error
}

func TestMain(m *testing.M) {
	code := cluster.Main(m)
	if built.dir != "" {
		if err := os.RemoveAll(built.dir); err != nil {
			fmt.Fprintln(os.Stderr, "removing the built program:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

func build(t *testing.T) string {
	t.Helper()
	b := &built
	b.once.Do(func() {
		if b.dir, b.err = os.MkdirTemp("", "rowmark-demo-test-"); b.err != nil {
			return
		}
		b.err = cluster.BuildRowmark(context.Background(), filepath.Join(b.dir, "rowmark"))
	})
	if b.err != nil {
		t.Fatal(b.err)
	}
	return filepath.Join(b.dir, "rowmark")
}
