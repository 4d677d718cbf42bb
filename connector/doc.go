// Package connector runs the exactly-once engine: it drives the pure core of connector/core with a real Kafka
// and a real HBase. Here are the goroutines, the clocks and the deadlines; what is decided is decided in core.
//
// The way of a record: kafka.Reader gives a chunk, pump.go maps it, core folds it and asks for a write,
// writes.go hands it to hbase.Client, and the outcome goes back into core, which advances the checkpoint.
package connector
