//go:build !linux

package cluster

import "syscall"

// procAttr gives the child a process group of its own. Only Linux can end it
// when this program is killed.
func procAttr(bool) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
