package connector

import (
	"context"
	"errors"

	"rowmark/connector/core"
	"rowmark/connector/deadletter"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/kafka"
)

// letterMaker gives the records of one chunk what their dead letters are made from. nil: no letters are wanted.
type letterMaker struct {
	source deadletter.Source
	raws   []deadletter.Raw
}

// letters makes the maker of a chunk of n records.
func (e *Engine) letters(a core.Fetch, set *mapping.Set, n int) *letterMaker {
	if !set.WritesLetters(a.Topic) {
		return nil
	}
	return &letterMaker{
		source: deadletter.Source{
			Table: set.Letters(), Mapping: set.Hash(), MaxCell: e.hbase.MaxCellBytes(),
			Key: deadletter.Key{Sink: e.opts.Core.Sink, Topic: a.Topic, Partition: a.Partition, Incarnation: a.Incarnation},
		},
		raws: make([]deadletter.Raw, 0, n),
	}
}

// attach adds the means for a letter to a record's rows; one that became none becomes its letter.
func (m *letterMaker) attach(rec *decode.Record, res *mapping.Result) {
	if m == nil || res.OnError != mapping.OnErrorDeadLetter || res.Err == nil && len(res.Rows) == 0 {
		return
	}
	m.raws = append(m.raws, deadletter.Raw{Source: &m.source, Record: *rec, Rows: res.Rows})
	raw := &m.raws[len(m.raws)-1]
	raw.Refused = raw.Unwritten
	res.Letter = &raw.Letter
	if res.Err != nil {
		res.Rows = []mapping.RowOps{raw.Unmapped(res.Err)}
	}
}

var errLetterStands = errors.New("when it was read before, its schema was not known, and it became a dead letter: that stands, and is to be retried")

// standing has records stay dead letters that became some when they were read before, since the schema registry did not know
// their schema: in its rows and a letter a record would come twice when the letter is retried.
func (m *letterMaker) standing(ctx context.Context, client *hbase.Client, before int64, recs []core.Mapped) error {
	var asked []*deadletter.Raw
	results := map[*deadletter.Raw]*mapping.Result{}
	raws := m.raws
	for i := range recs {
		if recs[i].Offset >= before {
			break
		}
		res := &recs[i].Result
		if res.Letter == nil {
			continue
		}
		raw := &raws[0]
		raws = raws[1:]
		if res.Err == nil {
			asked = append(asked, raw)
			results[raw] = res
		}
	}
	stand, err := deadletter.Undecoded(ctx, client, asked)
	for _, raw := range stand {
		res := results[raw]
		res.Err = errLetterStands
		res.Rows = []mapping.RowOps{raw.Unmapped(res.Err)}
	}
	return err
}

// headerList gives records' headers as mappings take them: in one list, one record after the other, unless what is mapped
// keeps them.
type headerList struct {
	keep bool
	list []decode.Header
}

func (l *headerList) of(headers []kafka.Header) []decode.Header {
	if l.keep {
		l.list = nil
	}
	l.list = l.list[:0]
	for _, h := range headers {
		l.list = append(l.list, decode.Header(h))
	}
	return l.list
}
