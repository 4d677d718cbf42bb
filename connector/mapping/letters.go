package mapping

import (
	"fmt"
	"slices"

	"rowmark/connector/decode/avro"
)

// LetterFamily is the one family of the table of dead letters.
const LetterFamily = "d"

// Letter makes the dead letter of one record. It must give the same for the same record in every run, but for the
// reasons and the rows done.
type Letter struct {
	// Refused is the letter of a record of which HBase refused some rows for good; the others are done.
	Refused func(rows []RefusedRow) RowOps
}

// Failure is why a record could not be mapped.
type Failure struct {
	Table   string // that of the mapping that failed
	Decoded bool   // the record's bytes could be read
	Err     error
}

func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap gives the reason itself.
func (f *Failure) Unwrap() error { return f.Err }

// RefusedRow is a row that HBase refuses for good.
type RefusedRow struct {
	Table string
	Row   []byte
	Why   error
}

// letterRegions is how many regions a new table of dead letters has. Its row keys begin with two bytes of a hash.
const letterRegions = 8

func letterTable(name string) Table {
	t := Table{Name: name, Families: []string{LetterFamily}}
	for i := 1; i < letterRegions; i++ {
		t.Splits = append(t.Splits, []byte{byte(i * 256 / letterRegions)})
	}
	return t
}

// letters checks and names the table of dead letters; "" if no mapping writes any.
func (c *compiler) letters(rules []*rule) string {
	name, err := TableName(c.opt.Letters)
	wanted := false
	for i, r := range rules {
		c.at = fmt.Sprintf("[%d]", i)
		if r.onError == OnErrorDeadLetter {
			wanted = true
			if err != nil {
				c.bad(".on_error", "dead-letter", "it needs a table of dead letters (dead_letters.table): %v", err)
			}
		}
		if tables, _ := r.tables(); err == nil && slices.Contains(tables, name) {
			c.bad(".table", name, "this is the table of dead letters (dead_letters.table), which holds no data")
		}
	}
	if !wanted {
		return ""
	}
	return name
}

// Letters is the table of dead letters, "" if no mapping writes any.
func (s *Set) Letters() string { return s.letters }

// AsksRegistry says whether what a record of the topic becomes rests on a schema registry too: one that did not know a
// schema may know it later.
func (s *Set) AsksRegistry(topic string) bool {
	for _, r := range s.plan(topic).rules {
		if r.spec.Key.asksRegistry() || r.spec.Value.asksRegistry() {
			return true
		}
	}
	return false
}

func (f *Format) asksRegistry() bool {
	return f.Format == "protobuf" || f.Format == "avro" && f.Framing == avro.Confluent
}

// WritesLetters says whether records of the topic may become dead letters.
func (s *Set) WritesLetters(topic string) bool {
	for _, r := range s.plan(topic).rules {
		if r.onError == OnErrorDeadLetter {
			return true
		}
	}
	return false
}
