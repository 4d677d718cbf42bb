package cluster

import (
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
)

// Ports are picked below the range from which systems take the local ends of
// outgoing connections: a port from 127.0.0.1:0 may be taken by any dial in
// the seconds until a JVM binds it. The caller still has to retry a clash.
const lowPort, highPort = 20000, 32000

var (
	portsMu sync.Mutex
	given   = map[int]bool{}
)

// freePorts returns n ports that are free on 127.0.0.1 now and that this
// process has not given out before.
func freePorts(n int) ([]int, error) {
	portsMu.Lock()
	defer portsMu.Unlock()
	var ports []int
	for try := 0; try < 2000 && len(ports) < n; try++ {
		p := lowPort + rand.IntN(highPort-lowPort)
		if given[p] {
			continue
		}
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", p))
		if err != nil {
			continue
		}
		_ = l.Close()
		given[p] = true
		ports = append(ports, p)
	}
	if len(ports) < n {
		return nil, fmt.Errorf("looking for %d free ports between %d and %d: found %d", n, lowPort, highPort, len(ports))
	}
	return ports, nil
}
