package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"time"
)

// edgeClasses take away what was not read yet, and make a topic anew.
func edgeClasses() []class {
	return []class{
		{classCost{"retention overrun", kafkaLane, 16 * time.Second}, overrun},
		{classCost{"topic recreated", kafkaLane, 20 * time.Second}, recreate},
	}
}

// overrun deletes records that the connector has not read. It must stop there and say which, and go on only when told.
func overrun(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	c, p := s.yard.all["at-edge"], s.edges[holeTopic]
	p.halt()
	defer func() {
		if err := p.goOn(); err != nil {
			s.fail(err)
		}
	}()
	src := source{topic: holeTopic}
	if err := s.caughtUp(ctx, edgeSink, src, 90*time.Second); err != nil {
		return "", err
	}
	c.hold()
	defer c.release()
	old := c.process()
	_ = old.signal(syscall.SIGTERM) // it may be ending by itself
	if err := old.wait(time.Minute); err != nil {
		return "", err
	}
	cp, err := s.checkpointNow(edgeSink, src)
	if err != nil {
		return "", err
	}
	if err := p.burst(60 + rnd.IntN(60)); err != nil {
		return "", err
	}
	end := s.stable(ctx)[src]
	if err := s.truth.reach(ctx, src, end, time.Minute); err != nil {
		return "", err
	}
	cut := cp + 1 + rnd.Int64N(end-cp-1)
	first, err := s.topics.DeleteRecords(ctx, holeTopic, 0, cut)
	if err == nil && first != cut {
		err = fmt.Errorf("deleting records of %s below %d: the log begins at %d", holeTopic, cut, first)
	}
	if err != nil {
		s.fail(err) // deleted or not: the rest means nothing
		return "", err
	}
	s.truth.drop(src, cp, cut)
	told, err := c.rival()
	if err != nil {
		return "", err
	}
	hole := fmt.Sprintf("[%d, %d)", cp, cut)
	err = until(ctx, time.Minute, "the connector to name the hole "+hole, func() (bool, error) {
		return len(told.said(hole)) > 0 || told.ended(), nil
	})
	_ = sleep(ctx, time.Second) // for what it might do all the same
	at, aerr := s.checkpointNow(edgeSink, src)
	_ = told.signal(syscall.SIGTERM)
	if werr := told.wait(time.Minute); werr != nil {
		return "", werr
	}
	s.yard.ended(c.name, told)
	switch {
	case err != nil:
		return "", err
	case aerr != nil:
		return "", aerr
	case len(told.said(hole)) == 0:
		return "", fmt.Errorf("deleting records %s: the connector does not name them", hole)
	case at != cp:
		s.found.add("hole", found(lost, "checkpoint %s/%s passed the hole %s in silence, to %d", edgeSink, src.name(), hole, at))
		return "", fmt.Errorf("deleting records %s: the checkpoint passed them", hole)
	}
	c.release("--set=kafka.out_of_range=earliest")
	if err := until(ctx, 2*time.Minute, "the checkpoint to pass the hole", func() (bool, error) {
		q := s.watch.of(edgeSink)[src]
		return q != nil && q.offset >= cut, nil
	}); err != nil {
		return "", err
	}
	c.release() // its next start goes without again
	return fmt.Sprintf("%s ended with %d and named the hole %s; with out_of_range: earliest it went on behind it", told.name, told.exit(), hole), nil
}

// checkpointNow reads a checkpoint afresh.
func (s *stage) checkpointNow(sink string, src source) (int64, error) {
	cells, err := s.admin.Dump(checkpointTable)
	if err != nil {
		return 0, err
	}
	all, err := parsePositions(cells)
	if err != nil {
		return 0, err
	}
	for _, p := range all {
		if p.sink == sink && p.source == src {
			return p.offset, nil
		}
	}
	return 0, fmt.Errorf("reading the checkpoint of %s/%s: there is none", sink, src.name())
}

// caughtUp waits until a sink's checkpoint is at the end of a log as it is now.
func (s *stage) caughtUp(ctx context.Context, sink string, src source, within time.Duration) error {
	return until(ctx, within, fmt.Sprintf("sink %s to be at the end of %s", sink, src.name()), func() (bool, error) {
		end, ok := s.stable(ctx)[src]
		p := s.watch.of(sink)[src]
		return ok && p != nil && p.offset >= end, nil
	})
}

// recreate deletes the topic under the running connector, and makes it anew: its offsets mean other records now.
func recreate(ctx context.Context, s *stage, _ *rand.Rand) (string, error) {
	p := s.edges[againTopic]
	life := s.lives()[againTopic]
	src := source{againTopic, 0, life}
	p.halt()
	if err := s.caughtUp(ctx, edgeSink, src, 90*time.Second); err != nil {
		if e := p.goOn(); e != nil {
			s.fail(e)
		}
		return "", err
	}
	if err := s.truth.reach(ctx, src, s.stable(ctx)[src], time.Minute); err != nil {
		return "", err
	}
	s.unfollow(againTopic)
	err := s.topics.DeleteTopic(ctx, againTopic)
	if err == nil {
		err = s.topics.CreateTopic(context.Background(), againTopic, 1, 3, "min.insync.replicas", "2")
	}
	if err == nil {
		err = s.follow(againTopic, life+1, 1)
	}
	if err == nil {
		err = p.goOn()
	}
	if err != nil {
		s.fail(err) // without the topic the rest means nothing
		return "", err
	}
	next := source{againTopic, 0, life + 1}
	if err := until(ctx, 2*time.Minute, "the new incarnation to be read", func() (bool, error) {
		q := s.watch.of(edgeSink)[next]
		return q != nil && q.offset > 0, nil
	}); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s was made anew, and is read as %s", againTopic, strings.TrimPrefix(next.name(), againTopic+"/")), nil
}
