package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	ordersTable    = "demo:orders"
	customersTable = "demo:customers"
	markFamily     = "_k"
)

// configText is the whole configuration; brokers and quorum are the demo's own. The lease is short so that a
// recovery is too: a partition is taken over when its checkpoint has stood still that long.
const configText = `# Written by rowmark demo. For data of your own leave out checkpoint: its defaults are calmer.
sink: %[1]s
kafka:
  brokers: [%[2]s]
hbase:
  zookeeper: [%[3]s]
  mark_family: %[4]s
checkpoint:
  interval: %[8]s
  lease: %[9]s
tables:
  # A row for each order. A tombstone deletes what the family d holds; the count of changes in c lives on.
  - topics: [%[5]s]
    table: %[6]s
    key: {format: string}
    value: {format: json}
    row_key:
      - {hash: md5, of: [key], hex: 2, presplit: 4}
      - {field: key, as: string}
    columns:
      - {field: value.customer, to: "d:customer"}
      - {field: value.status, to: "d:status"}
      - {field: value.total, to: "d:total", as: float64}
      - {field: value.items, to: "d:items", as: int32}
      - {field: value.note, to: "d:note", on_null: delete}
      - {literal: "1", to: "c:changes", op: increment}
    on_tombstone: delete-row
    delete_families: [d]
  # The same records once more, counted for each customer.
  - topics: [%[5]s]
    table: %[7]s
    key: {format: string}
    value: {format: json}
    row_key:
      - {hash: md5, of: [value.customer], hex: 2, presplit: 2}
      - {field: value.customer, as: string}
    columns:
      - {literal: "1", to: "c:n", op: increment}
      - {field: value.items, to: "c:items", op: increment}
    on_tombstone: ignore
`

func (m *mode) config(brokers, zookeeper []string) string {
	return fmt.Sprintf(configText, sink, strings.Join(brokers, ", "), strings.Join(zookeeper, ", "), markFamily, topic, ordersTable, customersTable, m.interval, m.lease)
}

func (s *session) configFile() string { return filepath.Join(s.dir, "rowmark.yaml") }

func (s *session) writeConfig() error {
	if err := os.WriteFile(s.configFile(), []byte(s.mode.config(s.services.brokers(), s.services.zooKeeper())), 0o644); err != nil {
		return fmt.Errorf("writing the demo's configuration: %w", err)
	}
	return nil
}
