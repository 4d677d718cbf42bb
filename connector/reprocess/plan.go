package reprocess

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/kafka"
)

// Request is what is asked of a run.
type Request struct {
	ID      string // empty: DefaultID
	Window  Window
	Into    map[string]string // table in place of table, by full names; set is the mapping with the new ones
	Partial bool              // go on where retention cut the window
	Force   bool              // go on where rows may come back that a record of another partition deleted
	// Old is the mapping that the live connector wrote the window by, whose rows are deleted where the mapping of now makes
	// other ones; nil: that of the live checkpoint, and none is deleted.
	Old *mapping.Set
}

// planner finds out what a run has to read.
type planner struct {
	req     Request
	set     *mapping.Set // of the run
	schemas decode.Schemas
	log     *Log
	end     kafka.OffsetSpec
	live    map[kafka.TopicPartition]*core.Checkpoint
	told    func(format string, args ...any)

	sets  map[string]*mapping.Set // live mappings by hash
	texts map[string][]byte
	notes []string
	cut   []string // what retention took
}

// floorSlack is how much earlier the reading begins where it can, in milliseconds: each delete of a row and put behind it in
// one millisecond lift the row's floor by one, past the times of its records.
const floorSlack = 60_000

func (p *planner) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// parts gives the ranges of all partitions that have records of the window, and counts them.
func (p *planner) parts(ctx context.Context) ([]Part, error) {
	tps, err := p.partitions(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.crossing(tps); err != nil {
		return nil, err
	}
	var out []Part
	for _, tp := range tps {
		part, err := p.rangeOf(ctx, tp)
		if err != nil {
			return nil, err
		}
		if part == nil {
			continue
		}
		if err := p.scan(ctx, part); err != nil {
			return nil, err
		}
		if part.InWindow > 0 {
			out = append(out, *part)
		}
	}
	if len(p.cut) > 0 && !p.req.Partial {
		return nil, &core.StopError{Cause: core.CauseHole, Err: fmt.Errorf("retention has cut the log: %s; --partial goes on with what is there", strings.Join(p.cut, "; "))}
	}
	for _, text := range p.cut {
		p.note("%s (--partial)", text)
	}
	return out, nil
}

// partitions gives those that the live connector has written, sorted.
func (p *planner) partitions(ctx context.Context) ([]kafka.TopicPartition, error) {
	topics, err := p.log.Client.Topics(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("asking for the topics: %w", err)
	}
	out := slices.DeleteFunc(connector.Sources(topics, p.set, nil), func(tp kafka.TopicPartition) bool {
		if p.live[tp] != nil {
			return false
		}
		p.note("%s has no checkpoint: the live connector has written nothing of it, and there is nothing to do", tp)
		return true
	})
	for tp := range p.live {
		if !p.set.Matches(tp.Topic) {
			p.note("%s is left out: no mapping takes its topic any more", tp)
			continue
		}
		if err := p.known(tp, topics); err != nil {
			return nil, err
		}
	}
	slices.Sort(p.notes)
	wrote := make([]Part, len(out))
	for i, tp := range out {
		ck := p.live[tp]
		wrote[i] = Part{Topic: tp.Topic, Partition: tp.Partition, Until: ck.Offset, TopicID: ck.TopicID}
	}
	return out, p.log.same(ctx, wrote)
}

// known sees that a partition with a checkpoint is still there.
func (p *planner) known(tp kafka.TopicPartition, topics map[string]kafka.TopicInfo) error {
	t, there := topics[tp.Topic]
	var unknown *kafka.UnknownTopicError
	switch {
	case t.Err != nil && !errors.As(t.Err, &unknown):
		return fmt.Errorf("asking for the topic %s: %w", tp.Topic, t.Err)
	case there && t.Err == nil && slices.Contains(t.Partitions, tp.Partition):
		return nil
	case p.req.Partial:
		p.note("%s is left out: the brokers know no such topic or partition any more, and its records are gone (--partial)", tp)
		return nil
	}
	return fmt.Errorf("%w any more, of which the live connector has a checkpoint; --partial goes on without it", &kafka.UnknownTopicError{TopicPartition: tp})
}

// rangeOf resolves the window for a partition; nil: the log has no record that is as late.
func (p *planner) rangeOf(ctx context.Context, tp kafka.TopicPartition) (*Part, error) {
	ck := p.live[tp]
	if err := p.liveMapping(tp, ck); err != nil {
		return nil, err
	}
	if err := p.tellBegun(ctx, tp, ck); err != nil {
		return nil, err
	}
	from, bounded := p.readFrom(tp, ck)
	start, err := p.offsetAt(ctx, tp, kafka.AtTime(0))
	if err != nil {
		return nil, err
	}
	first := start
	if bounded {
		if first, err = p.offsetAt(ctx, tp, kafka.AtTime(max(0, from-floorSlack))); err != nil {
			return nil, err
		}
	}
	p.checkCut(tp, start, from, bounded)
	if first.NoneThatLate || first.Offset >= ck.Offset {
		return nil, nil
	}
	part := &Part{Topic: tp.Topic, Partition: tp.Partition, First: first.Offset, Until: ck.Offset, Tail: ck.Offset, Live: p.liveHash(ck), After: ck.MappingHash, TopicID: ck.TopicID}
	for _, s := range ck.Segments {
		part.Segments = append(part.Segments, Segment{Start: s.Start, Floor: s.Floor})
	}
	return part, nil
}

func (p *planner) offsetAt(ctx context.Context, tp kafka.TopicPartition, at kafka.OffsetSpec) (kafka.OffsetAt, error) {
	got, err := p.log.Client.ListOffsets(ctx, []kafka.TopicPartition{tp}, at)
	if err != nil {
		return kafka.OffsetAt{}, err
	}
	return got[tp], got[tp].Err
}

// readFrom gives the time from which records can bear on the timestamps of the window's: a floor that older records leave
// lies below all times that the window's records can give to rows. bounded false: no time bounds that.
func (p *planner) readFrom(tp kafka.TopicPartition, ck *core.Checkpoint) (ms int64, bounded bool) {
	lead := int64(0)
	for _, set := range []*mapping.Set{p.set, p.sets[p.liveHash(ck)]} {
		ages := set.Ages(tp.Topic)
		if ages.Past < 0 {
			return 0, false
		}
		lead = max(lead, ages.Future+ages.Past)
	}
	return max(0, p.req.Window.From-lead), true
}

// checkCut says what is missing where the log does not reach back to the window.
func (p *planner) checkCut(tp kafka.TopicPartition, start kafka.OffsetAt, from int64, bounded bool) {
	switch {
	case start.NoneThatLate && start.Offset > 0:
		p.cut = append(p.cut, fmt.Sprintf("%s holds no record any more, of %d that it had", tp, start.Offset))
	case start.NoneThatLate || start.Offset == 0:
	case start.Timestamp > p.req.Window.From:
		p.cut = append(p.cut, fmt.Sprintf("%s begins at offset %d with a record of %s, so that records from %s on may be missing", tp, start.Offset, clock(start.Timestamp), clock(p.req.Window.From)))
	case !bounded:
		p.cut = append(p.cut, fmt.Sprintf("%s begins at offset %d: the mapping takes times from a field without max_past, so that records of any age bear on the timestamps of late ones, which may come out older than they were, and not show", tp, start.Offset))
	case start.Timestamp > from:
		p.cut = append(p.cut, fmt.Sprintf("%s begins at offset %d with a record of %s, and records from %s on bear on the timestamps of late ones, which may come out older than they were, and not show", tp, start.Offset, clock(start.Timestamp), clock(from)))
	}
}

// liveHash is the hash of the mapping that a partition's records were written by.
func (p *planner) liveHash(ck *core.Checkpoint) string {
	if p.req.Old != nil {
		return p.req.Old.Hash()
	}
	return ck.MappingHash
}

// liveMapping compiles that mapping, and the one that the live connector goes on by.
func (p *planner) liveMapping(tp kafka.TopicPartition, ck *core.Checkpoint) error {
	if err := p.compile(tp, ck); err != nil {
		return err
	}
	if old := p.req.Old; old != nil {
		p.sets[old.Hash()], p.texts[old.Hash()] = old, old.Canonical()
		if !p.sets[ck.MappingHash].SameKeys(p.set) {
			return refuse("%s is still written by a mapping of other row keys: restart the connector by the mapping of now before --delete-old-keys, or it may write under old keys what was just deleted, or what its delete hides", tp)
		}
	}
	return nil
}

// compile makes the mapping of a checkpoint.
func (p *planner) compile(tp kafka.TopicPartition, ck *core.Checkpoint) error {
	if p.sets[ck.MappingHash] != nil {
		return nil
	}
	set, err := mapping.CompileCanonical(ck.Mapping, p.schemas)
	if err != nil {
		return fmt.Errorf("%s: the mapping that its records were written by: %w", tp, err)
	}
	p.sets[ck.MappingHash], p.texts[ck.MappingHash] = set, ck.Mapping
	return nil
}

// tellBegun names the records that the live connector may write by another mapping still, where that bears on the run.
func (p *planner) tellBegun(ctx context.Context, tp kafka.TopicPartition, ck *core.Checkpoint) error {
	if ck.Ceiling <= ck.Offset || p.set.WritesOnly(freshOf(p.req.Into)) || p.mapsAs(ck) {
		return nil
	}
	end, err := p.offsetAt(ctx, tp, p.end)
	if err != nil {
		return err
	}
	if until := min(ck.Ceiling, end.Offset); until > ck.Offset {
		p.note("%s: offsets [%d, %d), which are no part of the run, may still be written by the mapping of before: the live connector finishes with it what it began", tp, ck.Offset, until)
	}
	return nil
}

// mapsAs says whether the live connector makes the rows that the run makes, into whatever tables.
func (p *planner) mapsAs(ck *core.Checkpoint) bool {
	live := p.sets[ck.MappingHash]
	if len(p.req.Into) > 0 {
		var err error
		if live, err = live.Into(p.req.Into, p.schemas); err != nil {
			return false // it does not write to the table that is replaced
		}
	}
	return p.set.Continues(live.Canonical())
}

// freshOf gives the tables that only the run writes to.
func freshOf(into map[string]string) map[string]bool {
	out := map[string]bool{}
	for _, table := range into {
		out[table] = true
	}
	return out
}

// scan counts the records of a range.
func (p *planner) scan(ctx context.Context, part *Part) error {
	began := time.Now()
	open, strays := false, int64(0)
	err := p.log.Each(ctx, part, part.First, part.Until, func(rec decode.Record) error {
		part.Records++
		switch {
		case p.req.Window.Holds(rec.Timestamp):
			part.InWindow++
			part.Last, part.Strays, open = rec.Offset+1, strays, true
		case open:
			strays++
		}
		return nil
	})
	if err == nil {
		p.told("%s: offsets [%d, %d) hold %d records, %d of the window (%s)", part.Source(), part.First, part.Until, part.Records, part.InWindow, time.Since(began).Round(time.Millisecond))
	}
	return err
}
