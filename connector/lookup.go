package connector

import (
	"context"
	"fmt"
	"time"

	"rowmark/connector/config"
	"rowmark/hbase"
	"rowmark/kafka"
)

// Lookup tells what HBase knows of rows and sources, without touching them. It remembers what it was told.
type Lookup struct {
	ctx     context.Context
	timeout time.Duration // of one question
	store   *Store
	tables  map[string]tableRegions
	sources map[kafka.TopicPartition]int
}

type tableRegions struct {
	regions []hbase.Region
	err     error
}

// NewLookup asks by client, until ctx ends.
func NewLookup(ctx context.Context, c *config.Config, client *hbase.Client) *Lookup {
	return &Lookup{
		ctx: ctx, timeout: c.HBase.CallTimeout, store: &Store{Client: client, Table: c.HBase.CheckpointTable, Sink: c.Sink},
		tables: map[string]tableRegions{}, sources: map[kafka.TopicPartition]int{},
	}
}

// Region names the region of a row and its server, or says why they can't be told.
func (l *Lookup) Region(table string, row []byte) string {
	t, ok := l.tables[table]
	if !ok {
		ctx, cancel := context.WithTimeout(l.ctx, l.timeout)
		t.regions, t.err = l.store.Client.Regions(ctx, table)
		cancel()
		l.tables[table] = t
	}
	if t.err != nil {
		return fmt.Sprintf("not known: %v", t.err)
	}
	for i := range t.regions {
		r := &t.regions[i]
		if !r.Contains(row) {
			continue
		}
		server := r.Addr
		if server == "" {
			server = "no server"
		}
		return fmt.Sprintf("%s [%x, %x) on %s", r.EncodedName(), r.Start, r.End, server)
	}
	return "not known: no region of the table holds this key now"
}

// Incarnation is the number of the log's current incarnation, 0 for a source without a checkpoint.
func (l *Lookup) Incarnation(topic string, partition int32) int {
	tp := kafka.TopicPartition{Topic: topic, Partition: partition}
	n, ok := l.sources[tp]
	if !ok {
		ctx, cancel := context.WithTimeout(l.ctx, l.timeout)
		defer cancel()
		if ck, err := l.store.Read(ctx, tp); err == nil && ck != nil && len(ck.Segments) > 0 {
			n = ck.Segments[len(ck.Segments)-1].Incarnation
		}
		l.sources[tp] = n
	}
	return n
}
