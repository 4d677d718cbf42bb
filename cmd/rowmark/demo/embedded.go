package demo

import (
	"context"
	"fmt"
	"math"

	"rowmark/hbase/hbasetest"
	"rowmark/test/cluster"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// regionServers are few, and more than one: regions and calls are spread.
const regionServers = 3

// embedded are services in this process, on ports of 127.0.0.1.
type embedded struct {
	kafka *kfake.Cluster
	hbase *hbasetest.Cluster
}

func (e *embedded) start(_ context.Context, s *session) error {
	var err error
	if e.kafka, err = startKafka(); err != nil {
		return err
	}
	s.out.step("Kafka, embedded, at %s (franz-go's kfake)", e.brokers()[0])
	if e.hbase, err = hbasetest.Start(hbasetest.Options{Servers: regionServers}); err != nil {
		return fmt.Errorf("starting the embedded HBase: %w", err)
	}
	s.out.step("HBase, embedded, %d region servers, ZooKeeper at %s (rowmark's hbasetest)", regionServers, e.hbase.ZooKeeper())
	return nil
}

func startKafka() (*kfake.Cluster, error) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		return nil, fmt.Errorf("starting the embedded Kafka: %w", err)
	}
	c.ControlKey(int16(kmsg.Fetch), uncut)
	return c, nil
}

// uncut lets answers to fetches be cut by the limits of their partitions alone. Where kfake cuts one by the limit of
// the whole answer, it leaves out the list of aborted transactions, so that their records look like committed ones.
func uncut(r kmsg.Request) (kmsg.Response, error, bool) {
	r.(*kmsg.FetchRequest).MaxBytes = math.MaxInt32
	return nil, nil, false
}

func (e *embedded) brokers() []string   { return e.kafka.ListenAddrs() }
func (e *embedded) zooKeeper() []string { return []string{e.hbase.ZooKeeper()} }
func (e *embedded) pids() []int         { return nil }

// dump looks into the memory of the HBase: no socket, no client and no message lies between.
func (e *embedded) dump(table string) ([]cluster.Cell, error) {
	rows, err := e.hbase.Dump(table)
	if err != nil {
		return nil, err
	}
	var out []cluster.Cell
	for _, r := range rows {
		for _, c := range r.Cells {
			out = append(out, cluster.Cell{
				Row: string(r.Row), Family: string(c.Family), Qualifier: string(c.Qualifier), Timestamp: c.Timestamp, Type: "Put", Value: c.Value,
			})
		}
	}
	return out, nil
}

func (e *embedded) stop(bool) error {
	if e.kafka != nil {
		e.kafka.Close()
	}
	if e.hbase != nil {
		return e.hbase.Close()
	}
	return nil
}
