package config

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"rowmark/connector/decode"
	"rowmark/connector/mapping"
)

// canonical is the example of the documentation.
const canonical = `sink: orders                     # pinned id, part of every mark
kafka:
  brokers: [localhost:9092]
  isolation: read_committed      # or read_uncommitted
  start: earliest
  out_of_range: fail             # fail | earliest | nearest
  assignment: static             # or group
hbase:
  zookeeper: [localhost:2181]
  checkpoint_table: rowmark
  mark_family: _k
  commit: auto                   # auto | region | row
delivery: exactly-once           # or at-least-once
tables:
  - topics: [orders]             # names, or /regex/
    table: shop:orders
    key: {format: string}
    value: {format: json}
    row_key:
      - {salt: 16, of: [value.customer_id]}
      - {field: value.customer_id, as: string}
      - {literal: "|"}
      - {field: value.created_at, as: int64, reverse: true}
    columns:
      - {field: value.status, to: "d:status"}
      - {field: value.total, to: "d:total", as: float64}
      - {field: value.items, to: "c:items", op: increment}
      - {fields: "value.*", except: [value.internal], to_family: raw}
    on_null: skip                # skip | delete | empty
    on_tombstone: ignore         # or delete-row
    on_error: fail               # fail | dead-letter | skip
    order: log                   # or time
`

func TestCanonicalExampleLoads(t *testing.T) {
	c, err := Parse("rowmark.yaml", []byte(canonical))
	if err != nil {
		t.Fatal(err)
	}
	if c.Sink != "orders" || c.Kafka.Brokers[0] != "localhost:9092" || c.HBase.MarkFamily != "_k" || c.AtLeastOnce() {
		t.Errorf("read wrongly: %+v", c)
	}
	if c.Checkpoint.Interval != time.Second || c.Checkpoint.Lease != 10*time.Second || c.HBase.MaxCellBytes != 10<<20 {
		t.Errorf("defaults: %+v %+v", c.Checkpoint, c.HBase)
	}
	tables := c.Mappings.Tables()
	if len(tables) != 1 || tables[0].Name != "shop:orders" || len(tables[0].Splits) != 15 {
		t.Fatalf("tables: %+v", tables)
	}
	if got := strings.Join(tables[0].Families, " "); got != "c d raw" {
		t.Errorf("families %s", got)
	}
	res := c.Mappings.Map(decode.Record{
		Topic: "orders", Offset: 7, Timestamp: 1700000000000, Key: []byte("k"),
		Value: []byte(`{"customer_id":"c1","created_at":1700000000001,"status":"new","total":12.5,"items":3,"internal":1,"big":123456789012345678901234567890}`),
	})
	if res.Err != nil || len(res.Rows) != 1 {
		t.Fatalf("%+v", res)
	}
	row := res.Rows[0]
	// Long.MAX_VALUE - 1700000000001, big-endian.
	tail := []byte{'c', '1', '|', 0x7f, 0xff, 0xfe, 0x74, 0x30, 0x1a, 0x97, 0xfe}
	if !bytes.Equal(row.Row[1:], tail) || row.Row[0] > 15 {
		t.Errorf("row key %x, want the end %x", row.Row, tail)
	}
	var big, total []byte
	for _, c := range row.Cells {
		switch string(c.Family) + ":" + string(c.Qualifier) {
		case "raw:big":
			big = c.Value
		case "d:total":
			total = c.Value
		case "c:items":
			if c.Kind != mapping.CellIncrement || c.Delta != 3 {
				t.Errorf("items: %+v", c)
			}
		case "raw:internal":
			t.Error("raw:internal was left out by except")
		}
	}
	if string(big) != "123456789012345678901234567890" {
		t.Errorf("raw:big lost digits: %s", big)
	}
	if want := []byte{0x40, 0x29, 0, 0, 0, 0, 0, 0}; !bytes.Equal(total, want) {
		t.Errorf("d:total is %x, want %x", total, want)
	}
	if len(row.Cells) != 9 {
		t.Errorf("%d cells, want 9", len(row.Cells))
	}
}

// TestSplitsKeepTheirDigits: YAML would read them as numbers.
func TestSplitsKeepTheirDigits(t *testing.T) {
	text := strings.Replace(canonical, "    columns:", "    splits: [m, 0x80ff, 0x0010, 0017, 1_000, 1.50, \"0x61\"]\n    columns:", 1)
	c, err := Parse("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%q", c.Mappings.Tables()[0].Splits); got != `["\x00\x10" "0017" "1.50" "1_000" "a" "m" "\x80\xff"]` {
		t.Errorf("got %s", got)
	}
}
