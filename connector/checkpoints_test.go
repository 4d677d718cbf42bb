package connector

import (
	"reflect"
	"testing"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

func sample() core.Checkpoint {
	c := core.Checkpoint{
		Position:    core.Position{Offset: 42, Epoch: 7, Ceiling: 100042, Beat: 3, Owner: core.Owner{1, 2, 3}},
		TopicID:     kafka.TopicID{9, 8},
		LeaderEpoch: 4, EpochOffset: 40, Newest: 1764400000000, AdvancedAt: 1764400000001,
		Mapping: []byte(`{"version":1}`), MappingHash: "abc", Who: "host pid 1",
		Segments: []core.Segment{{Incarnation: 1, Start: 5, TopicID: kafka.TopicID{9, 8}, Floor: 12}},
		Witness:  []core.Witness{{Table: "t", Row: []byte{0, 255}, Name: "s/t/0#1", Mark: 41, Until: 1764400000002}},
	}
	return c
}

func rowOf(t *testing.T, c *core.Checkpoint) hbase.Row {
	t.Helper()
	cells, err := encodeCheckpoint(c)
	if err != nil {
		t.Fatal(err)
	}
	row := hbase.Row{Row: []byte("s/t/0")}
	for i := range cells {
		row.Cells = append(row.Cells, cells[i].In(row.Row))
	}
	return row
}

func TestCheckpointReadsBack(t *testing.T) {
	want := sample()
	got, err := decodeCheckpoint(rowOf(t, &want))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("got  %+v\nwant %+v", *got, want)
	}
}

// A checkpoint that does not name the mapping leaves the stored one alone.
func TestCheckpointLeavesTheStoredMapping(t *testing.T) {
	c := sample()
	c.Mapping = nil
	for _, cell := range rowOf(t, &c).Cells {
		if q := string(cell.Qualifier); q == colMapping || q == colHash {
			t.Errorf("column %s is written", q)
		}
	}
}

func TestCheckpointThatIsNoneIsRefused(t *testing.T) {
	c := sample()
	for column, value := range map[string]string{
		colPosition: "short", colTopicID: "zz", colEpoch: "4", colNewest: "x", colSegments: "{", colWitness: "[1]",
	} {
		row := rowOf(t, &c)
		for i := range row.Cells {
			if string(row.Cells[i].Qualifier) == column {
				row.Cells[i].Value = []byte(value)
			}
		}
		if _, err := decodeCheckpoint(row); err == nil {
			t.Errorf("column %s was read from %q", column, value)
		}
	}
}

func TestMarkMustAgreeWithItsTimestamp(t *testing.T) {
	cell := hbase.Cell{Row: []byte("r"), Qualifier: []byte("s/t/0"), Timestamp: 9, Value: core.Mark{Next: 9, Floor: 3}.Encode()}
	if m, err := markOf(hbase.Row{Cells: []hbase.Cell{cell}}); err != nil || m != (core.Mark{Next: 9, Floor: 3}) {
		t.Errorf("got %v, %v", m, err)
	}
	cell.Timestamp = 8
	if _, err := markOf(hbase.Row{Cells: []hbase.Cell{cell}}); err == nil {
		t.Error("a mark whose timestamp says another offset was believed")
	}
	if m, err := markOf(hbase.Row{}); err != nil || m.Next != 0 {
		t.Errorf("no mark is %v, %v", m, err)
	}
}
