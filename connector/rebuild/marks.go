package rebuild

import (
	"context"
	"fmt"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

// Marks is what the marks of one incarnation of a partition's log tell together.
type Marks struct {
	Count           int64
	Least, Greatest int64 // of the next offsets
	Floor           int64 // the newest, in milliseconds
}

func (m *Marks) add(mark core.Mark) {
	if m.Count == 0 {
		m.Least = mark.Next
	}
	m.Count++
	m.Least, m.Greatest = min(m.Least, mark.Next), max(m.Greatest, mark.Next)
	m.Floor = max(m.Floor, mark.Floor)
}

// Found are the marks of a sink, by partition and by incarnation.
type Found map[kafka.TopicPartition]map[int]*Marks

// Scan adds the marks of a table, whose mark family it reads as a whole, and says how many it took. A mark that can't be
// read ends it: what it says may be what matters.
func (f Found) Scan(ctx context.Context, client *hbase.Client, table, family, sink string) (taken int64, err error) {
	scan := hbase.Scan{Columns: []hbase.Column{{Family: []byte(family)}}, BatchRows: scanRows}
	err = client.Scan(ctx, table, scan, func(row hbase.Row) error {
		for i := range row.Cells {
			cell := &row.Cells[i]
			source, ok := core.ParseSourceName(string(cell.Qualifier))
			if !ok || source.Sink != sink || source.Run != "" {
				continue
			}
			mark, err := core.ReadMark(cell)
			if err != nil {
				return fmt.Errorf("row %x of table %s: %w", row.Row, table, err)
			}
			f.of(kafka.TopicPartition{Topic: source.Topic, Partition: source.Partition}, source.Incarnation).add(mark)
			taken++
		}
		return nil
	})
	if err != nil {
		return taken, fmt.Errorf("scanning the marks of table %s: %w", table, err)
	}
	return taken, nil
}

// scanRows is how many rows one call brings: their marks are small.
const scanRows = 2000

func (f Found) of(tp kafka.TopicPartition, incarnation int) *Marks {
	if f[tp] == nil {
		f[tp] = map[int]*Marks{}
	}
	m := f[tp][incarnation]
	if m == nil {
		m = &Marks{}
		f[tp][incarnation] = m
	}
	return m
}
