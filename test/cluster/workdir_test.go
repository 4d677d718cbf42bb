package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestWorkFoldersOfTheDeadAreSwept leaves folders behind by a program that ends without cleaning up.
func TestWorkFoldersOfTheDeadAreSwept(t *testing.T) {
	if parent := os.Getenv("ROWMARK_TEST_WORK"); parent != "" {
		for _, o := range []Options{{Dir: parent}, {Dir: parent, Keep: true}, {Dir: parent, Detach: true}} {
			if _, err := o.workDir("left"); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	parent := t.TempDir()
	mine, err := Options{Dir: parent}.workDir("mine")
	if err != nil {
		t.Fatal(err)
	}
	left := exec.Command(os.Args[0], "-test.run=^TestWorkFoldersOfTheDeadAreSwept$")
	left.Env = append(os.Environ(), "ROWMARK_TEST_WORK="+parent)
	if out, err := left.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if n := count(t, parent); n != 4 {
		t.Fatalf("%d folders before the sweep, want mine and three of the dead program", n)
	}
	Sweep(parent, workPrefix)
	// The kept one and the detached one stay, and the one whose owner lives.
	if n := count(t, parent); n != 3 {
		t.Errorf("%d folders after the sweep, want 3", n)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("my own folder is gone: %v", err)
	}
	if err := removeWork(mine); err != nil {
		t.Error(err)
	}
	if n := count(t, parent); n != 2 {
		t.Errorf("%d folders at the end, want 2", n)
	}
}

func count(t *testing.T, parent string) int {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(parent, workPrefix+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(dirs)
}
