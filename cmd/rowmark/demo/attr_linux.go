package demo

import "syscall"

// procAttr gives the connector a process group of its own, so that a Ctrl-C on the terminal reaches the demo alone,
// and ties its life to the demo's.
func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
