// Package kafka reads offset ranges of Kafka partitions, and what surrounds them: metadata, offsets by time,
// leader epochs, group assignment. It gives record batches as the committed log holds them, with the gaps
// that compaction and markers leave. It knows nothing of HBase or of what becomes of a record.
package kafka
