package live

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Scenario is what is done without a crash.
type Scenario struct {
	Shape  string // one, rows, regions, hot, sources; or what else is crashed: init, offsets, group
	Commit string // region or row
	Remap  bool   // every process after the first has another mapping
}

// Name says which scenario it is.
func (s Scenario) Name() string {
	if s.Remap {
		return s.Shape + " " + s.Commit + " remap"
	}
	return s.Shape + " " + s.Commit
}

// Scenarios lists all of them; short leaves out half of the combinations of commit and remap, each in turn.
func Scenarios(short bool) []Scenario {
	var out []Scenario
	for i, shape := range []string{"one", "rows", "regions", "hot", "sources"} {
		for k, commit := range []string{"region", "row"} {
			for _, remap := range []bool{false, true} {
				if !short || remap == ((i+k)%2 == 0) {
					out = append(out, Scenario{shape, commit, remap})
				}
			}
		}
	}
	return append(out, Scenario{"init", "region", false}, Scenario{"offsets", "region", false}, Scenario{"group", "region", false})
}

// event is one record, as it was written.
type event struct {
	key    string
	id     string // partition:offset,
	weight int64
	delete bool // a tombstone
	drop   bool // deletes column d:x
	big    bool // the table rows refuses it for good
	offset int64
	millis int64 // after the first
}

// mapping is the configuration's tables. Puts and deletes go to a row of the partition's own, counters and lists to one
// that all partitions share.
func (s Scenario) mapping(version int) string {
	last, list := "last", "list"
	if version > 1 {
		last, list = "last2", "list2"
	}
	return strings.NewReplacer("LAST", last, "LIST", list).Replace(`
tables:
  - topics: [t]
    table: rows
    key: {format: string}
    value: {format: json}
    row_key: [{field: key, as: string}, {literal: "."}, {field: partition, as: string}]
    columns:
      - {field: value.id, to: "d:LAST"}
      - {field: value.w, to: "d:w"}
      - {field: value.x, to: "d:x", on_null: delete}
      - {field: value.big, to: "d:big"}
    on_tombstone: delete-row
    on_error: skip
  - topics: [t]
    table: counts
    key: {format: string}
    value: {format: json}
    row_key: [{field: key, as: string}]
    columns: [{field: value.w, to: "c:w", op: increment}, {field: value.id, to: "l:LIST", op: append}]
    on_tombstone: ignore
    on_error: skip
`)
}

func (s Scenario) parts() int {
	if s.Shape == "sources" {
		return 3
	}
	return 1
}

func (s Scenario) batch() int {
	if s.Shape == "one" {
		return 1
	}
	return 6
}

// splits are where the tables are cut into regions.
func (s Scenario) splits() []string {
	switch s.Shape {
	case "rows", "one", "hot":
		return nil
	}
	return []string{"b", "c", "d"}
}

// events makes the log, by partition.
func (s Scenario) events() [][]event {
	r := rand.New(rand.NewPCG(5, uint64(len(s.Shape))))
	n := 24
	switch s.Shape {
	case "one":
		n = 12
	case "sources":
		n = 12
	}
	out := make([][]event, s.parts())
	for p := range out {
		for i := range n {
			e := event{
				id: fmt.Sprintf("%d:%d,", p, i), offset: int64(i), weight: int64(r.Uint64()>>2) - 1<<61,
				delete: i%3 == 1, drop: i%5 == 3, big: i%8 == 6, millis: int64(i/3) * 10,
			}
			if i%6 == 5 {
				e.millis -= 7
			}
			switch s.Shape {
			case "hot":
				e.key = "hot"
			case "one":
				e.key = fmt.Sprintf("%c%d", 'a'+i/3%4, i/3)
			case "sources":
				e.key = fmt.Sprintf("%c-shared", 'a'+i%3)
			default:
				e.key = fmt.Sprintf("%c%d", 'a'+i%4, i%9)
			}
			out[p] = append(out[p], e)
		}
	}
	return out
}

// bigValue is longer than the largest cell that the client may send.
var bigValue = strings.Repeat("x", maxCell+1)

const maxCell = 8000 // more than a checkpoint's witnesses take

func (e *event) value() ([]byte, error) {
	if e.delete {
		return nil, nil
	}
	m := map[string]any{"id": e.id, "w": e.weight, "x": e.id}
	if e.drop {
		m["x"] = nil
	}
	if e.big {
		m["big"] = bigValue
	}
	return json.Marshal(m)
}
