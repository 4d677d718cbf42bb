package core

import "time"

// bucket lets records through at a rate. It begins empty, and saves up what a second lets through.
type bucket struct {
	rate  int64 // records a second; 0: without a bound
	have  int64 // billionths of a record
	at    time.Duration
	begun bool
}

// oneRecord is one record, as a bucket counts.
const oneRecord = int64(time.Second)

// manyRecords stands for no bound.
const manyRecords = 1 << 40

func (b *bucket) fill(now time.Duration) {
	if !b.begun {
		b.begun, b.at = true, now
	}
	passed := min(now-b.at, time.Second)
	b.have = min(b.have+b.rate*int64(passed), b.rate*oneRecord)
	b.at = now
}

// whole is how many records may go now.
func (b *bucket) whole() int {
	if b.rate == 0 {
		return manyRecords
	}
	return int(b.have / oneRecord)
}

func (b *bucket) take(n int) {
	if b.rate > 0 {
		b.have -= int64(n) * oneRecord
	}
}

// wait is how long it takes until n records may go.
func (b *bucket) wait(n int) time.Duration {
	if b.rate == 0 {
		return 0
	}
	lacks := int64(n)*oneRecord - b.have
	return time.Duration(max(0, (lacks+b.rate-1)/b.rate))
}
