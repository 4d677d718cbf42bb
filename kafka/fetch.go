package kafka

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// exchange runs one Fetch and settles its requests: delivered, failed, or waiting again.
func (r *Reader) exchange(f *fetch) {
	e := &exchange{lender: &r.answers}
	resp, err := r.send(f, e)
	r.mu.Lock()
	b := r.brokers[f.broker]
	if err != nil {
		b.notYet = time.Now().Add(backoff(b.failures))
		b.failures++
		r.c.forgetVersions(f.broker)
	} else {
		// A broker does not read on from a client over its quota before that time is over.
		b.failures, b.notYet = 0, time.Now().Add(time.Duration(resp.ThrottleMillis)*time.Millisecond)
	}
	r.free(f)
	if err != nil {
		for _, p := range f.parts {
			r.again(f, p.q, true, 0)
		}
	}
	r.mu.Unlock()
	if err != nil {
		if r.ctx.Err() == nil {
			r.c.warn(fmt.Sprint("fetch ", f.broker), err, "fetching failed, trying again")
		}
		return
	}
	r.settle(f, resp)
	e.free() // the chunks keep no part of it
}

// again lets a request of f wait for another Fetch. stale says that its leader may have moved. It needs mu.
func (r *Reader) again(f *fetch, q *request, stale bool, pause time.Duration) bool {
	if r.requests[q.tp] != q || q.fetch != f {
		return false
	}
	q.fetch, q.notYet = nil, time.Now().Add(pause)
	if stale {
		delete(r.followers, q.tp)
		if t := r.c.meta.topic(q.tp.Topic); t != nil {
			q.metaSeq = t.seq
		}
	}
	r.poke()
	return true
}

func (r *Reader) send(f *fetch, e *exchange) (*kmsg.FetchResponse, error) {
	v, err := r.c.versionsOf(r.ctx, f.broker)
	if err != nil {
		return nil, err
	}
	version, err := v.pick(keyFetch, fetchWithTopicIDs)
	if err != nil {
		return nil, err
	}
	e.req = r.request(f, version)
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	if err := r.c.exchange(ctx, f.broker, e, f.wait); err != nil {
		return nil, err
	}
	fr := e.resp.(*kmsg.FetchResponse)
	if err := codeError(fr.ErrorCode); err != nil {
		return nil, fmt.Errorf("fetching from broker %d: %w", f.broker, err)
	}
	return fr, nil
}

func (r *Reader) request(f *fetch, version int16) *kmsg.FetchRequest {
	cfg := r.c.cfg
	for _, p := range f.parts { // an id is known for all topics of a version or for none
		if p.id == (TopicID{}) && version >= fetchWithTopicIDs {
			version = fetchWithLastEpoch
		}
	}
	req := kmsg.NewPtrFetchRequest()
	req.SetVersion(version)
	req.MaxWaitMillis = int32(f.wait / time.Millisecond)
	req.MinBytes = int32(cfg.FetchMinBytes)
	req.SessionEpoch = -1 // no incremental session: requests differ from Fetch to Fetch
	req.Rack = cfg.RackID
	if cfg.ReadCommitted {
		req.IsolationLevel = 1
	}
	total := 0
	topics := map[string]int{}
	for _, p := range f.parts {
		q := p.q
		i, ok := topics[q.tp.Topic]
		if !ok {
			i = len(req.Topics)
			topics[q.tp.Topic] = i
			t := kmsg.NewFetchRequestTopic()
			t.Topic, t.TopicID = q.tp.Topic, p.id
			req.Topics = append(req.Topics, t)
		}
		fp := kmsg.NewFetchRequestTopicPartition()
		fp.Partition, fp.FetchOffset, fp.PartitionMaxBytes = q.tp.Partition, q.at.Offset, int32(p.size)
		fp.CurrentLeaderEpoch, fp.LastFetchedEpoch = p.epoch, q.at.LeaderEpoch
		req.Topics[i].Partitions = append(req.Topics[i].Partitions, fp)
		total += p.size
	}
	req.MaxBytes = int32(min(total, cfg.FetchMaxBytes))
	return req
}
