package proxy

import (
	"errors"
	"io"
	"slices"
	"syscall"
	"testing"
	"time"
)

func set(t *testing.T, p *Proxy, rules ...Rule) {
	t.Helper()
	if err := p.SetRules(rules...); err != nil {
		t.Fatal(err)
	}
}

func wantBites(t *testing.T, p *Proxy, f Fault, n int) {
	t.Helper()
	// A frame may arrive a moment before its bite is counted.
	eventually(t, string(f), func() bool { return p.Bites()[f] >= n })
	if got := p.Bites()[f]; got != n {
		t.Errorf("%s bit %d times, want %d (all: %v)", f, got, n, p.Bites())
	}
}

func TestLostRequestIsThatOneAlone(t *testing.T) {
	p, told := start(t, Options{})
	e := startEcho(t, HBase)
	set(t, p, Rule{Method: "Multi", Rates: map[Fault]float64{LoseRequest: 1}})
	c := dial(t, p, e.addr)
	send(t, c, hbaseHello(), hbaseCall(1, "Multi", nil), hbaseCall(2, "Get", nil), hbaseCall(3, "Multi", nil), hbaseCall(4, "Get", nil))
	if ids := receive(t, answers(t, c, HBase), 2); !slices.Equal(ids, []int64{2, 4}) {
		t.Errorf("answers to %v, want to 2 and 4", ids)
	}
	if e.count("Multi") != 0 || e.count("Get") != 2 {
		t.Errorf("the server got %v", e.frames())
	}
	wantBites(t, p, LoseRequest, 2)
	b := told.all[0]
	if b.Target != e.addr || b.Protocol != HBase || b.Method != "Multi" || b.ID != 1 || b.At.IsZero() {
		t.Errorf("told of %+v", b)
	}
}

func TestLostAnswerWasApplied(t *testing.T) {
	p, _ := start(t, Options{})
	e := startEcho(t, HBase)
	set(t, p, Rule{Method: "Multi", Rates: map[Fault]float64{LoseAnswer: 1}})
	c := dial(t, p, e.addr)
	send(t, c, hbaseHello(), hbaseCall(1, "Multi", nil), hbaseCall(2, "Get", nil))
	if ids := receive(t, answers(t, c, HBase), 1); ids[0] != 2 {
		t.Errorf("an answer to %v, want to 2", ids)
	}
	if e.count("Multi") != 1 {
		t.Errorf("the server got %v, want the Multi, too", e.frames())
	}
	wantBites(t, p, LoseAnswer, 1)
}

// TestLossInOrderSilences: of a stream that is answered in order nothing passes after a loss.
func TestLossInOrderSilences(t *testing.T) {
	for _, f := range []Fault{LoseRequest, LoseAnswer} {
		p, _ := start(t, Options{})
		e := startEcho(t, Kafka)
		set(t, p, Rule{Method: "Produce", Rates: map[Fault]float64{f: 1}})
		c := dial(t, p, e.addr)
		send(t, c, kafkaCall(1, 18, nil))
		receive(t, answers(t, c, Kafka), 1)
		send(t, c, kafkaCall(2, 0, nil))
		eventually(t, "the fault", func() bool { return p.Bites()[f] == 1 })
		send(t, c, kafkaCall(3, 1, nil))
		nothing(t, c)
		if got := e.count("Produce"); got != 0 && f == LoseRequest || got != 1 && f == LoseAnswer {
			t.Errorf("%s: the server got %d produce requests", f, got)
		}
		if e.count("Fetch") != 0 {
			t.Errorf("%s: the server got what came after", f)
		}
	}
}

func TestDoubledRequests(t *testing.T) {
	p, _ := start(t, Options{DelayMin: time.Millisecond, DelayMax: 5 * time.Millisecond})
	h, k := startEcho(t, HBase), startEcho(t, Kafka)
	set(t, p, Rule{Rates: map[Fault]float64{DoubleRequest: 1}})
	c := dial(t, p, h.addr)
	send(t, c, hbaseHello())
	for id := 1; id <= 10; id++ {
		send(t, c, hbaseCall(id, "Multi", nil))
	}
	send(t, c, hbaseCall(11, "Scan", nil))
	receive(t, answers(t, c, HBase), 21)
	if h.count("Multi") != 20 || h.count("Scan") != 1 {
		t.Errorf("the server got %d Multi and %d Scan, want 20 and 1", h.count("Multi"), h.count("Scan"))
	}
	wantBites(t, p, DoubleRequest, 10)
	c = dial(t, p, k.addr)
	send(t, c, kafkaCall(1, 18, nil), kafkaCall(2, 0, nil), kafkaCall(3, 0, nil))
	receive(t, answers(t, c, Kafka), 3)
	nothing(t, c)
	if k.count("Produce") != 2 {
		t.Errorf("kafka got %d produce requests, want 2: they must never be doubled", k.count("Produce"))
	}
}

func TestLateCallIsOvertaken(t *testing.T) {
	p, _ := start(t, Options{DelayMin: 100 * time.Millisecond, DelayMax: 100 * time.Millisecond})
	e := startEcho(t, HBase)
	set(t, p, Rule{Method: "Multi", Rates: map[Fault]float64{Delay: 1}})
	c := dial(t, p, e.addr)
	send(t, c, hbaseHello(), hbaseCall(1, "Multi", nil), hbaseCall(2, "Get", nil))
	if ids := receive(t, answers(t, c, HBase), 2); !slices.Equal(ids, []int64{2, 1}) {
		t.Errorf("answers to %v, want the late one last", ids)
	}
	wantBites(t, p, Delay, 1)
}

// TestLateCallOutlivesItsClient: what was given up is carried out all the same.
func TestLateCallOutlivesItsClient(t *testing.T) {
	p, _ := start(t, Options{DelayMin: 200 * time.Millisecond, DelayMax: 200 * time.Millisecond, Linger: 100 * time.Millisecond})
	e := startEcho(t, HBase)
	set(t, p, Rule{Method: "Multi", Rates: map[Fault]float64{Delay: 1}})
	for range 8 { // half of the delays are of the answer
		c := dial(t, p, e.addr)
		send(t, c, hbaseHello(), hbaseCall(1, "Multi", nil))
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "all calls to arrive", func() bool { return e.count("Multi") == 8 })
	eventually(t, "the connections to end", func() bool { return p.Open() == 0 })
}

func TestReset(t *testing.T) {
	p, told := start(t, Options{Seed: 3})
	e := startEcho(t, HBase)
	set(t, p, Rule{Method: "Multi", Rates: map[Fault]float64{Reset: 1}})
	for range 20 {
		c := dial(t, p, e.addr)
		send(t, c, hbaseHello(), hbaseCall(1, "Get", nil))
		r := answers(t, c, HBase)
		receive(t, r, 1)
		send(t, c, hbaseCall(2, "Multi", make([]byte, 1000)))
		for {
			if _, err := r.next(); err != nil {
				if !errors.Is(err, syscall.ECONNRESET) && err != io.EOF {
					t.Errorf("a reset connection gave %v", err)
				}
				break
			}
		}
	}
	wantBites(t, p, Reset, 20)
	kinds := map[string]bool{}
	for _, b := range told.all {
		kinds[b.Detail] = true
	}
	if len(kinds) != 3 {
		t.Errorf("20 resets were all %v, want three kinds", kinds)
	}
}

func TestHalfOpen(t *testing.T) {
	p, _ := start(t, Options{Silence: 500 * time.Millisecond})
	e := startEcho(t, HBase)
	set(t, p, Rule{Method: "Multi", Rates: map[Fault]float64{HalfOpen: 1}})
	c := dial(t, p, e.addr)
	send(t, c, hbaseHello(), hbaseCall(1, "Multi", nil))
	eventually(t, "the fault", func() bool { return p.Bites()[HalfOpen] == 1 })
	send(t, c, hbaseCall(2, "Get", nil))
	nothing(t, c)
	if e.count("Get") != 0 {
		t.Error("a request passed a half-open connection")
	}
	eventually(t, "the end of the silence", func() bool { return p.Open() == 0 })
}

func TestBlackHole(t *testing.T) {
	p, told := start(t, Options{Silence: 100 * time.Millisecond})
	e := startEcho(t, HBase)
	set(t, p, Rule{Target: e.addr, Rates: map[Fault]float64{BlackHole: 1}})
	refused := 0
	for range 12 {
		c, err := tryDial(p, e.addr)
		if err != nil {
			refused++
			continue
		}
		send(t, c, hbaseHello(), hbaseCall(1, "Get", nil))
		if _, err := answers(t, c, HBase).next(); err == nil {
			t.Error("a black hole answered")
		}
		_ = c.Close() // the proxy has closed it
	}
	wantBites(t, p, BlackHole, 12)
	if refused == 0 || refused == 12 {
		t.Errorf("%d of 12 were not made, want both kinds (%v)", refused, told.all)
	}
	if len(e.frames()) != 0 {
		t.Error("a request passed a black hole")
	}
}
