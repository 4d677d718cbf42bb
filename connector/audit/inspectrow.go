package audit

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"rowmark/connector/core"
	"rowmark/connector/deadletter"
	"rowmark/connector/preview"
	"rowmark/hbase"
	"rowmark/kafka"
)

// RowView is what HBase holds of one row.
type RowView struct {
	Table string        `json:"table"`
	Key   preview.Bytes `json:"key"`
	Made  []KeyView     `json:"made_of"`
	Cells []CellView    `json:"cells"`
	Marks []MarkView    `json:"marks"`
}

// KeyView is how the mappings of a topic make the row's key.
type KeyView struct {
	Topic string            `json:"topic"`
	Parts []preview.KeyPart `json:"parts,omitempty"`
	Error string            `json:"error,omitempty"` // why that can't be told
}

// CellView is one cell.
type CellView struct {
	Column    string `json:"column"`
	Timestamp int64  `json:"timestamp"` // milliseconds
	Time      string `json:"time"`
	Size      int    `json:"size"` // bytes
	Value     string `json:"value"`
	// Encoding is that of the mapping, which Value was read by; empty: Value is the bytes, as the HBase shell has them.
	Encoding string `json:"encoding,omitempty"`
	// Record is topic/partition/offset of the record that wrote the cell; empty: that can't be told.
	Record string `json:"record,omitempty"`

	cell *hbase.Cell
}

// MarkView is one mark: the records of a source that the row holds.
type MarkView struct {
	Name        string      `json:"name"` // the cell's qualifier
	Sink        string      `json:"sink,omitempty"`
	Run         string      `json:"run,omitempty"`   // of a reprocess run
	Retry       bool        `json:"retry,omitempty"` // of dead letters: Next counts letters
	Topic       string      `json:"topic,omitempty"`
	Partition   int32       `json:"partition"`
	Incarnation int         `json:"incarnation,omitempty"`
	Next        int64       `json:"next"`         // all records of the row below it are in the row
	Floor       int64       `json:"floor"`        // the least time of the row's next cell, milliseconds; 0: none is kept
	LeaderEpoch int32       `json:"leader_epoch"` // -1: not known
	Barred      string      `json:"barred,omitempty"`
	Record      *RecordView `json:"record,omitempty"` // the one before Next
	Error       string      `json:"error,omitempty"`  // why the mark, or its record, can't be read

	source *core.Source // of this sink; nil: another's
	tp     kafka.TopicPartition
	id     kafka.TopicID
	read   bool // its record can be read
}

// Row shows a row; nil: there is none.
func (i *Inspector) Row(ctx context.Context, table string, key []byte) (*RowView, error) {
	call, cancel := i.call(ctx)
	got, err := i.HBase.Get(call, table, hbase.Get{Row: key})
	cancel()
	if err != nil {
		return nil, err
	}
	if len(got.Cells) == 0 {
		return nil, nil
	}
	v := &RowView{Table: table, Key: preview.BytesOf(key), Made: []KeyView{}, Cells: []CellView{}, Marks: []MarkView{}}
	for n := range got.Cells {
		c := &got.Cells[n]
		if string(c.Family) == i.MarkFamily {
			v.Marks = append(v.Marks, i.mark(c))
		} else {
			v.Cells = append(v.Cells, i.cell(table, c))
		}
	}
	v.Made = i.made(v, key)
	for n := range v.Marks {
		if err := i.find(ctx, &v.Marks[n]); err != nil {
			return nil, err
		}
	}
	return v, i.trace(ctx, v, key)
}

func (i *Inspector) cell(table string, c *hbase.Cell) CellView {
	v := CellView{
		Column:    preview.Readable(c.Family) + ":" + preview.Readable(c.Qualifier),
		Timestamp: c.Timestamp, Time: clock(c.Timestamp), Size: len(c.Value), Value: preview.Readable(c.Value), cell: c,
	}
	if text, encoding, ok := i.Mappings.CellText(table, c.Family, c.Qualifier, c.Value); ok {
		v.Value, v.Encoding = text, encoding
	}
	return v
}

func (i *Inspector) mark(c *hbase.Cell) MarkView {
	v := MarkView{Name: string(c.Qualifier), Next: c.Timestamp, Retry: bytes.HasPrefix(c.Qualifier, []byte(deadletter.RetrySource(i.Sink)))}
	if s, ok := core.ParseSourceName(v.Name); ok {
		v.Sink, v.Run, v.Topic, v.Partition, v.Incarnation = s.Sink, s.Run, s.Topic, s.Partition, s.Incarnation
		if s.Sink == i.Sink {
			v.source, v.tp = &s, kafka.TopicPartition{Topic: s.Topic, Partition: s.Partition}
		}
	}
	m, err := core.ReadMark(c)
	if err != nil {
		v.Error = err.Error()
		return v
	}
	v.Next, v.Floor, v.LeaderEpoch, v.Barred = m.Next, m.Floor, m.LeaderEpoch, m.Barred
	return v
}

// made explains the key, by the mappings of the topics that marked the row, and of those that are named.
func (i *Inspector) made(v *RowView, key []byte) []KeyView {
	topics, _ := i.Mappings.Topics()
	for n := range v.Marks {
		if s := v.Marks[n].source; s != nil && i.Mappings.Matches(s.Topic) {
			topics = append(topics, s.Topic)
		}
	}
	slices.Sort(topics)
	out := []KeyView{}
	for _, topic := range slices.Compact(topics) {
		if !slices.Contains(i.Mappings.TablesOf(topic), v.Table) {
			continue
		}
		one := KeyView{Topic: topic}
		parts, err := i.Mappings.Explain(topic, v.Table, key)
		for _, p := range parts {
			one.Parts = append(one.Parts, preview.KeyPart{Name: p.Name, Text: p.Text})
		}
		if err != nil {
			one.Error = err.Error()
		}
		out = append(out, one)
	}
	return out
}

// find reads the record before a mark of this sink, if the log still is the one that the mark speaks of.
func (i *Inspector) find(ctx context.Context, m *MarkView) error {
	if m.source == nil || m.Error != "" || m.Next < 1 {
		return nil
	}
	ck, err := i.checkpoint(ctx, m.tp)
	if err != nil {
		return err
	}
	switch {
	case ck == nil:
		m.Error = "its record can't be told: the partition has no checkpoint, which names the log"
		return nil
	case ck.Incarnation() != m.Incarnation:
		m.Error = fmt.Sprintf("its record can't be read: the log is at incarnation %d now", ck.Incarnation())
		return nil
	}
	m.id, m.read = ck.TopicID, true
	rec, err := i.record(ctx, m.tp, m.id, m.Next-1)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		m.Error = fmt.Sprintf("reading record %d: %v", m.Next-1, err)
		return nil
	}
	m.Record = i.view(rec)
	return nil
}
