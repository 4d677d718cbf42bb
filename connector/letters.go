package connector

import (
	"rowmark/connector/core"
	"rowmark/connector/deadletter"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
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
