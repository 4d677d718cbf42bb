package cluster

import "syscall"

// procAttr gives the child a process group of its own, so that a Ctrl-C on
// the terminal reaches us alone, and ties its life to ours unless detached.
func procAttr(detach bool) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true}
	if !detach {
		a.Pdeathsig = syscall.SIGKILL
	}
	return a
}
