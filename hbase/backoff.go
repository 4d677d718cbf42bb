package hbase

import (
	"context"
	"math/rand/v2"
	"time"
)

// backoff spaces out the tries of a read: 20 ms, doubling up to a second, with jitter.
type backoff struct{ next time.Duration }

const (
	backoffFirst = 20 * time.Millisecond
	backoffMost  = time.Second
)

// wait sleeps before the next try, at least as long as err's server asked for. It fails when ctx ends first.
func (b *backoff) wait(ctx context.Context, err error) error {
	d := max(b.next, backoffFirst)
	b.next = min(2*d, backoffMost)
	d = d/2 + rand.N(d/2+1)
	if e := asError(err); e != nil {
		d = max(d, e.Wait)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
