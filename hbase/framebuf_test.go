package hbase

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"rowmark/hbase/pb"
)

// filled is a call whose parameter is nothing but one byte, again and again.
func filled(c byte) *request {
	const n = 100 << 10
	return &request{method: "Get", size: n, body: func(f *frame) int {
		f.bytesField(1, bytes.Repeat([]byte{c}, n))
		return 0
	}}
}

// A call that is given up while its bytes are on their way is sent as it was: later calls must not be written into
// its memory before the socket has it all.
func TestFrameOfAGivenUpCallIsSentWhole(t *testing.T) {
	c, srv := pipeConn(t)
	ctx, cancel := context.WithCancel(context.Background())
	first := started(ctx, c, filled('a'))
	awaitSending(c, 0)
	queued := started(ctx, c, filled('b'))
	awaitSending(c, 1)
	cancel()
	wantFault(t, <-first, FaultAmbiguous)
	wantFault(t, <-queued, FaultConnect)

	fills := "cdefgh"
	var later []<-chan error
	for i := range fills {
		later = append(later, started(context.Background(), c, filled(fills[i])))
		await(c, func() bool { return len(c.calls) == i+1 }) // in the order of fills
	}
	for i, want := range "a" + fills {
		frame, err := readFrame(srv)
		if err != nil {
			t.Fatal(err)
		}
		_, n := protowire.ConsumeBytes(frame)
		_, m := protowire.ConsumeVarint(frame[n:])
		rest := frame[n+m+4:] // behind the field's tag and its length of three bytes
		if got := bytes.Count(rest, []byte{byte(want)}); got != len(rest) || got != 100<<10 {
			t.Errorf("call %d has %d of %d bytes %q", i, got, len(rest), want)
		}
	}
	c.fail(errors.New("lost"))
	for _, l := range later {
		wantFault(t, <-l, FaultAmbiguous)
	}
}

func TestFrameGrows(t *testing.T) {
	for _, size := range []int{0, 1, 4096, 4097, 1 << 20, 9 << 20} {
		f := newFrame(size)
		if len(f.b) < size || f.len() != 0 {
			t.Errorf("a frame for %d bytes has room for %d and holds %d", size, len(f.b), f.len())
		}
		part := bytes.Repeat([]byte("0123456789"), 1000)
		for range 1000 {
			f.bytesField(1, part)
		}
		if f.len() != 1000*(10000+3) {
			t.Errorf("a frame for %d bytes holds %d", size, f.len())
		}
		rest := f.bytes()
		for len(rest) > 0 {
			_, _, n := protowire.ConsumeTag(rest)
			v, m := protowire.ConsumeBytes(rest[n:])
			if m < 0 || !bytes.Equal(v, part) {
				t.Fatalf("a frame for %d bytes is broken %d bytes before its end", size, len(rest))
			}
			rest = rest[n+m:]
		}
		f.free()
		if again := newFrame(size); again.len() != 0 {
			t.Errorf("a frame out of the pool holds %d bytes", again.len())
		}
	}
}

func TestFrameOverTheLimitIsTheCallersFault(t *testing.T) {
	big := &request{method: "Get", body: func(f *frame) int {
		f.bytesField(1, make([]byte, maxFrame))
		return 0
	}}
	if _, err := newCallFrame(1, time.Second, big); err == nil {
		t.Error("a frame over the limit was built")
	}
	if _, err := newCallFrame(1, time.Second, &request{method: "Get", param: &pb.GetRequest{}}); err == nil {
		t.Error("a message without its required fields was sent")
	}
}
