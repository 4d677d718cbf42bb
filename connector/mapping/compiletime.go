package mapping

import (
	"time"

	"rowmark/rowkey"
)

// defaultMaxFuture bounds a field's time from above, see Spec.MaxFuture.
const defaultMaxFuture = time.Hour

func (c *compiler) time(r *rule, s *Spec) {
	if s.Timestamp == "" || s.Timestamp == "record" {
		s.Timestamp = "record"
		if s.TimestampUnit != "" {
			c.bad(".timestamp_unit", s.TimestampUnit, "it belongs to a field, as in timestamp: value.updated_at")
		}
		if s.MaxFuture != 0 {
			c.bad(".max_future", s.MaxFuture.String(), "it belongs to a field, as in timestamp: value.updated_at")
		}
		if s.MaxPast != 0 {
			c.bad(".max_past", s.MaxPast.String(), "it belongs to a field, as in timestamp: value.updated_at")
		}
		return
	}
	ref, err := rowkey.ParseRef(s.Timestamp)
	switch {
	case err != nil:
		c.bad(".timestamp", s.Timestamp, "record, or a field: %v", err)
	case ref.Root == rowkey.RootOffset || ref.Root == rowkey.RootPartition:
		c.bad(".timestamp", s.Timestamp, "no cell timestamps are made of offsets or partitions: when partitions are added, new cells would hide behind old ones")
	case ref.Root == rowkey.RootTimestamp:
		c.bad(".timestamp", s.Timestamp, "the record's own time is called record")
	default:
		c.depth(".timestamp", &ref, r)
		r.time = &ref
	}
	c.oneOf(".timestamp_unit", &s.TimestampUnit, "ms", "s", "us", "ns", "rfc3339")
	if s.MaxFuture == 0 {
		s.MaxFuture = defaultMaxFuture
	}
	if s.MaxFuture < 0 {
		c.bad(".max_future", s.MaxFuture.String(), "it is not negative")
	}
	if s.MaxPast < 0 {
		c.bad(".max_past", s.MaxPast.String(), "it is not negative")
	}
	r.maxFuture, r.maxPast = s.MaxFuture.Milliseconds(), s.MaxPast.Milliseconds()
}
