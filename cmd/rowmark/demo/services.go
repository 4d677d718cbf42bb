package demo

import (
	"context"

	"rowmark/test/cluster"
)

// services are a Kafka, an HBase, and the reader of the cells for the count.
type services interface {
	// start starts them. What had come up when it failed is ended by stop.
	start(ctx context.Context, s *session) error
	brokers() []string
	zooKeeper() []string
	// dump gives every version of every cell of a table, by other code than rowmark's client.
	dump(table string) ([]cluster.Cell, error)
	// stop ends them, or with keep only what reads the cells.
	stop(keep bool) error
	// pids are the processes that live on when they are kept.
	pids() []int
}
