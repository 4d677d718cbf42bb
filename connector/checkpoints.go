package connector

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

// CheckpointFamily is the one family of the checkpoint table.
const CheckpointFamily = "c"

// Qualifiers of a checkpoint row. All but the position are text, for people with a shell.
const (
	colPosition = "position" // core.Position, the compared cell
	colTopicID  = "topic_id"
	colEpoch    = "leader_epoch" // epoch@offset
	colNewest   = "newest"
	colAdvanced = "advanced_at"
	colMapping  = "mapping"
	colHash     = "mapping_hash"
	colSegments = "segments"
	colWitness  = "witness"
	colWho      = "who"
	colCluster  = "kafka_cluster" // on the sink's own row
)

// Store keeps checkpoints in HBase.
type Store struct {
	Client *hbase.Client
	Table  string
	Sink   string
}

// key is the source's row: sink/topic/partition, whatever the incarnation.
func (s *Store) key(tp kafka.TopicPartition) []byte {
	return []byte(core.SourceName(s.Sink, tp.Topic, tp.Partition, 0))
}

// Read gives the source's checkpoint, nil if there is none.
func (s *Store) Read(ctx context.Context, tp kafka.TopicPartition) (*core.Checkpoint, error) {
	row, err := s.Client.Get(ctx, s.Table, hbase.Get{Row: s.key(tp)})
	if err != nil {
		return nil, fmt.Errorf("reading row %s of the checkpoint table %s: %w", s.key(tp), s.Table, err)
	}
	if len(row.Cells) == 0 {
		return nil, nil
	}
	return decodeCheckpoint(row)
}

// Swap writes a checkpoint if the position still equals expect; nil is absent.
func (s *Store) Swap(ctx context.Context, tp kafka.TopicPartition, expect []byte, put core.Checkpoint) hbase.WriteResult {
	cells, err := encodeCheckpoint(&put)
	if err != nil {
		return hbase.WriteResult{Outcome: hbase.Refused, Err: err}
	}
	return s.Client.WriteRow(ctx, s.Table, hbase.RowWrite{
		Row:       s.key(tp),
		Mutations: []hbase.Mutation{{Kind: hbase.KindPut, Cells: cells}},
		Condition: &hbase.Condition{Family: []byte(CheckpointFamily), Qualifier: []byte(colPosition), Op: hbase.CompareEqual, Value: expect},
	})
}

// BindSink ties the sink's name to one Kafka cluster: the marks speak of that cluster's offsets.
func (s *Store) BindSink(ctx context.Context, cluster string) error {
	row := []byte("@" + s.Sink)
	res := s.Client.WriteRow(ctx, s.Table, hbase.RowWrite{
		Row:       row,
		Mutations: []hbase.Mutation{{Kind: hbase.KindPut, Cells: []hbase.MutationCell{textCell(colCluster, cluster)}}},
		Condition: &hbase.Condition{Family: []byte(CheckpointFamily), Qualifier: []byte(colCluster), Op: hbase.CompareEqual},
	})
	if res.Outcome == hbase.Applied {
		return nil
	}
	if res.Outcome == hbase.Refused && res.Err != nil {
		return fmt.Errorf("binding sink %s in the checkpoint table %s: %w", s.Sink, s.Table, res.Err)
	}
	bound, err := s.BoundTo(ctx)
	switch {
	case err != nil:
		return err
	case bound == "":
		return fmt.Errorf("binding sink %s in the checkpoint table %s: %w", s.Sink, s.Table, res.Err)
	case bound != cluster:
		return &SinkBoundError{Sink: s.Sink, Bound: bound, Cluster: cluster}
	}
	return nil
}

// Rebind ties the sink's name to another cluster than it was bound to, for brokers that took the place of the others. Every
// source must be in its next incarnation by then, or be of a topic that these brokers do not have.
func (s *Store) Rebind(ctx context.Context, was, cluster string) error {
	res := s.Client.WriteRow(ctx, s.Table, hbase.RowWrite{
		Row:       []byte("@" + s.Sink),
		Mutations: []hbase.Mutation{{Kind: hbase.KindPut, Cells: []hbase.MutationCell{textCell(colCluster, cluster)}}},
		Condition: &hbase.Condition{Family: []byte(CheckpointFamily), Qualifier: []byte(colCluster), Op: hbase.CompareEqual, Value: []byte(was)},
	})
	if res.Outcome == hbase.Applied {
		return nil
	}
	if bound, err := s.BoundTo(ctx); err != nil || bound == cluster {
		return err
	}
	if res.Err == nil {
		res.Err = errors.New("it was bound anew meanwhile")
	}
	return fmt.Errorf("binding sink %s to cluster %s: %w", s.Sink, cluster, res.Err)
}

// BoundTo is the Kafka cluster that the sink is bound to; empty if to none yet.
func (s *Store) BoundTo(ctx context.Context) (string, error) {
	got, err := s.Client.Get(ctx, s.Table, hbase.Get{Row: []byte("@" + s.Sink)})
	if err != nil {
		return "", fmt.Errorf("reading the binding of sink %s: %w", s.Sink, err)
	}
	for _, c := range got.Cells {
		if string(c.Qualifier) == colCluster {
			return string(c.Value), nil
		}
	}
	return "", nil
}

// CheckBinding says whether the sink may read this Kafka cluster: it is bound to it, or to none yet.
func (s *Store) CheckBinding(ctx context.Context, cluster string) error {
	bound, err := s.BoundTo(ctx)
	if err == nil && bound != "" && bound != cluster {
		err = &SinkBoundError{Sink: s.Sink, Bound: bound, Cluster: cluster}
	}
	return err
}

// SinkBoundError says that the sink's marks speak of another Kafka cluster.
type SinkBoundError struct{ Sink, Bound, Cluster string }

func (e *SinkBoundError) Error() string {
	return fmt.Sprintf("sink %q belongs to the Kafka cluster %s, and the brokers are of cluster %s: offsets of two clusters can't share marks; use another sink name, or, where these brokers took the place of those, rowmark offsets set --new-incarnation", e.Sink, e.Bound, e.Cluster)
}

func textCell(qualifier, value string) hbase.MutationCell {
	return hbase.MutationCell{
		Column: &hbase.Column{Family: []byte(CheckpointFamily), Qualifier: []byte(qualifier)}, Type: hbase.CellPut,
		Timestamp: hbase.LatestTimestamp, Value: []byte(value),
	}
}

func encodeCheckpoint(c *core.Checkpoint) ([]hbase.MutationCell, error) {
	segments, err := json.Marshal(c.Segments)
	if err != nil {
		return nil, fmt.Errorf("encoding log segments: %w", err)
	}
	witness, err := json.Marshal(c.Witness)
	if err != nil {
		return nil, fmt.Errorf("encoding witnesses: %w", err)
	}
	cells := []hbase.MutationCell{
		textCell(colPosition, string(c.Position.Encode())),
		textCell(colTopicID, c.TopicID.String()),
		textCell(colEpoch, fmt.Sprintf("%d@%d", c.LeaderEpoch, c.EpochOffset)),
		textCell(colNewest, strconv.FormatInt(c.Newest, 10)),
		textCell(colAdvanced, strconv.FormatInt(c.AdvancedAt, 10)),
		textCell(colSegments, string(segments)),
		textCell(colWitness, string(witness)),
		textCell(colWho, c.Who),
	}
	if c.Mapping != nil {
		cells = append(cells, textCell(colMapping, string(c.Mapping)), textCell(colHash, c.MappingHash))
	}
	return cells, nil
}

func decodeCheckpoint(row hbase.Row) (*core.Checkpoint, error) {
	c := &core.Checkpoint{LeaderEpoch: -1}
	for _, cell := range row.Cells {
		if err := decodeColumn(c, string(cell.Qualifier), cell.Value); err != nil {
			return nil, fmt.Errorf("reading column %s of checkpoint %s: %w", cell.Qualifier, row.Row, err)
		}
	}
	return c, nil
}

func decodeColumn(c *core.Checkpoint, qualifier string, value []byte) (err error) {
	text := string(value)
	switch qualifier {
	case colPosition:
		c.Position, err = core.DecodePosition(value)
	case colTopicID:
		c.TopicID, err = kafka.ParseTopicID(text)
	case colEpoch:
		_, err = fmt.Sscanf(text, "%d@%d", &c.LeaderEpoch, &c.EpochOffset)
	case colNewest:
		c.Newest, err = strconv.ParseInt(text, 10, 64)
	case colAdvanced:
		c.AdvancedAt, err = strconv.ParseInt(text, 10, 64)
	case colMapping:
		c.Mapping = value
	case colHash:
		c.MappingHash = text
	case colSegments:
		err = json.Unmarshal(value, &c.Segments)
	case colWitness:
		err = json.Unmarshal(value, &c.Witness)
	case colWho:
		c.Who = text
	}
	return err
}
