package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

const workPrefix = "rowmark-work-"

// held keeps the open lock files by folder.
var held sync.Map

// workDir makes a new folder for one service. It first removes what programs
// left behind that were killed before they could clean up.
func (o Options) workDir(name string) (string, error) {
	parent := o.Dir
	if parent == "" {
		parent = os.TempDir()
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", fmt.Errorf("making work folder for %s: %w", name, err)
	}
	Sweep(parent, workPrefix)
	dir, err := os.MkdirTemp(parent, workPrefix+name+"-")
	if err != nil {
		return "", fmt.Errorf("making work folder for %s: %w", name, err)
	}
	if !o.Keep && !o.Detach {
		if err := own(dir); err != nil {
			return "", fmt.Errorf("making work folder for %s: %w", name, err)
		}
	}
	return filepath.Abs(dir)
}

// own marks a folder as ours for as long as this program lives: by a lock that
// the system takes back when it ends, however it ends.
func own(dir string) error {
	f, err := os.Create(filepath.Join(dir, "lock.new"))
	if err != nil {
		return err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		_ = f.Close()
		return err
	}
	held.Store(dir, f)
	// Under its final name it is locked from the first moment.
	return os.Rename(f.Name(), filepath.Join(dir, "lock"))
}

// disown lets go of a folder's lock.
func disown(dir string) {
	if f, ok := held.LoadAndDelete(dir); ok {
		_ = f.(*os.File).Close() // the lock goes with it
	}
}

// Sweep removes the folders in parent with this prefix whose owner is gone. Those without a
// lock are not touched: kept for somebody to look at, or of a service that
// was meant to outlive its starter. Failing to remove one harms nobody here.
func Sweep(parent, prefix string) {
	dirs, _ := filepath.Glob(filepath.Join(parent, prefix+"*"))
	for _, dir := range dirs {
		f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.RemoveAll(dir)
		}
		_ = f.Close()
	}
}

// removeWork removes a service's folder. A JVM killed a moment ago may still
// have left files to appear, so it tries more than once.
func removeWork(dir string) error {
	defer disown(dir)
	var err error
	for range 5 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("removing work folder %s: %w", filepath.Base(dir), err)
}
