package cluster

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
)

var (
	starterOnce sync.Once
	starts      chan func()
)

// StartChild starts cmd in a process group of its own, which a Ctrl-C on the
// terminal does not reach, and on Linux lets it end with this program, however
// that ends.
func StartChild(cmd *exec.Cmd) error {
	cmd.SysProcAttr = procAttr(false)
	return startOnLastingThread(cmd)
}

// ChildEnvironment is this program's, without the ROWMARK_ variables, which
// would be laid over the configuration of a connector started as a child.
func ChildEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "ROWMARK_") })
}

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
