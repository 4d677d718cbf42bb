package connector

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

// List gives all checkpoints of the sink.
func (s *Store) List(ctx context.Context) (map[kafka.TopicPartition]*core.Checkpoint, error) {
	cks, _, err := s.ListWritten(ctx)
	return cks, err
}

// ListWritten gives all checkpoints of the sink, and when their positions were last written: an owner does that every third of
// its lease at the latest. The times are by the clock of HBase, in milliseconds.
func (s *Store) ListWritten(ctx context.Context) (cks map[kafka.TopicPartition]*core.Checkpoint, written map[kafka.TopicPartition]int64, err error) {
	cks, written = map[kafka.TopicPartition]*core.Checkpoint{}, map[kafka.TopicPartition]int64{}
	err = s.scan(ctx, nil, func(tp kafka.TopicPartition, row hbase.Row) error {
		for _, c := range row.Cells {
			if string(c.Qualifier) == colPosition {
				written[tp] = c.Timestamp
			}
		}
		var err error
		cks[tp], err = decodeCheckpoint(row)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return cks, written, nil
}

// Positions gives the positions of all checkpoints of the sink.
func (s *Store) Positions(ctx context.Context) (map[kafka.TopicPartition]core.Position, error) {
	out := map[kafka.TopicPartition]core.Position{}
	column := hbase.Column{Family: []byte(CheckpointFamily), Qualifier: []byte(colPosition)}
	err := s.scan(ctx, []hbase.Column{column}, func(tp kafka.TopicPartition, row hbase.Row) error {
		ck, err := decodeCheckpoint(row)
		if err == nil {
			out[tp] = ck.Position
		}
		return err
	})
	return out, err
}

// scan goes over the rows of the sink's checkpoints, with these columns; nil: all.
func (s *Store) scan(ctx context.Context, columns []hbase.Column, each func(kafka.TopicPartition, hbase.Row) error) error {
	prefix := s.Sink + "/"
	err := s.Client.Scan(ctx, s.Table, hbase.Scan{Start: []byte(prefix), Stop: []byte(s.Sink + "0"), Columns: columns}, func(row hbase.Row) error {
		name := strings.TrimPrefix(string(row.Row), prefix)
		slash := strings.LastIndexByte(name, '/')
		if slash < 0 {
			return nil
		}
		n, err := strconv.ParseInt(name[slash+1:], 10, 32)
		if err != nil {
			return nil // a source of another kind
		}
		return each(kafka.TopicPartition{Topic: name[:slash], Partition: int32(n)}, row)
	})
	if err != nil {
		return fmt.Errorf("scanning the checkpoint table %s, which rowmark init makes: %w", s.Table, err)
	}
	return nil
}
