package main

import (
	"fmt"
	"strings"
)

// Topics, tables and sinks of the run.
const (
	mainTopic  = "chaos_in"
	holeTopic  = "chaos_hole"
	againTopic = "chaos_again"

	rowsTable       = "chaos:rows"
	hotTable        = "chaos:hot"
	edgeTable       = "chaos:edge"
	checkpointTable = "chaos:checkpoints"

	mainSink   = "main"
	secondSink = "second"
	edgeSink   = "edge"

	firstPartitions = 4
	grownPartitions = 8 // at most, by growth during the run

	lease = "3s"
)

// mainTables use every operation on rows of one partition, and count on rows that all partitions share.
const mainTables = `
  - topics: [chaos_in]
    table: chaos:rows
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {field: value.status, to: "d:status"}
      - {field: value.id, to: "d:id"}
      - {field: value.note, to: "d:note", on_null: delete}
      - {field: value.big, to: "d:big"}
      - {fields: "value.o.*", to_family: o}
      - {literal: "1", to: "c:n", op: increment}
      - {field: value.inc, to: "c:inc", op: increment}
      - {field: offset, as: int64, to: "a:offsets", op: append}
    on_tombstone: delete-row
    delete_families: [d]
    on_error: skip
  - topics: [chaos_in]
    table: chaos:hot
    key: {format: string}
    value: {format: json}
    row_key: [{field: value.hot}]
    columns:
      - {literal: "1", to: "c:n", op: increment}
      - {field: value.inc, to: "c:inc", op: increment}
    on_tombstone: ignore
    on_error: skip
`

// secondTables write the same rows under marks of another sink, into families of their own.
const secondTables = `
  - topics: [chaos_in]
    table: chaos:rows
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {literal: "1", to: "x:n", op: increment}
      - {field: value.inc, to: "x:inc", op: increment}
      - {field: value.status, to: "y:last"}
    on_tombstone: ignore
    on_error: skip
  - topics: [chaos_in]
    table: chaos:hot
    key: {format: string}
    value: {format: json}
    row_key: [{field: value.hot}]
    columns:
      - {literal: "1", to: "x:n", op: increment}
      - {field: value.inc, to: "x:inc", op: increment}
    on_tombstone: ignore
    on_error: skip
`

// edgeTables read the topics whose records are deleted below the reader, or that are made anew.
const edgeTables = `
  - topics: [chaos_hole, chaos_again]
    table: chaos:edge
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {literal: "1", to: "c:n", op: increment}
      - {field: value.inc, to: "c:inc", op: increment}
      - {field: offset, as: int64, to: "a:offsets", op: append}
    on_tombstone: ignore
    on_error: skip
`

// connectorConfig is one connector's configuration.
type connectorConfig struct {
	sink       string
	partitions string // as in "[0, 1]" of the main topic; empty: all
	logChanged string
	commit     string
	tables     string
}

var connectorConfigs = map[string]connectorConfig{
	"main-a":  {sink: mainSink, partitions: "[0, 1]", tables: mainTables},
	"main-b":  {sink: mainSink, partitions: "[2, 3, 4, 5, 6, 7]", tables: mainTables},
	"second":  {sink: secondSink, commit: "row", tables: secondTables},
	"at-edge": {sink: edgeSink, logChanged: "new-incarnation", tables: edgeTables},
}

// yaml writes the configuration. An address of a proxy may be empty.
func (c connectorConfig) yaml(brokers, zookeeper []string, kafkaProxy, hbaseProxy string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("sink: %s", c.sink)
	line("kafka:")
	line("  brokers: [%s]", strings.Join(brokers, ", "))
	line("  fetch: {max_wait: 200ms}")
	if c.partitions != "" {
		line("  partitions: {%s: %s}", mainTopic, c.partitions)
	}
	if c.logChanged != "" {
		line("  log_changed: %s", c.logChanged)
	}
	if kafkaProxy != "" {
		line("  proxy: %s", kafkaProxy)
	}
	line("hbase:")
	line("  zookeeper: [%s]", strings.Join(zookeeper, ", "))
	line("  checkpoint_table: %s", checkpointTable)
	line("  call_timeout: 10s")
	if c.commit != "" {
		line("  commit: %s", c.commit)
	}
	if hbaseProxy != "" {
		line("  proxy: %s", hbaseProxy)
	}
	line("checkpoint: {interval: 500ms, lease: %s}", lease)
	b.WriteString("tables:" + c.tables)
	return b.String()
}
