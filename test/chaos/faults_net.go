package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"rowmark/test/chaos/proxy"
)

// netFaults are what the proxy does to frames, with the rates that a running system bears: most frames pass, and every
// call that is repeated meets them again.
var netFaults = []struct {
	fault proxy.Fault
	rate  float64
	kafka bool // also towards Kafka
}{
	{proxy.LoseRequest, 0.05, true},
	{proxy.LoseAnswer, 0.08, true},
	{proxy.Delay, 0.2, true},
	{proxy.DoubleRequest, 0.25, false},
	{proxy.Reset, 0.08, true},
	{proxy.HalfOpen, 0.04, true},
	{proxy.BlackHole, 0.5, true},
	{proxy.Slow, 0.3, true},
}

func netClasses() []class {
	var out []class
	for _, f := range netFaults {
		out = append(out, netClass(f.fault, f.rate, "hbase"))
		if f.kafka {
			out = append(out, netClass(f.fault, f.rate, "kafka"))
		}
	}
	return append(out, netClass("", 0, "hbase"), netClass("", 0, "kafka"))
}

// netClass is one fault towards one service; the empty one is a mixture of all.
func netClass(f proxy.Fault, rate float64, service string) class {
	name := fmt.Sprintf("%s (%s)", f, service)
	if f == "" {
		name = fmt.Sprintf("mixed frame faults (%s)", service)
	}
	return class{classCost{name, netLane, 8 * time.Second}, func(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
		p := s.hbaseProxy
		if service == "kafka" {
			p = s.kafkaProxy
		}
		rates := map[proxy.Fault]float64{}
		if f != "" {
			rates[f] = rate
		}
		for _, x := range netFaults {
			if f == "" && x.fault != proxy.BlackHole && (x.kafka || service == "hbase") {
				rates[x.fault] = x.rate / 5
			}
		}
		before := p.Bites()
		if err := p.Set(rates); err != nil {
			return "", err
		}
		defer func() { _ = p.Set(nil) }() // no rates are always right
		if f == proxy.BlackHole {
			// It takes new connections only.
			_ = sleep(ctx, 200*time.Millisecond)
			p.ResetAll("")
		}
		_ = sleep(ctx, time.Duration(3000+rnd.IntN(3000))*time.Millisecond) // what is cut short shows in the bites
		after, text := p.Bites(), ""
		for x := range rates {
			if n := after[x] - before[x]; n > 0 {
				text += fmt.Sprintf("%d times %s, ", n, x)
			}
		}
		if text == "" {
			return "", nil
		}
		return text + "towards " + service, nil
	}}
}
