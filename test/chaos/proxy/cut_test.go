package proxy

import (
	"slices"
	"testing"
	"time"
)

func TestCutHoldsAndHealDelivers(t *testing.T) {
	p, _ := start(t, Options{Linger: 100 * time.Millisecond})
	cut, other := startEcho(t, HBase), startEcho(t, HBase)
	c, o := dial(t, p, cut.addr), dial(t, p, other.addr)
	send(t, c, hbaseHello(), hbaseCall(1, "Get", nil))
	receive(t, answers(t, c, HBase), 1)
	p.Cut(cut.addr)
	send(t, c, hbaseCall(2, "Multi", nil))
	send(t, o, hbaseHello(), hbaseCall(1, "Get", nil))
	receive(t, answers(t, o, HBase), 1) // the other is not cut
	eventually(t, "the cut to bite", func() bool { return p.Bites()[Cut] > 0 })
	nothing(t, c)
	dialled := make(chan error, 1)
	go func() {
		fresh, err := tryDial(p, cut.addr)
		if err == nil {
			err = fresh.Close()
		}
		dialled <- err
	}()
	eventually(t, "the new connection to be held", func() bool { return p.Bites()[Cut] > 1 })
	if err := c.Close(); err != nil { // the client gives up, and its request is under way
		t.Fatal(err)
	}
	select {
	case err := <-dialled:
		t.Errorf("a connection to a cut target was made (%v)", err)
	case <-time.After(100 * time.Millisecond):
	}
	if cut.count("Multi") != 0 {
		t.Error("a request passed the cut")
	}
	p.Heal()
	if err := <-dialled; err != nil {
		t.Errorf("after Heal: %v", err)
	}
	eventually(t, "the held request to arrive", func() bool { return cut.count("Multi") == 1 })
	wantBites(t, p, Cut, 2)
}

func TestCutOfAllAndEndInside(t *testing.T) {
	p, _ := start(t, Options{})
	e := startEcho(t, HBase)
	c := dial(t, p, e.addr)
	send(t, c, hbaseHello(), hbaseCall(1, "Get", nil))
	receive(t, answers(t, c, HBase), 1)
	p.Cut("")
	send(t, c, hbaseCall(2, "Get", nil))
	eventually(t, "the cut to bite", func() bool { return p.Bites()[Cut] > 0 })
	// Close, in the clean-up, must not wait for a Heal.
}

func TestResetAll(t *testing.T) {
	p, _ := start(t, Options{})
	e, other := startEcho(t, HBase), startEcho(t, HBase)
	c, o := dial(t, p, e.addr), dial(t, p, other.addr)
	for _, x := range []struct {
		c interface{ Write([]byte) (int, error) }
	}{{c}, {o}} {
		if _, err := x.c.Write(slices.Concat(hbaseHello(), hbaseCall(1, "Get", nil))); err != nil {
			t.Fatal(err)
		}
	}
	receive(t, answers(t, c, HBase), 1)
	receive(t, answers(t, o, HBase), 1)
	p.ResetAll(e.addr)
	if _, err := answers(t, c, HBase).next(); err == nil {
		t.Error("a reset connection answered")
	}
	send(t, o, hbaseCall(2, "Get", nil))
	receive(t, answers(t, o, HBase), 1)
	wantBites(t, p, Reset, 1)
}

func TestRules(t *testing.T) {
	p, _ := start(t, Options{})
	for name, r := range map[string]Rule{
		"unknown":  {Rates: map[Fault]float64{"loose-request": 1}},
		"cut":      {Rates: map[Fault]float64{Cut: 1}},
		"negative": {Rates: map[Fault]float64{Slow: -0.1}},
		"above 1":  {Rates: map[Fault]float64{Slow: 1.1}},
		"sum":      {Rates: map[Fault]float64{Slow: 0.6, Reset: 0.6}},
	} {
		if err := p.SetRules(r); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	e := startEcho(t, HBase)
	lose := map[Fault]float64{LoseRequest: 1}
	set(
		t, p,
		Rule{Target: "127.0.0.1:1", Rates: lose},
		Rule{Protocol: Kafka, Rates: lose},
		Rule{Method: "Multi", Max: 3, Rates: lose},
		Rule{Method: "Multi"}, // nothing, once the one above is used up
		Rule{Method: "Get", Rates: map[Fault]float64{Slow: 1}},
	)
	c := dial(t, p, e.addr)
	send(t, c, hbaseHello())
	for id := 1; id <= 5; id++ {
		send(t, c, hbaseCall(id, "Multi", nil))
	}
	send(t, c, hbaseCall(6, "Get", nil))
	if ids := receive(t, answers(t, c, HBase), 3); !slices.Equal(ids, []int64{4, 5, 6}) {
		t.Errorf("answers to %v, want to 4, 5 and 6", ids)
	}
	wantBites(t, p, LoseRequest, 3)
	wantBites(t, p, Slow, 1)
}

// TestSameSeedSameFaults runs one connection twice.
func TestSameSeedSameFaults(t *testing.T) {
	e := startEcho(t, HBase)
	run := func(seed uint64) []int64 {
		p, told := start(t, Options{Seed: seed})
		set(t, p, Rule{Method: "Multi", Rates: map[Fault]float64{LoseRequest: 0.2}})
		c := dial(t, p, e.addr)
		send(t, c, hbaseHello())
		for id := 1; id <= 200; id++ {
			send(t, c, hbaseCall(id, "Multi", nil))
		}
		send(t, c, hbaseCall(201, "Get", nil))
		r := answers(t, c, HBase)
		for {
			f, err := r.next()
			if err != nil {
				t.Fatal(err)
			}
			if f.id == 201 {
				break
			}
		}
		var ids []int64
		told.mu.Lock()
		defer told.mu.Unlock()
		for _, b := range told.all {
			ids = append(ids, b.ID)
		}
		return ids
	}
	one, same, other := run(1), run(1), run(2)
	if !slices.Equal(one, same) || slices.Equal(one, other) {
		t.Errorf("seed 1 lost %v and %v, seed 2 %v", one, same, other)
	}
	if len(one) < 10 || len(one) > 90 {
		t.Errorf("a rate of 0.2 lost %d of 200", len(one))
	}
}
