package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// settings are what the runs of rowmark differ in.
type settings struct {
	name     string // of sink and table
	delivery string // exactly-once unless given
	topic    string
	rowKey   string
	value    string   // its format; json unless given
	columns  []string // orderColumns unless given
	more     string   // what stands behind it all
}

// orderColumns are those of the records that orders makes.
var orderColumns = []string{
	`{field: value.customer, to: "d:customer"}`,
	`{field: value.street, to: "d:street"}`,
	`{field: value.city, to: "d:city"}`,
	`{field: value.status, to: "d:status"}`,
	`{field: value.amount, to: "d:amount"}`,
}

const configText = `sink: %s
kafka: {brokers: [%s]}
hbase: {zookeeper: [%s], checkpoint_table: bench_checkpoints}
delivery: %s
tables:
  - topics: [%s]
    table: %s
    key: {format: string}
    value: {format: %s}
    row_key: [%s]
    columns:
      - %s
    on_tombstone: ignore
%s`

// configure writes a configuration.
func (s *session) configure(c settings) (file string, err error) {
	file = filepath.Join(s.dir, c.name+".yaml")
	columns := c.columns
	if columns == nil {
		columns = orderColumns
	}
	text := fmt.Sprintf(configText, c.name, strings.Join(s.kafka.Brokers(), ","), strings.Join(s.hbase.ZooKeeper(), ","),
		cmp.Or(c.delivery, "exactly-once"), c.topic, c.name, cmp.Or(c.value, "json"), c.rowKey, strings.Join(columns, "\n      - "), c.more)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return "", fmt.Errorf("writing a configuration: %w", err)
	}
	return file, nil
}

// saltedKey spreads the records' keys over so many regions, which rowmark init cuts.
func saltedKey(regions int) string {
	if regions == 1 {
		return "{field: key}"
	}
	return fmt.Sprintf("{salt: %d, of: [key]}, {field: key}", regions)
}
