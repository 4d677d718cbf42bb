package main

import (
	"io"
	"net"
	"testing"
	"time"

	"rowmark/test/linear"
)

// What a paused process has written goes out after the pause, also if it has given the call up by then, and the
// connection; what it
// was sent it reads after the pause.
func TestAPausedProcessSpeaksLate(t *testing.T) {
	w := newWorld(1, false)
	p := &process{w: w, cancel: func() {}, links: map[*link]bool{}}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	nc, err := p.dial(t.Context(), ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	nc.(*link).tap.quiet = true // it is no HBase that speaks here
	p.pause()
	_ = nc.SetWriteDeadline(time.Now().Add(10 * time.Millisecond)) // as the client does; it passes in the pause
	if _, err := nc.Write([]byte("late")); err != nil {
		t.Fatal(err)
	}
	if err := nc.Close(); err != nil {
		t.Fatal(err)
	}
	_ = server.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, err := server.Read(make([]byte, 9)); n > 0 || err == nil || err == io.EOF {
		t.Fatalf("during the pause %d bytes came, %v", n, err)
	}
	if !p.resume() {
		t.Error("nothing went out after the pause")
	}
	_ = server.SetReadDeadline(time.Now().Add(10 * time.Second))
	if got, err := io.ReadAll(server); string(got) != "late" || err != nil {
		t.Errorf("after the pause came %q, %v", got, err)
	}
}

// What is recorded at the sockets is what happened: the applied swaps and writes, one after another, give what the
// tables hold by another way.
func TestTheRecordIsWhatHappened(t *testing.T) {
	_, w := quiet(t)
	last := map[string]string{}
	applied, reads := 0, 0
	for _, o := range w.registers.Ops() {
		if o.Kind == linear.Read {
			reads++
		} else if o.Outcome == linear.Applied {
			applied++
			last[o.Key] = string(o.Put)
		}
	}
	if applied == 0 || reads == 0 {
		t.Fatalf("%d swaps and %d reads of checkpoints were recorded", applied, reads)
	}
	checkpoints := w.content("rowmark")
	for source, want := range last {
		if got := string(checkpoints[source]["c:position"].Value); got != want {
			t.Errorf("checkpoint %s holds %x, the last swap put %x", source, got, want)
		}
	}
	lists, marks := map[string]string{}, map[string]int64{}
	for _, o := range w.rows.Ops() {
		if o.Kind == linear.RowWrite && o.Outcome == linear.Applied {
			lists[o.Key] += string(o.Payload)
			marks[o.Key] = o.Next
		}
	}
	if len(lists) == 0 {
		t.Fatal("no write of a sampled row was recorded")
	}
	counts := w.content("counts")
	for row, want := range lists {
		if got := string(counts[row]["l:list"].Value); got != want {
			t.Errorf("row %s lists %s, its writes %s", row, got, want)
		}
		found := false
		for name, c := range counts[row] {
			found = found || len(name) > 3 && name[:3] == "_k:" && c.Timestamp == marks[row]
		}
		if !found {
			t.Errorf("row %s has no mark at %d", row, marks[row])
		}
	}
}
