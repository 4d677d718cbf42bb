package audit

import (
	"bytes"
	"context"
	"hash/maphash"
	"math"

	"rowmark/connector/deadletter"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/connector/preview"
	"rowmark/kafka"
)

// shard is a part of all rows: those of which the hash ends in these bits.
type shard struct {
	bits int
	ends uint64
}

func (s shard) holds(hash uint64) bool { return hash&(1<<s.bits-1) == s.ends }

// half cuts a shard in two.
func (s shard) half() (one, other shard) {
	return shard{s.bits + 1, s.ends}, shard{s.bits + 1, s.ends | 1<<s.bits}
}

// place is a row of a table.
type place struct{ table, key string }

// pass reads all ranges once, and holds and judges the rows of one shard. Where they are too many, it goes on with half
// of them and leaves the others for later passes.
type pass struct {
	*Verify
	shard shard
	first bool // records are counted
	later []shard
	rows  map[place]*row
	held  int // columns of them
}

func (p *pass) run(ctx context.Context) (later []shard, err error) {
	for _, s := range p.sources {
		if s.broken {
			continue
		}
		err := p.log.Read(ctx, s.TopicPartition, s.ck.TopicID, s.from, s.to, func(r *kafka.Record) (bool, error) {
			return true, p.take(ctx, s, r)
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			s.broken = true
			s.report.fail(err)
		}
	}
	return p.later, p.judge(ctx)
}

// take maps one record, and folds what comes of it into its rows.
func (p *pass) take(ctx context.Context, s *source, r *kafka.Record) error {
	rec := preview.RecordOf(s.TopicPartition, r)
	res, err := s.set.MapAsking(rec, func(l *decode.Later) error { return l.Wait(ctx) })
	if err != nil {
		return err
	}
	letter := s.letters[r.Offset]
	if p.first {
		p.count(s, &res, letter)
	}
	if res.Err != nil {
		if res.OnError == mapping.OnErrorDeadLetter {
			p.expectLetter(s, r)
		}
		return nil
	}
	var fates *deadletter.Letter
	if letter != nil {
		p.expectLetter(s, r)
		if fates, err = p.fatesOf(ctx, s, letter); err != nil {
			return err
		}
	}
	for i := range res.Rows {
		ops := &res.Rows[i]
		part := p.partOf(s, ops.Table, ops.Row)
		if part == nil {
			continue
		}
		if letter != nil && fates == nil {
			part.vague = "a dead letter stands for a record that can be mapped now"
			continue
		}
		had := len(part.columns)
		part.meet(r.Offset, r.LeaderEpoch)
		if fates != nil && fates.Refused(ops.Table, ops.Row) {
			part.refused(ops)
			continue
		}
		part.fold(ops, r.Offset)
		p.hold(len(part.columns) - had)
	}
	return nil
}

func (p *pass) count(s *source, res *mapping.Result, letter *deadletter.Letter) {
	s.report.Records++
	switch {
	case letter != nil, res.Err != nil && res.OnError == mapping.OnErrorDeadLetter:
		s.report.Letters++
	case res.Err != nil && res.OnError == mapping.OnErrorSkip:
		s.report.Skipped++
	case res.Err != nil:
		add(&s.report.Reasons, "a record that this mapping can't map")
	}
}

// fatesOf gives a letter that tells which of its record's rows HBase refused; nil: the letter stands for all of them.
func (p *pass) fatesOf(ctx context.Context, s *source, l *deadletter.Letter) (*deadletter.Letter, error) {
	if l.Stage != deadletter.StageWrite {
		return nil, nil
	}
	ctx, cancel := p.call(ctx)
	defer cancel()
	whole, err := p.letterTable().Read(ctx, l.Key)
	if err != nil || whole == nil || whole.Rows == nil {
		return nil, err
	}
	return whole, nil
}

// expectLetter has the letter's own row judged by its mark.
func (p *pass) expectLetter(s *source, r *kafka.Record) {
	key := deadletter.Key{Sink: p.Sink, Topic: s.Topic, Partition: s.Partition, Incarnation: s.ck.Incarnation(), Offset: r.Offset}
	if part := p.partOf(s, s.set.Letters(), key.Row()); part != nil {
		part.meet(r.Offset, r.LeaderEpoch)
	}
}

// partOf gives the source's part of a row; nil: the row is not one of the pass.
func (p *pass) partOf(s *source, table string, key []byte) *part {
	hash := p.hash(table, key)
	if !p.shard.holds(hash) || !p.sampled(hash) {
		return nil
	}
	at := place{table, string(key)}
	r := p.rows[at]
	if r == nil {
		r = &row{table: p.table(table), key: bytes.Clone(key), hash: hash}
		p.rows[at] = r
		p.hold(1)
	}
	return r.partOf(s)
}

func (p *pass) hash(table string, key []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(p.seed)
	_, _ = h.WriteString(table)
	_ = h.WriteByte(0)
	_, _ = h.Write(key)
	return h.Sum64()
}

// sampled says whether a row is among the share that is judged, by bits of its hash that no shard looks at.
func (p *pass) sampled(hash uint64) bool {
	return p.Share >= 1 || float64(hash>>32) < p.Share*(math.MaxUint32+1)
}

// hold counts what is held, and lets half of the rows go while it is too much.
func (p *pass) hold(columns int) {
	p.held += columns
	for (p.held > p.Held || p.Rows > 0 && len(p.rows) > p.Rows) && p.shard.bits < 32 {
		one, other := p.shard.half()
		p.shard = one
		if p.Rows == 0 {
			p.later = append(p.later, other)
		}
		p.held = 0
		for at, r := range p.rows {
			if !one.holds(r.hash) {
				delete(p.rows, at)
				continue
			}
			p.held++
			for _, part := range r.parts {
				p.held += len(part.columns)
			}
		}
	}
}
