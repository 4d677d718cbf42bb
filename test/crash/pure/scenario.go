package pure

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"rowmark/connector/mapping"
	"rowmark/hbase"
)

// Shape is how the records lie on rows, regions and sources.
type Shape string

// Shapes of batch.
const (
	ShapeOne     Shape = "one"     // one row and one record a write
	ShapeRows    Shape = "rows"    // many rows of one region
	ShapeRegions Shape = "regions" // many rows of several regions
	ShapeHot     Shape = "hot"     // one row, many records
	ShapeSources Shape = "sources" // several partitions that share rows and batches
	ShapeSpecial Shape = "special" // what befalls the connector besides the crash; see Special
)

// Shapes lists the shapes that every kind of operation is played in.
var Shapes = []Shape{ShapeOne, ShapeRows, ShapeRegions, ShapeHot, ShapeSources}

// Op is the kind of operation.
type Op string

// Kinds of operation.
const (
	OpPut          Op = "put"
	OpIncrement    Op = "increment"
	OpAppend       Op = "append"
	OpDeleteRow    Op = "delete-row" // and re-creation at equal timestamps
	OpDeleteColumn Op = "delete-column"
	OpSkip         Op = "skip"        // of records that can't be mapped, or that the server refuses for good
	OpLetter       Op = "dead-letter" // of such records
	OpMixed        Op = "mixed"
)

// Ops lists the kinds of operation.
var Ops = []Op{OpPut, OpIncrement, OpAppend, OpDeleteRow, OpDeleteColumn, OpSkip, OpLetter, OpMixed}

// Special is what befalls a scenario besides the crash.
type Special string

// Specials.
const (
	Rough     Special = "rough"     // answers of every kind are lost, requests too, servers are busy
	Fallback  Special = "fallback"  // no region transactions after all
	Recreated Special = "recreated" // the topic is made anew between two runs
	Hole      Special = "hole"      // retention passes the checkpoint between two runs
	Away      Special = "away"      // a table is disabled for a while
	Paused    Special = "paused"    // rowmark pause, and rowmark resume
	Operator  Special = "operator"  // offsets set --force, back to the start, under the running connector
)

// Specials lists them.
var Specials = []Special{Rough, Fallback, Recreated, Hole, Away, Paused, Operator}

// Scenario is one history without a crash. It may be played by several goroutines at once.
type Scenario struct {
	Shape   Shape
	Op      Op
	Mode    hbase.Mode
	Remap   bool // every process after the first has another mapping
	Special Special

	logs    []*logFile
	anew    []*logFile // the second incarnation, for Recreated
	wants   sync.Map   // folds by the offsets at which the mapping changed
	regions int
	batch   int // rows
	chunk   int // records of one fetch
}

// Name says which scenario it is.
func (s *Scenario) Name() string {
	mode, remap := "region", ""
	if s.Mode == hbase.ModeRow {
		mode = "row"
	}
	if s.Remap {
		remap = " remap"
	}
	if s.Special != "" {
		return fmt.Sprintf("%s %s %s%s", s.Special, s.Op, mode, remap)
	}
	return fmt.Sprintf("%s %s %s%s", s.Shape, s.Op, mode, remap)
}

// NewScenario makes a scenario; its records are the same at every call.
func NewScenario(shape Shape, op Op, mode hbase.Mode, remap bool, special Special) *Scenario {
	s := &Scenario{Shape: shape, Op: op, Mode: mode, Remap: remap, Special: special, regions: 1, batch: 6, chunk: 5}
	parts, n := 1, 24
	switch shape {
	case ShapeOne:
		n, s.batch, s.chunk = 9, 1, 3
	case ShapeRegions, ShapeSpecial:
		s.regions = 4
	case ShapeHot:
		s.chunk = 7
	case ShapeSources:
		parts, n, s.regions = 3, 9, 2
	}
	if special != "" {
		n = 16
	}
	r := rand.New(rand.NewPCG(11, uint64(len(op)+len(shape)*100)))
	for p := range parts {
		s.logs = append(s.logs, newLog(s, r, p, n, "").seal())
		if special == Recreated {
			s.anew = append(s.anew, newLog(s, r, p, n, "#1").seal())
			s.anew[p].topic = 2
		}
	}
	return s
}

// key names the row of a partition's i-th record, and says whether no other partition writes it.
func (s *Scenario) key(p, i int) (key string, own bool) {
	switch s.Shape {
	case ShapeOne:
		if s.Op == OpDeleteRow || s.Op == OpDeleteColumn || s.Op == OpMixed {
			i /= 3
		}
		return fmt.Sprintf("%c%02d", 'a'+i%4, i), true
	case ShapeHot:
		return "hot", true
	case ShapeSources:
		if i%2 == 0 {
			return fmt.Sprintf("%c-shared", 'a'+i/2%2), false
		}
		return fmt.Sprintf("%c-%d-%d", 'a'+i%4, p, i/4), true
	default:
		i %= 10
		return fmt.Sprintf("%c%02d", 'a'+i%4, i), true
	}
}

func newLog(s *Scenario, r *rand.Rand, p, n int, tag string) *logFile {
	l := &logFile{topic: 1}
	name := fmt.Sprintf("p%d%s.", p, tag)
	for i := range n {
		if i%7 == 4 {
			l.end += 2 // aborted records and their marker
		}
		// Three in a row have one time, so that a delete and what comes around it meet in one millisecond.
		// Now and then time leaps, further than the checkpoint had allowed for.
		leaps := int64(i/6) * int64(i/6) * int64(i/6)
		rec := record{offset: l.end, time: 1_000_000 + int64(i/3)*10 + leaps*60_000}
		if tag != "" {
			rec.time -= 1000 // the clock of whoever writes a topic anew is a little slow
		}
		if i%6 == 5 {
			rec.time -= 200
		}
		key, own := s.key(p, i)
		s.fill(&rec, r, name, key, own, i)
		l.records = append(l.records, rec)
		l.end++
	}
	l.end++ // a marker at the end
	return l
}

// fill gives a record its operations.
func (s *Scenario) fill(rec *record, r *rand.Rand, name, key string, own bool, i int) {
	id := itoa(rec.offset)
	weight := int64(r.Uint64()) // random 64 bits, so that a loss and a duplicate can't cancel
	last := cellOp{kind: mapping.CellPut, family: famData, qualifier: name + "last", value: id, private: true}
	named := cellOp{kind: mapping.CellPut, family: famData, qualifier: name + "o" + id, value: itoa(weight), private: true}
	puts := rowOp{table: tableRows, row: key, cells: []cellOp{last, named}}
	counts := rowOp{table: tableCounts, row: key, cells: []cellOp{
		{kind: mapping.CellIncrement, family: famCount, qualifier: name + "n", delta: weight, private: true},
		{kind: mapping.CellIncrement, family: famCount, qualifier: "sum", delta: weight},
	}}
	list := rowOp{table: tableCounts, row: key, cells: []cellOp{
		{kind: mapping.CellAppend, family: famList, qualifier: name + "l", value: id + ",", private: true},
	}}
	tombstone := rowOp{table: tableRows, row: key, deletes: true}
	without := rowOp{table: tableRows, row: key, cells: []cellOp{
		{kind: mapping.CellDeleteColumn, family: famData, qualifier: name + "last", private: true}, named,
	}}
	switch s.Op {
	case OpPut:
		rec.ops = []rowOp{puts}
	case OpIncrement:
		rec.ops = []rowOp{counts}
	case OpAppend:
		rec.ops = []rowOp{list}
	case OpDeleteRow:
		rec.ops = []rowOp{puts}
		if i%3 == 1 && own {
			rec.ops = []rowOp{tombstone}
		}
	case OpDeleteColumn:
		rec.ops = []rowOp{puts}
		if i%3 == 1 {
			rec.ops = []rowOp{without}
		}
	case OpSkip:
		rec.bad = i%7 == 3
		if i%4 == 2 {
			puts.heavy = true
			puts.cells[1].value = heavyValue
		}
		rec.ops = []rowOp{puts, counts}
	case OpLetter:
		rec.bad = i%7 == 3
		second := rowOp{table: tableRows, row: key + "-second", cells: []cellOp{named}}
		if i%4 == 2 {
			puts.heavy, second.heavy = true, i%8 == 2
			puts.cells[1].value = heavyValue
			if second.heavy {
				second.cells = []cellOp{{kind: mapping.CellPut, family: famData, qualifier: named.qualifier, value: heavyValue, private: true}}
			}
		}
		rec.ops = []rowOp{puts, counts, second}
		if rec.bad || puts.heavy {
			rec.letter = &rowOp{table: tableLetters, row: name + id, cells: []cellOp{
				{kind: mapping.CellAppend, family: famList, qualifier: name + "l", value: id + ","},
			}}
		}
	case OpMixed:
		switch {
		case i%9 == 8:
			puts.heavy = true
			puts.cells[1].value = heavyValue
			rec.ops = []rowOp{puts, counts, list}
		case i%3 == 1 && own:
			rec.ops = []rowOp{tombstone, list}
		case i%5 == 2:
			rec.ops = []rowOp{without, counts}
		default:
			rec.ops = []rowOp{puts, counts, list}
		}
	}
}
