package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"
)

// processClasses break the connectors' processes.
func processClasses() []class {
	return []class{
		{classCost{"connector kill -9", kafkaLane, 8 * time.Second}, killConnector},
		{classCost{"connector SIGTERM", kafkaLane, 5 * time.Second}, endConnector},
		{classCost{"connector paused past takeover", kafkaLane, 14 * time.Second}, takeOver},
		{classCost{"connector pause train", kafkaLane, 8 * time.Second}, connectorTrain},
		{classCost{"two starters", kafkaLane, 12 * time.Second}, twoStarters},
	}
}

var liveConnectors = []string{"main-a", "main-b", "second"}

func (s *stage) anyConnector(rnd *rand.Rand) *connector {
	return s.yard.all[liveConnectors[rnd.IntN(len(liveConnectors))]]
}

// seats are the checkpoints that a connector holds or should hold.
func (s *stage) seats(c *connector) map[string]*position {
	out := map[string]*position{}
	for seat, p := range s.watch.positions() {
		conf := connectorConfigs[c.name]
		low := p.partition < 2
		if p.sink == conf.sink && (conf.partitions == "" || low == (c.name == "main-a")) {
			out[seat] = p
		}
	}
	return out
}

// epochsRose waits until each of these checkpoints has a new owner of a later epoch.
func (s *stage) epochsRose(ctx context.Context, before map[string]*position, within time.Duration) error {
	return until(ctx, within, "the next owner of the partitions", func() (bool, error) {
		now := s.watch.positions()
		for seat, p := range before {
			if q := now[seat]; q == nil || q.epoch <= p.epoch || q.owner == "" {
				return false, nil
			}
		}
		return true, nil
	})
}

func (s *stage) isAlive(c *connector) error {
	return until(context.Background(), time.Minute, c.name+" to run", func() (bool, error) { return !c.process().ended(), nil })
}

func killConnector(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	c := s.anyConnector(rnd)
	if err := s.isAlive(c); err != nil {
		return "", err
	}
	p, before := c.process(), s.seats(c)
	if err := p.kill(); err != nil {
		return "", err
	}
	if p.exit() != -int(syscall.SIGKILL) {
		return "", fmt.Errorf("killing %s: it had ended with %d", p.name, p.exit())
	}
	if err := s.epochsRose(ctx, before, time.Minute); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s died of SIGKILL, and %d partitions were taken by its next process", p.name, len(before)), nil
}

func endConnector(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	c := s.anyConnector(rnd)
	if err := s.isAlive(c); err != nil {
		return "", err
	}
	p, before := c.process(), s.seats(c)
	if err := p.signal(syscall.SIGTERM); err != nil {
		return "", err
	}
	if err := p.wait(time.Minute); err != nil {
		return "", err
	}
	if len(p.said("stopping: writing what was read")) == 0 {
		return "", fmt.Errorf("ending %s: it does not say that it was told to stop, and ended with %d", p.name, p.exit())
	}
	if err := s.epochsRose(ctx, before, time.Minute); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s ended with %d, and %d partitions were taken by its next process", p.name, p.exit(), len(before)), nil
}

// fenceLimit is how long a fenced process may go on after it wakes; HBase, which tells it, may be away meanwhile.
const fenceLimit = time.Minute

// takeOver stops a connector's clock, lets a rival take its partitions, and wakes it.
func takeOver(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	c := s.anyConnector(rnd)
	if err := s.isAlive(c); err != nil {
		return "", err
	}
	old, before := c.process(), s.seats(c)
	if err := old.signal(syscall.SIGSTOP); err != nil {
		return "", err
	}
	defer func() { _ = old.signal(syscall.SIGCONT) }() // also where the rest fails
	rival, err := c.rival()
	if err != nil {
		return "", err
	}
	if err := s.epochsRose(ctx, before, time.Minute); err != nil {
		_ = rival.kill() // the paused one goes on
		return "", fmt.Errorf("letting a rival of %s take over: %w; its last line: %s", old.name, err, rival.tail(1))
	}
	_ = sleep(ctx, time.Duration(rnd.IntN(1500))*time.Millisecond)
	c.adopt(rival)
	if err := old.signal(syscall.SIGCONT); err != nil {
		return "", err
	}
	if err := old.wait(fenceLimit); err != nil {
		s.found.add("fence", found(unfenced, "%s was fenced and goes on %v after it woke", old.name, fenceLimit))
		_ = old.kill()
		return "", err
	}
	s.yard.ended(c.name, old)
	return fmt.Sprintf("%s took %d partitions from %s, which ended with %d when it woke", rival.name, len(before), old.name, old.exit()), nil
}

// connectorTrain stops a connector's clock many times, for less and for more than its lease.
func connectorTrain(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	c := s.anyConnector(rnd)
	if err := s.isAlive(c); err != nil {
		return "", err
	}
	p, n := c.process(), 0
	for range 8 {
		if err := p.signal(syscall.SIGSTOP); err != nil {
			return "", err
		}
		_ = sleep(ctx, time.Duration(50+rnd.IntN(1200))*time.Millisecond) // the signal below must come in any case
		if err := p.signal(syscall.SIGCONT); err != nil {
			return "", err
		}
		if p.ended() {
			break
		}
		n++
		if err := sleep(ctx, time.Duration(rnd.IntN(400))*time.Millisecond); err != nil {
			return "", err
		}
	}
	if n < 3 {
		return "", fmt.Errorf("pausing %s: it ended after %d pauses", p.name, n)
	}
	return fmt.Sprintf("%s was paused %d times", p.name, n), nil
}

// twoStarters kills a connector and starts two at once.
func twoStarters(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	c := s.anyConnector(rnd)
	if err := s.isAlive(c); err != nil {
		return "", err
	}
	before := s.seats(c)
	c.hold()
	defer c.release()
	if err := c.process().kill(); err != nil {
		return "", err
	}
	a, err := c.rival()
	if err != nil {
		return "", err
	}
	b, err := c.rival()
	if err != nil {
		_ = a.kill()
		return "", err
	}
	err = s.epochsRose(ctx, before, time.Minute)
	shares := [2]int{len(a.said("partition taken")), len(b.said("partition taken"))}
	_ = sleep(ctx, time.Duration(500+rnd.IntN(2000))*time.Millisecond)
	for _, p := range []*process{a, b} {
		_ = p.signal(syscall.SIGTERM) // it may have ended as fenced
	}
	for _, p := range []*process{a, b} {
		if werr := p.wait(time.Minute); werr != nil {
			s.found.add("two starters", found(stuck, "%v", werr))
			_ = p.kill()
		}
		s.yard.ended(c.name, p)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s and %s took %d and %d partitions, and ended with %d and %d", a.name, b.name, shares[0], shares[1], a.exit(), b.exit()), nil
}
