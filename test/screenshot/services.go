package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"rowmark/hbase/hbasetest"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// partitions of each topic.
const orderPartitions, paymentPartitions, returnPartitions = 8, 4, 1

const mappings = `
checkpoint: {interval: 1s}
tables:
  - topics: [orders]
    table: shop:orders
    key: {format: string}
    value: {format: json}
    row_key: [{salt: 16, of: [key]}, {field: key}]
    columns:
      - {field: value.status, to: "d:status"}
      - {field: value.items, to: "c:items", op: increment}
    on_tombstone: delete-row
  - topics: [payments]
    table: shop:payments
    key: {format: string}
    value: {format: json}
    row_key: [{salt: 8, of: [key]}, {field: key}]
    columns:
      - {field: value.amount, to: "d:amount", as: float64}
    on_tombstone: ignore
    on_error: dead-letter
  - topics: [returns]
    table: shop:returns
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {field: value.items, to: "c:items", op: increment}
    on_tombstone: ignore
    on_error: fail
`

// services are what the connector runs on, in this process.
type services struct {
	kafka    *kfake.Cluster
	hbase    *hbasetest.Cluster
	producer *kgo.Client
	admin    string // where the connector is to serve its page
	config   string // the connector's file
}

func startServices(dir string) (*services, error) {
	s := &services{}
	if err := s.open(dir); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *services) open(dir string) (err error) {
	if s.kafka, err = kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(orderPartitions, "orders"), kfake.SeedTopics(paymentPartitions, "payments"),
		kfake.SeedTopics(returnPartitions, "returns")); err != nil {
		return err
	}
	if s.hbase, err = hbasetest.Start(hbasetest.Options{Servers: 3, Recovery: 3 * time.Second}); err != nil {
		return err
	}
	if s.producer, err = kgo.NewClient(kgo.SeedBrokers(s.kafka.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner())); err != nil {
		return err
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.admin = free.Addr().String()
	if err := free.Close(); err != nil {
		return err
	}
	text := fmt.Sprintf("sink: shop\nkafka: {brokers: [%q]}\nhbase: {zookeeper: [%q]}\nadmin: {listen: %q}\n", s.kafka.ListenAddrs()[0], s.hbase.ZooKeeper(), s.admin)
	s.config = filepath.Join(dir, "rowmark.yaml")
	return os.WriteFile(s.config, []byte(text+mappings), 0o600)
}

func (s *services) close() {
	if s.producer != nil {
		s.producer.Close()
	}
	if s.hbase != nil {
		_ = s.hbase.Close()
	}
	if s.kafka != nil {
		s.kafka.Close()
	}
}
