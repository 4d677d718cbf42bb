package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/kafka"
)

// plan is what offsets set will do.
type plan struct {
	Changes []*change `json:"changes"`
	// Left are the partitions with a checkpoint that these brokers do not have.
	Left []string `json:"left,omitempty"`
	// New are the partitions that have none: they begin at kafka.start. They are told of where the brokers are others.
	New []string `json:"new,omitempty"`
	// Was and Cluster are set where the sink is bound to other brokers, and goes over to these.
	Was     string `json:"cluster_was,omitempty"`
	Cluster string `json:"cluster,omitempty"`

	unread error // why the time of some record is not told
}

func (s *sides) plan(ctx context.Context, o *setOptions, to target) (*plan, error) {
	cks, err := s.store.List(ctx)
	if err != nil {
		return nil, err
	}
	if len(cks) == 0 {
		return nil, fmt.Errorf("sink %s has no checkpoint yet: start the connector once, or set kafka.start", s.config.Sink)
	}
	tps, err := o.chosen(cks)
	if err != nil {
		return nil, configError(err)
	}
	p := &plan{}
	if err := p.bind(ctx, s, o); err != nil {
		return nil, err
	}
	logs, err := s.logs(ctx, tps)
	if err != nil {
		return nil, err
	}
	if tps, err = p.present(s, o, tps, cks, logs); err != nil {
		return nil, err
	}
	offsets, err := to.in(ctx, s.kafka, logs)
	if err != nil {
		return nil, err
	}
	for _, tp := range tps {
		log, opens := logs[tp], false
		if o.newIncarnation {
			if opens, err = s.another(ctx, tp, cks[tp], &log); err != nil {
				return nil, err
			}
		}
		c := newChange(tp, cks[tp], log, offsets[tp], opens)
		c.same = o.newIncarnation && !opens
		if err := c.place.Fits(tp, cks[tp]); err != nil {
			return nil, err
		}
		p.Changes = append(p.Changes, c)
	}
	return p, s.tell(ctx, p, cks)
}

// present leaves those out that the brokers do not have, unless they were chosen by name. It takes them out of logs too.
func (p *plan) present(s *sides, o *setOptions, tps []kafka.TopicPartition, cks map[kafka.TopicPartition]*core.Checkpoint, logs map[kafka.TopicPartition]logEnds) ([]kafka.TopicPartition, error) {
	var out []kafka.TopicPartition
	for _, tp := range tps {
		switch log := logs[tp]; {
		case log.unknown() && !o.named():
			p.Left = append(p.Left, tp.String())
			delete(logs, tp)
			continue
		case log.err != nil:
			return nil, log.err
		case cks[tp] == nil:
			return nil, fmt.Errorf("%s has no checkpoint for sink %s: start the connector once, or set kafka.start", tp, s.config.Sink)
		}
		out = append(out, tp)
	}
	return out, nil
}

// tell completes the plan by what is good to know before it is confirmed.
func (s *sides) tell(ctx context.Context, p *plan, cks map[kafka.TopicPartition]*core.Checkpoint) error {
	if p.Cluster != "" {
		mapped, err := s.mapped(ctx)
		if err != nil {
			return err
		}
		for _, tp := range joined(nil, mapped, nil) {
			if cks[tp] == nil {
				p.New = append(p.New, tp.String())
			}
		}
	}
	spans := map[kafka.TopicPartition]connector.Span{}
	for _, c := range p.Changes {
		spans[c.tp] = c.span()
		var err error
		if c.Letters, err = s.letters(ctx, c); err != nil {
			return err
		}
	}
	times, unread := connector.RecordTimes(ctx, s.kafka, spans)
	p.unread = unread // to pass by such a record may be what the move is for
	for _, c := range p.Changes {
		if at, ok := times[c.tp]; ok {
			c.oldest = time.UnixMilli(at).UTC()
			c.Oldest = c.oldest.Format(time.RFC3339)
		}
	}
	return nil
}

// bind sees whether the sink is bound to these brokers.
func (p *plan) bind(ctx context.Context, s *sides, o *setOptions) error {
	cluster, err := s.kafka.ClusterID(ctx)
	if err != nil {
		return err
	}
	bound, err := s.store.BoundTo(ctx)
	if err != nil || bound == "" || bound == cluster {
		return err
	}
	switch {
	case !o.newIncarnation:
		return &connector.SinkBoundError{Sink: s.config.Sink, Bound: bound, Cluster: cluster}
	case o.named():
		return configError(fmt.Errorf("sink %s goes over from the Kafka cluster %s to %s, which all its partitions do at once: leave --topic and --partition out", s.config.Sink, bound, cluster))
	}
	p.Was, p.Cluster = bound, cluster
	return nil
}

// another says whether the log is not the one that the checkpoint speaks of.
func (s *sides) another(ctx context.Context, tp kafka.TopicPartition, held *core.Checkpoint, log *logEnds) (bool, error) {
	if held.TopicID.Differs(log.topic) || held.Offset > log.end {
		return true, nil
	}
	if held.LeaderEpoch < 0 {
		return false, nil
	}
	end, err := s.kafka.EpochEnd(ctx, tp, held.LeaderEpoch)
	return err == nil && end.Epoch <= held.LeaderEpoch && held.CutAt(log.start, end.EndOffset), err
}

func (p *plan) print(w io.Writer, force bool) error {
	var lines []string
	for _, c := range p.Changes {
		lines = append(lines, c.lines(force)...)
	}
	for _, tp := range p.Left {
		lines = append(lines, tp+": these brokers do not have it; it is left as it is")
	}
	for _, tp := range p.New {
		lines = append(lines, tp+": it has no checkpoint, and begins at kafka.start")
	}
	if p.unread != nil {
		lines = append(lines, "some times are not told: "+p.unread.Error())
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// owned says whether any checkpoint has an owner.
func (p *plan) owned() bool {
	return slices.ContainsFunc(p.Changes, func(c *change) bool { return c.Owner != "" })
}

func (p *plan) moved() int {
	n := 0
	for _, c := range p.Changes {
		if c.Done {
			n++
		}
	}
	return n
}

// errors of all partitions that could not be moved.
func (p *plan) errors() error {
	var all []error
	for _, c := range p.Changes {
		if c.err != nil {
			all = append(all, c.err)
		}
	}
	return errors.Join(all...)
}
