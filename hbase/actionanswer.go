package hbase

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"rowmark/hbase/pb"
)

// readAction reads a RegionActionResult. The results of rows that share it name their rows by number, in any order.
func readAction(rows []rowAnswer, shared bool, b []byte) error {
	var whole rowAnswer
	r := fieldReader{rest: b}
	for r.next() {
		var err error
		switch {
		case r.is(1, protowire.BytesType):
			var one actionAnswer
			if err = one.read(r.bytes); err == nil {
				err = one.tell(rows, shared)
			}
		case r.is(2, protowire.BytesType):
			err = readPair(&whole.exception, r.bytes)
		case r.is(3, protowire.VarintType):
			whole.processed = processedNo
			if r.varint != 0 {
				whole.processed = processedYes
			}
		}
		if err != nil {
			return err
		}
	}
	for i := range rows {
		rows[i].shared, rows[i].processed = shared, whole.processed
		if whole.exception != nil {
			rows[i].exception, rows[i].whole = whole.exception, true
		}
	}
	return r.err
}

// actionAnswer is a ResultOrException.
type actionAnswer struct {
	index     uint64
	result    bool
	exception *pb.NameBytesPair
}

func (a *actionAnswer) read(b []byte) error {
	r := fieldReader{rest: b}
	for r.next() {
		switch {
		case r.is(1, protowire.VarintType):
			a.index = r.varint
		case r.is(2, protowire.BytesType):
			a.result = true
		case r.is(3, protowire.BytesType):
			if err := readPair(&a.exception, r.bytes); err != nil {
				return err
			}
		}
	}
	return r.err
}

// tell adds the answer to that of its row.
func (a *actionAnswer) tell(rows []rowAnswer, shared bool) error {
	row := &rows[0]
	if shared {
		if a.index >= uint64(len(rows)) {
			return fmt.Errorf("a result has number %d, of %d", a.index, len(rows))
		}
		if row = &rows[a.index]; !a.result && a.exception == nil {
			return nil // says nothing
		}
	}
	row.results++
	if row.exception == nil {
		row.exception = a.exception
	}
	return nil
}
