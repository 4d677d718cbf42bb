package config

import "fmt"

// Flow bounds how fast records are read. Each process keeps the bounds for itself.
type Flow struct {
	// MaxRecordsPerSecond bounds the records of all partitions together, shared evenly among those that have some; 0, no
	// bound.
	MaxRecordsPerSecond int64 `yaml:"max_records_per_second" default:"0"`
	// MaxPartitionRecordsPerSecond bounds those of each partition; 0, no bound.
	MaxPartitionRecordsPerSecond int64 `yaml:"max_partition_records_per_second" default:"0"`
}

// rateMost is the highest rate that can be kept.
const rateMost = 1_000_000_000

func (d *decoder) flow(f *Flow) {
	d.rate("flow.max_records_per_second", f.MaxRecordsPerSecond)
	d.rate("flow.max_partition_records_per_second", f.MaxPartitionRecordsPerSecond)
}

func (d *decoder) rate(key string, rate int64) {
	if rate < 0 || rate > rateMost {
		d.at(key, fmt.Sprint(rate), "0, which is no bound, up to %d", rateMost)
	}
}
