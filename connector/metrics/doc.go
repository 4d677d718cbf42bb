// Package metrics gives a running connector's metrics to Prometheus. Almost all are read from a status.Snapshot when they are
// asked for, so that counting costs the way of a record nothing; only durations are observed as they happen. It knows nothing
// of Kafka and HBase. docs/metrics.md is made from it.
package metrics
