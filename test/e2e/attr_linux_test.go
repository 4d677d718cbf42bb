package e2e

import "syscall"

// procAttr lets a connector die with the test.
func procAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
