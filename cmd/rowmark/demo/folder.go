package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"rowmark/test/cluster"
)

const folderPrefix = "demo-"

// makeFolder makes the folder of a demo, and first removes those of demos that were killed and could not. A demo
// holds a lock in its folder, which the system takes back when it ends, however it ends; a folder that is kept has no
// lock, and stays.
func makeFolder(parent string, keep bool) (dir string, unlock func(), err error) {
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", nil, fmt.Errorf("making the demo's folder: %w", err)
	}
	cluster.Sweep(parent, folderPrefix) // what can't be removed the next demo tries again
	if dir, err = os.MkdirTemp(parent, folderPrefix); err != nil {
		return "", nil, fmt.Errorf("making the demo's folder: %w", err)
	}
	if keep {
		return dir, func() {}, nil
	}
	// It gets the name that sweep looks for when it is locked, so that it is never found unlocked.
	f, err := os.Create(filepath.Join(dir, "lock.new"))
	if err == nil {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err == nil {
			err = os.Rename(f.Name(), filepath.Join(dir, "lock"))
		}
	}
	if err != nil {
		return "", nil, fmt.Errorf("locking the demo's folder: %w", err)
	}
	return dir, func() { _ = f.Close() }, nil
}
