package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/decode"
	"rowmark/connector/mapping"
	"rowmark/connector/preview"
	"rowmark/hbase"
	"rowmark/kafka"
)

// Inspector shows a row or a record, and how they belong together. It writes nothing.
type Inspector struct {
	Kafka      *kafka.Client
	HBase      *hbase.Client
	Checkpoint func(context.Context, kafka.TopicPartition) (*core.Checkpoint, error) // nil, nil: there is none
	Mappings   *mapping.Set
	Sink       string
	MarkFamily string
	Committed  bool          // the connector reads committed records only
	Values     bool          // records are shown with their content
	Timeout    time.Duration // of one question to a service

	log *kafka.Ranges
}

// Close lets the log go. The clients are the caller's.
func (i *Inspector) Close() {
	if i.log != nil {
		i.log.Close()
	}
}

func (i *Inspector) reader() *kafka.Ranges {
	if i.log == nil {
		i.log = i.Kafka.NewRanges(i.Timeout)
	}
	return i.log
}

// RecordView is one record of the log.
type RecordView struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	Offset    int64  `json:"offset"`
	Time      string `json:"time"`
	// KeyHash is the beginning of the SHA-256 of the key in hex; empty: it has none.
	KeyHash string  `json:"key_sha256,omitempty"`
	Key     *string `json:"key,omitempty"` // these only if values are asked for
	Value   *string `json:"value,omitempty"`
}

// hashBytes is how much of a key's hash is shown.
const hashBytes = 8

func (i *Inspector) view(rec *decode.Record) *RecordView {
	v := &RecordView{Topic: rec.Topic, Partition: rec.Partition, Offset: rec.Offset, Time: clock(rec.Timestamp)}
	if rec.Key != nil {
		sum := sha256.Sum256(rec.Key)
		v.KeyHash = hex.EncodeToString(sum[:hashBytes])
	}
	if i.Values {
		v.Key, v.Value = text(rec.Key), text(rec.Value)
	}
	return v
}

func text(b []byte) *string {
	if b == nil {
		return nil
	}
	s := preview.Readable(b)
	return &s
}

func clock(ms int64) string {
	if ms < 0 || ms > 253402300799999 {
		return fmt.Sprintf("%d ms", ms)
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}

var errNoRecord = errors.New("the log does not hold it any more, or holds no record at that offset")

// record reads one record.
func (i *Inspector) record(ctx context.Context, tp kafka.TopicPartition, id kafka.TopicID, offset int64) (*decode.Record, error) {
	start, end, err := i.ends(ctx, tp)
	if err != nil {
		return nil, err
	}
	if offset < start || offset >= end {
		return nil, &kafka.OutOfRangeError{TopicPartition: tp, Wanted: offset, LogStart: start, LogEnd: end}
	}
	var out *decode.Record
	err = i.reader().Read(ctx, tp, id, offset, offset+1, func(r *kafka.Record) (bool, error) {
		if r.Offset == offset {
			rec := preview.RecordOf(tp, r)
			out = &rec
		}
		return false, nil
	})
	if err == nil && out == nil {
		err = errNoRecord
	}
	return out, err
}

func (i *Inspector) ends(ctx context.Context, tp kafka.TopicPartition) (start, end int64, err error) {
	ctx, cancel := i.call(ctx)
	defer cancel()
	if start, err = offsetAt(ctx, i.Kafka, tp, kafka.Earliest); err == nil {
		end, err = offsetAt(ctx, i.Kafka, tp, kafka.ReadableEnd(i.Committed))
	}
	return start, end, err
}

func (i *Inspector) call(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, i.Timeout)
}

func (i *Inspector) checkpoint(ctx context.Context, tp kafka.TopicPartition) (*core.Checkpoint, error) {
	ctx, cancel := i.call(ctx)
	defer cancel()
	return i.Checkpoint(ctx, tp)
}

// rows gives what a record becomes; nil if it can't be mapped.
func (i *Inspector) rows(ctx context.Context, rec *decode.Record) (mapping.Result, error) {
	ctx, cancel := i.call(ctx)
	defer cancel()
	return i.Mappings.MapAsking(*rec, func(l *decode.Later) error { return l.Wait(ctx) })
}
