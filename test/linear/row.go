package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// RowKind is what is done to a row.
type RowKind string

// Kinds.
const (
	// RowRead gives Mark and Data, both from one Get.
	RowRead RowKind = "read"
	// RowWrite is guarded: it is applied if the mark is at most First, and refused if that is higher.
	RowWrite RowKind = "write"
	// RowSet makes mark and data Mark and Data, whatever they were: a table that was restored, or a foreign delete.
	RowSet RowKind = "set"
)

// RowOp is one operation on a row that one source writes.
type RowOp struct {
	Event
	Kind RowKind `json:"kind"`
	// First is the offset of the write's first record, Next that of its last plus 1.
	First int64 `json:"first,omitempty"`
	Next  int64 `json:"next,omitempty"`
	// Payload is what the write adds to the end of the data, or with Replace puts in its place.
	Payload Value `json:"payload,omitempty"`
	Replace bool  `json:"replace,omitempty"`
	// Mark is 0 where there is none.
	Mark int64 `json:"mark,omitempty"`
	Data Value `json:"data,omitempty"`
}

func (o RowOp) event() Event { return o.Event }

func (o RowOp) idle() bool { return o.Outcome == Failed }

func (o RowOp) check() error {
	switch {
	case o.Kind != RowRead && o.Kind != RowWrite && o.Kind != RowSet:
		return fmt.Errorf("reading an operation of client %d on %s: its kind is %q, want read, write or set", o.Client, o.Key, o.Kind)
	case o.Kind != RowWrite && o.Outcome == Refused || o.Kind == RowRead && o.Outcome == Unknown:
		return fmt.Errorf("reading a %s of client %d on %s: it can't end %s", o.Kind, o.Client, o.Key, o.Outcome)
	case o.Kind == RowWrite && o.Next <= o.First:
		return fmt.Errorf("reading a write of client %d on %s: it holds offsets from %d to below %d", o.Client, o.Key, o.First, o.Next)
	}
	return o.Event.check()
}

// rowState is what a row holds; once over, what has not taken effect so far never does.
type rowState struct {
	mark int64
	data Value
	over bool
}

// rowModel is a row that begins empty.
var rowModel = porcupine.Model{
	Init: func() any { return rowState{} },
	Step: func(state, input, _ any) (bool, any) {
		s := state.(rowState)
		if _, ok := input.(end); ok {
			s.over = true
			return true, s
		}
		o := input.(RowOp)
		if s.over {
			return true, s
		}
		if o.Kind == RowRead {
			return s.mark == o.Mark && s.data == o.Data, s
		}
		if o.Kind == RowSet {
			return true, rowState{mark: o.Mark, data: o.Data}
		}
		fits := s.mark <= o.First
		if o.Outcome == Refused {
			return !fits, s
		}
		if !fits {
			return false, s
		}
		s.mark = o.Next
		if o.Replace {
			s.data = ""
		}
		s.data += o.Payload
		return true, s
	},
	DescribeOperation: func(input, _ any) string {
		if _, ok := input.(end); ok {
			return "end"
		}
		o := input.(RowOp)
		switch o.Kind {
		case RowRead:
			return fmt.Sprintf("read mark %d, %s", o.Mark, o.Data)
		case RowSet:
			return fmt.Sprintf("set mark %d, %s: %s", o.Mark, o.Data, o.Outcome)
		}
		verb := "add"
		if o.Replace {
			verb = "put"
		}
		return fmt.Sprintf("[%d, %d) %s %s: %s", o.First, o.Next, verb, o.Payload, o.Outcome)
	},
	DescribeState: func(state any) string {
		s := state.(rowState)
		return fmt.Sprintf("mark %d, %s", s.mark, s.data)
	},
}
