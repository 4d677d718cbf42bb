package cluster

import (
	"net"
	"testing"
)

// clashOnce tests that a service on a taken port starts elsewhere: it makes the
// first choice of ports hold one, at index i, that somebody takes before the
// service does, and wants a second choice.
func clashOnce(t *testing.T, i int) {
	t.Helper()
	choices := new(int)
	pickPorts = func(n int) ([]int, error) {
		ports, err := freePorts(n)
		if *choices++; err == nil && *choices == 1 {
			l, lerr := net.Listen("tcp", addr(ports[i]))
			if lerr != nil {
				t.Fatal(lerr)
			}
			t.Cleanup(func() { _ = l.Close() })
		}
		return ports, err
	}
	t.Cleanup(func() {
		pickPorts = freePorts
		if *choices != 2 {
			t.Errorf("it chose ports %d times, want 2", *choices)
		}
	})
}
