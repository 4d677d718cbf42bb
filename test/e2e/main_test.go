package e2e

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"rowmark/test/cluster"
)

// program is the connector under test, built once for a run.
var program struct {
	once sync.Once
	dir  string
	path string
	err  error
}

func TestMain(m *testing.M) {
	code := cluster.Main(m)
	if program.dir != "" {
		_ = os.RemoveAll(program.dir) // only the built program lies there
	}
	os.Exit(code)
}

// rowmark gives the path of the built program.
func rowmark(t *testing.T) string {
	t.Helper()
	program.once.Do(func() {
		if program.dir, program.err = os.MkdirTemp("", "rowmark-e2e-"); program.err != nil {
			return
		}
		program.path = filepath.Join(program.dir, "rowmark")
		program.err = cluster.BuildRowmark(context.Background(), program.path)
	})
	if program.err != nil {
		t.Fatal(program.err)
	}
	return program.path
}
