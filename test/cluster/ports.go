package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
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

// pickPorts is freePorts, except in a test of what happens on a clash.
var pickPorts = freePorts

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

var errPortTaken = errors.New("another program took its port")

// retryClash starts a service again on other ports when another program took
// one between the choice and the start.
func retryClash[T any](start func() (T, error)) (T, error) {
	for try := 1; ; try++ {
		v, err := start()
		if !errors.Is(err, errPortTaken) || try == 3 {
			return v, err
		}
	}
}

// portTaken reads from the log of a process that ended whether it could not
// have its port, in the words of Java, of HBase's own small ZooKeeper and of Quarkus.
func portTaken(log []byte) bool {
	for _, text := range []string{"Address already in use", "java.net.BindException", "Could not start ZK at requested port", "seems to be in use by another process"} {
		if bytes.Contains(log, []byte(text)) {
			return true
		}
	}
	return false
}

func addr(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }
