//go:build !linux

package demo

import "syscall"

// procAttr gives the connector a process group of its own, so that a Ctrl-C on the terminal reaches the demo alone.
// A demo that is itself killed with SIGKILL leaves the connector running here.
func procAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
