package demo

import "time"

// mode is how a demo on embedded services and one on real ones differ.
type mode struct {
	article  string // before Kafka and HBase
	make     func() services
	records  int    // by default
	most     int    // what the services and the verdict hold in memory
	judges   string // who reads the cells
	detaches bool   // kept services outlive the demo

	// streamFor is the least time the stream takes, so that a small one too is still flowing at each kill.
	streamFor time.Duration
	pollEvery time.Duration
	// inFlight is from the opening of a gate to the kill: less than the connector's checkpoint interval.
	inFlight        time.Duration
	interval, lease time.Duration // the connector's
}

var embeddedMode = &mode{
	article: "an embedded", make: func() services { return &embedded{} },
	records: 100_000, most: 500_000,
	judges:    "the cells that the embedded HBase has stored (not read through rowmark's client)",
	streamFor: 4 * time.Second, pollEvery: 200 * time.Millisecond, inFlight: 250 * time.Millisecond,
	interval: 500 * time.Millisecond, lease: 1500 * time.Millisecond,
}

var realMode = &mode{
	article: "a real", make: func() services { return &realServices{} },
	records: 200_000, most: 2_000_000,
	judges: "the cells that HBase's own Java client reads", detaches: true,
	streamFor: 12 * time.Second, pollEvery: 500 * time.Millisecond, inFlight: 500 * time.Millisecond,
	interval: time.Second, lease: 3 * time.Second,
}

func (o *Options) mode() *mode {
	switch {
	case o.tempo != nil:
		return o.tempo
	case o.Real:
		return realMode
	}
	return embeddedMode
}
