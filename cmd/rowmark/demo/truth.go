package demo

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// row is what one row must hold.
type row struct {
	puts     map[string][]byte // by family:qualifier
	counters map[string]int64
	marks    map[int32]int64 // the next offset, by partition
}

// tables are the rows that must be there, by table and row key.
type tables map[string]map[string]*row

// truth folds the log into rows, one record after the other.
type truth struct {
	tables  tables
	records int64
	changes int64 // of rows: a record may change two
	markers int64 // of transactions
	hidden  int64 // offsets that hold neither: records of transactions that were given up
}

func newTruth() *truth {
	return &truth{tables: tables{ordersTable: {}, customersTable: {}}}
}

func (t *truth) row(table, id string) *row {
	sum := md5.Sum([]byte(id))
	key := hex.EncodeToString(sum[:1]) + id
	r := t.tables[table][key]
	if r == nil {
		r = &row{puts: map[string][]byte{}, counters: map[string]int64{}, marks: map[int32]int64{}}
		t.tables[table][key] = r
	}
	return r
}

// fold adds a committed record: what configText says, worked out by hand.
func (t *truth) fold(partition int32, offset int64, key, val []byte) error {
	t.records++
	t.changes++
	o := t.row(ordersTable, string(key))
	o.marks[partition] = offset + 1
	if val == nil {
		clear(o.puts)
		return nil
	}
	var v struct {
		Customer string          `json:"customer"`
		Status   string          `json:"status"`
		Total    float64         `json:"total"`
		Items    int32           `json:"items"`
		Note     json.RawMessage `json:"note"`
	}
	if err := json.Unmarshal(val, &v); err != nil {
		return fmt.Errorf("reading the order at %s/%d offset %d: %w", topic, partition, offset, err)
	}
	o.puts["d:customer"] = []byte(v.Customer)
	o.puts["d:status"] = []byte(v.Status)
	o.puts["d:total"] = binary.BigEndian.AppendUint64(nil, math.Float64bits(v.Total))
	o.puts["d:items"] = binary.BigEndian.AppendUint32(nil, uint32(v.Items))
	switch {
	case v.Note == nil: // not there: the column stays as it is
	case bytes.Equal(v.Note, []byte("null")):
		delete(o.puts, "d:note")
	default:
		var note string
		if err := json.Unmarshal(v.Note, &note); err != nil {
			return fmt.Errorf("reading the order at %s/%d offset %d: %w", topic, partition, offset, err)
		}
		o.puts["d:note"] = []byte(note)
	}
	o.counters["c:changes"]++
	t.changes++
	c := t.row(customersTable, v.Customer)
	c.marks[partition] = offset + 1
	c.counters["c:n"]++
	c.counters["c:items"] += int64(v.Items)
	return nil
}

// readTruth folds all committed records that the brokers serve to franz-go.
func readTruth(ctx context.Context, brokers []string) (*truth, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, 5*time.Minute, errors.New("it took more than five minutes"))
	defer cancel()
	admin, err := kgo.NewClient(kgo.SeedBrokers(brokers...))
	if err != nil {
		return nil, fmt.Errorf("reading the log for the count: %w", err)
	}
	defer admin.Close()
	ends, err := kadm.NewClient(admin).ListCommittedOffsets(ctx, topic)
	if err == nil {
		err = ends.Error()
	}
	if err != nil {
		return nil, fmt.Errorf("reading the log for the count: %w", err)
	}
	from := map[int32]kgo.Offset{}
	left := map[int32]int64{} // the offset to come to
	all := int64(0)
	ends.Each(func(o kadm.ListedOffset) {
		all += o.Offset
		if o.Offset > 0 {
			from[o.Partition], left[o.Partition] = kgo.NewOffset().At(0), o.Offset
		}
	})
	// Control records are kept so that the end of the log is seen also where a marker is the last.
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.KeepControlRecords(),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: from}))
	if err != nil {
		return nil, fmt.Errorf("reading the log for the count: %w", err)
	}
	defer client.Close()
	t := newTruth()
	for len(left) > 0 {
		fetches := client.PollFetches(ctx)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("reading the log for the count: %w", context.Cause(ctx))
		}
		if err := fetches.Err(); err != nil {
			return nil, fmt.Errorf("reading the log for the count: %w", err)
		}
		for _, r := range fetches.Records() {
			if r.Attrs.IsControl() {
				t.markers++
			} else if err := t.fold(r.Partition, r.Offset, r.Key, r.Value); err != nil {
				return nil, err
			}
			if r.Offset+1 >= left[r.Partition] {
				delete(left, r.Partition)
			}
		}
	}
	t.hidden = all - t.records - t.markers
	return t, nil
}
