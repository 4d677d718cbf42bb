package hbasetest

import (
	"fmt"
	"net"
	"os"
	"sync/atomic"
)

var hosts atomic.Uint32

// OwnHost gives a loopback address that nothing else of this process was given, where the system has more than one
// (Linux does), else 127.0.0.1. Clusters that run side by side, and whose servers die, need it: the system gives a dead
// server's port to whoever asks next, and a client of the one would go on with the other, whose tables bear the same names.
func OwnHost() string {
	n := hosts.Add(1)
	host := fmt.Sprintf("127.%d.%d.%d", 1+os.Getpid()%254, n/250%250, 1+n%250)
	ln, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return "127.0.0.1"
	}
	_ = ln.Close()
	return host
}
