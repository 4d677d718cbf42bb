package kafka

import (
	"errors"
	"fmt"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"
)

var errFollower = errors.New("the follower can't serve it")

// settle hands each partition's part of an answer to its request.
func (r *Reader) settle(f *fetch, resp *kmsg.FetchResponse) {
	type key struct {
		name string
		id   TopicID
		part int32
	}
	byID := resp.Version >= fetchWithTopicIDs
	answers := map[key]*kmsg.FetchResponseTopicPartition{}
	for i := range resp.Topics {
		t := &resp.Topics[i]
		for j := range t.Partitions {
			p := &t.Partitions[j]
			k := key{name: t.Topic, part: p.Partition}
			if byID {
				k = key{id: t.TopicID, part: p.Partition}
			}
			answers[k] = p
		}
	}
	for _, p := range f.parts {
		k := key{name: p.q.tp.Topic, part: p.q.tp.Partition}
		if byID {
			k = key{id: p.id, part: p.q.tp.Partition}
		}
		a := answers[k]
		if !r.holds(f, p.q) {
			continue
		}
		if a == nil {
			r.retry(f, p.q, errMissing)
			continue
		}
		r.settlePart(f, p, a)
	}
}

func (r *Reader) holds(f *fetch, q *request) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.requests[q.tp] == q && q.fetch == f
}

func (r *Reader) settlePart(f *fetch, p *fetchPart, a *kmsg.FetchResponseTopicPartition) {
	q := p.q
	err := codeError(a.ErrorCode)
	switch {
	case isCode(err, kafkago.OffsetOutOfRange):
		if p.follower {
			r.retry(f, q, fmt.Errorf("%w: %w", errFollower, err))
			return
		}
		r.done.Go(func() { r.outOfRange(f, q) })
		return
	case isCode(err, kafkago.InvalidMessage): // the broker's own check of its log failed
		r.corrupted(f, q, &CorruptError{q.tp, q.at.Offset, err.Error()})
		return
	case err != nil && (!retriable(err) || isCode(err, kafkago.UnsupportedCompressionType)):
		r.finishErr(q, fmt.Errorf("fetching %s at offset %d: %w", q.tp, q.at.Offset, err))
		return
	case err != nil:
		r.retry(f, q, err)
		return
	case a.DivergingEpoch.Epoch >= 0 || a.DivergingEpoch.EndOffset >= 0:
		r.finishErr(q, &DivergedError{q.tp, q.at.Offset, a.DivergingEpoch.Epoch, a.DivergingEpoch.EndOffset})
		return
	case a.PreferredReadReplica >= 0 && len(a.RecordBatches) == 0 && a.PreferredReadReplica != f.broker:
		r.mu.Lock()
		if r.again(f, q, false, 0) {
			r.followers[q.tp] = follower{a.PreferredReadReplica, time.Now().Add(followFor)}
		}
		r.mu.Unlock()
		return
	}
	out := decoding{
		tp: q.tp, src: a.RecordBatches, from: q.at.Offset, epoch: q.at.LeaderEpoch,
		committed: r.c.cfg.ReadCommitted, aborted: a.AbortedTransactions, maxBytes: p.size, z: r.z, lists: &r.lists,
	}.run()
	ch := Chunk{
		TopicPartition: q.tp, From: q.at.Offset, Next: out.next, Records: out.records, Bytes: out.bytes,
		LeaderEpoch: out.epoch, HighWatermark: a.HighWatermark, LastStable: a.LastStableOffset, LogStart: a.LogStartOffset,
	}
	switch {
	case out.next > q.at.Offset:
		r.finish(q, ch)
	case out.err != nil:
		r.corrupted(f, q, out.err)
	case out.short > 0:
		r.mu.Lock()
		q.size = min(max(2*p.size, out.short), r.c.cfg.FetchMaxBytes)
		r.again(f, q, false, 0)
		r.mu.Unlock()
	case r.showsNews(q, ends{ch.HighWatermark, ch.LastStable, ch.LogStart}):
		r.finish(q, ch)
	default:
		r.mu.Lock()
		q.tries, q.corrupt = 0, 0
		r.again(f, q, false, 0)
		r.mu.Unlock()
	}
}

// showsNews says whether an answer without progress is worth a chunk.
func (r *Reader) showsNews(q *request, e ends) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	last, ok := r.ends[q.tp]
	return !ok || last != e || time.Since(q.since) >= showEndEvery
}

// retry lets a request wait for a newer layout and a back-off.
func (r *Reader) retry(f *fetch, q *request, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.again(f, q, true, backoff(q.tries))
	q.tries++
	// Each leader change makes one or two of these; only what stays is worth a line.
	if q.tries > 2 {
		r.c.warn("fetch "+q.tp.String(), err, "fetching "+q.tp.String()+" failed, trying again")
	}
}

// corrupted tries a few times more, as the bytes may have been hurt on their way, and then tells.
func (r *Reader) corrupted(f *fetch, q *request, err *CorruptError) {
	r.mu.Lock()
	q.corrupt++
	tries := q.corrupt
	if tries < corruptTries {
		r.again(f, q, true, backoff(tries))
		r.c.warn("corrupt "+q.tp.String(), err, "a batch can't be read, trying again")
	}
	r.mu.Unlock()
	if tries >= corruptTries {
		r.finishErr(q, err)
	}
}

// outOfRange finds out what is wrong with an offset that the leader refuses.
func (r *Reader) outOfRange(f *fetch, q *request) {
	tps := []TopicPartition{q.tp}
	start, err := r.c.ListOffsets(r.ctx, tps, Earliest)
	if err == nil {
		err = start[q.tp].Err
	}
	var end map[TopicPartition]OffsetAt
	if err == nil {
		if end, err = r.c.ListOffsets(r.ctx, tps, Latest); err == nil {
			err = end[q.tp].Err
		}
	}
	if err != nil {
		r.retry(f, q, err)
		return
	}
	s, e := start[q.tp].Offset, end[q.tp].Offset
	if q.at.Offset < s || q.at.Offset > e {
		r.finishErr(q, &OutOfRangeError{q.tp, q.at.Offset, s, e})
		return
	}
	// Inside the log: the leader refuses an epoch that its log doesn't know, or things have changed meanwhile.
	if q.at.LeaderEpoch >= 0 {
		known, err := r.c.EpochEnd(r.ctx, q.tp, q.at.LeaderEpoch)
		if err == nil && (known.Epoch < q.at.LeaderEpoch || known.EndOffset < q.at.Offset) {
			r.finishErr(q, &DivergedError{q.tp, q.at.Offset, known.Epoch, known.EndOffset})
			return
		}
	}
	r.retry(f, q, kafkago.OffsetOutOfRange)
}
