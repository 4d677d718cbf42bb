package kafka

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// talk runs one exchange against a peer that reads the request and sends what answer makes of its correlation id.
func talk(t *testing.T, ctx context.Context, answer func(id []byte) []byte) (*exchange, error) {
	t.Helper()
	ours, theirs := net.Pipe()
	defer func() { _ = ours.Close() }()
	go func() {
		defer func() { _ = theirs.Close() }()
		var size [4]byte
		if _, err := io.ReadFull(theirs, size[:]); err != nil {
			return
		}
		req := make([]byte, binary.BigEndian.Uint32(size[:]))
		if _, err := io.ReadFull(theirs, req); err != nil {
			return
		}
		if out := answer(req[4:8]); out != nil {
			_, _ = theirs.Write(out)
			return
		}
		_, _ = theirs.Read(size[:]) // until the other side gives up
	}()
	req := kmsg.NewPtrMetadataRequest()
	req.SetVersion(wantMetadata)
	e := &exchange{ctx: ctx, broker: anyBroker, req: req, idle: 10 * time.Second, limit: 1000}
	_, err := e.RawExchange(ours)
	return e, err
}

func frame(body ...[]byte) []byte {
	out := make([]byte, 4)
	for _, b := range body {
		out = append(out, b...)
	}
	binary.BigEndian.PutUint32(out, uint32(len(out)-4))
	return out
}

func TestExchange(t *testing.T) {
	resp := kmsg.NewPtrMetadataResponse()
	resp.SetVersion(wantMetadata)
	resp.ClusterID = kmsg.StringPtr("cluster")
	good := resp.AppendTo(nil)
	for _, c := range []struct {
		name, says string
		answer     func(id []byte) []byte
	}{
		{"good", "", func(id []byte) []byte { return frame(id, []byte{0}, good) }},
		{"with tags in its header", "", func(id []byte) []byte { return frame(id, []byte{2, 1, 3, 'a', 'b', 'c', 9, 0}, good) }},
		{"of another request", "correlation id", func(id []byte) []byte { return frame([]byte{9, 9, 9, 9}, []byte{0}, good) }},
		{"too long", "limit", func(id []byte) []byte { return []byte{0, 0, 4, 0} }},
		{"negative", "limit", func(id []byte) []byte { return []byte{255, 0, 0, 0} }},
		{"cut by the peer", "EOF", func(id []byte) []byte { return frame(id, []byte{0}, good)[:20] }},
		{"cut within", "decoding", func(id []byte) []byte { return frame(id, []byte{0}, good[:5]) }},
		{"header cut", "header", func(id []byte) []byte { return frame(id, []byte{1, 1, 90}) }},
		{"no header", "header", func(id []byte) []byte { return frame(id) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := talk(t, context.Background(), c.answer)
			if c.says == "" {
				if err != nil || *e.resp.(*kmsg.MetadataResponse).ClusterID != "cluster" {
					t.Errorf("%+v, %v", e.resp, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
		})
	}
}

func TestExchangeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	start := time.Now()
	_, err := talk(t, ctx, func([]byte) []byte { cancel(); return nil })
	if err == nil || time.Since(start) > 5*time.Second {
		t.Errorf("after %v: %v", time.Since(start), err)
	}
}

// A broker that accepts and then is silent must not hold Open past its context, nor a SASL exchange for ever.
func TestSilentBroker(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	if c, err := Open(ctx, Config{Brokers: []string{l.Addr().String()}}); err == nil || time.Since(start) > 10*time.Second {
		t.Errorf("after %v: %v %v", time.Since(start), c, err)
	}
	ours, theirs := net.Pipe()
	defer func() { _ = theirs.Close() }()
	c := &setupConn{Conn: ours, limit: 20 * time.Millisecond}
	if err := c.SetDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("read without an end")
	}
	if err := c.SetDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	go func() {
		time.Sleep(100 * time.Millisecond)
		_, _ = theirs.Write([]byte{1})
	}()
	if _, err := c.Read(make([]byte, 1)); err != nil {
		t.Errorf("past the setup: %v", err)
	}
}

func FuzzSkipTags(f *testing.F) {
	f.Add([]byte{0, 7})
	f.Add([]byte{1, 1, 2, 3, 4, 5})
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		if rest, err := skipTags(b); err == nil && len(rest) >= len(b) {
			t.Errorf("%d bytes are left of %d", len(rest), len(b))
		}
	})
}
