package deadletter

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"rowmark/connector/decode"
	"rowmark/hbase"
)

// Letter is a dead letter as it was read. Of one that was listed the record is not read.
type Letter struct {
	Key       Key
	Stage     Stage
	Reason    string
	Table     string // that the record, or its refused rows, were for
	Mapping   string // hash of the mappings that were tried
	Timestamp int64  // of the record, milliseconds
	Rows      []RowFate
	Record    decode.Record
	Missing   []Missing // what was too large to be kept

	Retried  string // why the last retry failed
	Done     []RowFate
	Resolved string // when a retry wrote all its rows; empty: it stands

	number string // of the last retry, see job
}

// Missing is a part that was too large for a letter.
type Missing struct {
	Part   string // key, value, headers, or rows: what became of each
	Size   int    // bytes
	SHA256 string // hex
}

// parse reads the cells of a row; false: they are no letter.
func parse(row hbase.Row) (*Letter, bool, error) {
	key, ok := ParseRow(row.Row)
	if !ok {
		return nil, false, nil
	}
	c := cells{}
	for i := range row.Cells {
		if cell := &row.Cells[i]; string(cell.Family) == string(familyName) {
			c[string(cell.Qualifier)] = cell.Value
		}
	}
	if c[colStage] == nil {
		return nil, false, nil
	}
	l := &Letter{
		Key: key, Stage: Stage(c[colStage]), Reason: string(c[colReason]), Table: string(c[colTable]), Mapping: string(c[colMapping]),
		Retried: string(c[colRetried]), Resolved: string(c[colResolved]),
		number: string(c[colNumber]),
	}
	l.Record = decode.Record{Topic: key.Topic, Partition: key.Partition, Offset: key.Offset, Key: c.joined(colKey), Value: c.joined(colValue)}
	var errs []error
	var err error
	if l.Timestamp, err = strconv.ParseInt(string(c[colTimestamp]), 10, 64); err != nil {
		errs = append(errs, err)
	}
	l.Record.Timestamp = l.Timestamp
	errs = append(errs, c.json(colRows, &l.Rows), c.json(colDone, &l.Done), c.json(colHeaders, &l.Record.Headers))
	for _, part := range [...]string{colKey, colHeaders, colValue, colRows} {
		if size := c[part+endSize]; size != nil {
			m := Missing{Part: part, SHA256: string(c[part+endHash])}
			m.Size, err = strconv.Atoi(string(size))
			errs = append(errs, err)
			l.Missing = append(l.Missing, m)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, true, fmt.Errorf("reading dead letter %s: %w", key, err)
	}
	return l, true, nil
}

// cells are the newest values of a row's columns.
type cells map[string][]byte

// joined puts the pieces of a value together; nil: there is none.
func (c cells) joined(name string) []byte {
	if whole, ok := c[name]; ok {
		return whole
	}
	var out []byte
	for i := 0; ; i++ {
		piece, ok := c[pieceName(name, i)]
		if !ok {
			return out
		}
		out = append(out, piece...)
	}
}

func (c cells) json(name string, to any) error {
	text := c.joined(name)
	if text == nil {
		return nil
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("column %s: %w", name, err)
	}
	return nil
}

// State says in a word how the letter stands.
func (l *Letter) State() string {
	switch {
	case l.Resolved != "":
		return "resolved"
	case l.Retried != "":
		return "failed again"
	}
	return "open"
}

// Why is the newest reason, in one line.
func (l *Letter) Why() string {
	why := l.Reason
	if l.Retried != "" {
		why = l.Retried
	}
	return strings.ReplaceAll(why, "\n", "; ")
}
