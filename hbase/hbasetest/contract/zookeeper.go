package contract

import (
	"encoding/binary"
	"io"
	"net"
	"testing"
	"time"
)

// A client that comes back with a session that ZooKeeper does not know is told so, by session 0 with no time to live,
// and the connection is closed: that is how an expired session shows.
func lostSession(t *testing.T, e *Env) {
	for name, c := range map[string]struct {
		session uint64
		lives   bool
	}{"new": {0, true}, "unknown": {0x7123456789abcdef, false}} {
		t.Run(name, func(t *testing.T) {
			nc, err := net.Dial("tcp", e.target.Config().ZooKeeper[0])
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = nc.Close() }()
			_ = nc.SetDeadline(time.Now().Add(30 * time.Second))
			b := binary.BigEndian.AppendUint32(nil, 44)
			b = binary.BigEndian.AppendUint32(b, 0)     // protocol version
			b = binary.BigEndian.AppendUint64(b, 0)     // last transaction seen
			b = binary.BigEndian.AppendUint32(b, 10000) // the session's timeout, milliseconds
			b = binary.BigEndian.AppendUint64(b, c.session)
			b = binary.BigEndian.AppendUint32(b, 16)
			if _, err := nc.Write(append(b, make([]byte, 16)...)); err != nil {
				t.Fatal(err)
			}
			var head [20]byte // length, version, timeout, session
			if _, err := io.ReadFull(nc, head[:]); err != nil {
				t.Fatal(err)
			}
			timeout, session := binary.BigEndian.Uint32(head[8:]), binary.BigEndian.Uint64(head[12:])
			if lives := timeout > 0 && session != 0; lives != c.lives {
				t.Errorf("session %d with a timeout of %d ms, want a live one: %v", session, timeout, c.lives)
			}
			if !c.lives {
				if _, err := io.Copy(io.Discard, nc); err != nil {
					t.Errorf("the connection was not closed: %v", err)
				}
			}
		})
	}
}
