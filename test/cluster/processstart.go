package cluster

import (
	"os/exec"
	"runtime"
	"sync"
)

var (
	starterOnce sync.Once
	starts      chan func()
)

// startOnLastingThread starts cmd from an operating system thread that lives
// as long as this program. The parent-death signal of Linux is sent when the
// *thread* that started the child ends, and Go ends threads as it likes.
func startOnLastingThread(cmd *exec.Cmd) error {
	starterOnce.Do(func() {
		starts = make(chan func())
		go func() {
			runtime.LockOSThread()
			for f := range starts {
				f()
			}
		}()
	})
	errc := make(chan error, 1)
	starts <- func() { errc <- cmd.Start() }
	return <-errc
}
