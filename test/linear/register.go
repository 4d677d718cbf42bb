package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// RegisterKind is what is done to a register.
type RegisterKind string

// Kinds.
const (
	// Read gives the value Got.
	Read RegisterKind = "read"
	// Swap makes it Put if it is Expect: applied, refused if it was another, unknown.
	Swap RegisterKind = "swap"
	// Set makes it Put, whatever it was: what it is at the begin, or after a table was restored.
	Set RegisterKind = "set"
)

// RegisterOp is one operation on the compared cell of a checkpoint.
type RegisterOp struct {
	Event
	Kind   RegisterKind `json:"kind"`
	Expect Value        `json:"expect,omitempty"`
	Put    Value        `json:"put,omitempty"`
	Got    Value        `json:"got,omitempty"`
}

func (o RegisterOp) event() Event { return o.Event }

func (o RegisterOp) idle() bool { return o.Outcome == Failed }

func (o RegisterOp) check() error {
	switch o.Kind {
	case Read, Swap, Set:
	default:
		return fmt.Errorf("reading an operation of client %d on %s: its kind is %q, want read, swap or set", o.Client, o.Key, o.Kind)
	}
	if o.Kind != Swap && o.Outcome == Refused || o.Kind == Read && o.Outcome == Unknown {
		return fmt.Errorf("reading a %s of client %d on %s: it can't end %s", o.Kind, o.Client, o.Key, o.Outcome)
	}
	return o.Event.check()
}

// registerState is the value; once over, what has not taken effect so far never does.
type registerState struct {
	value Value
	over  bool
}

// registerModel is a register that begins absent.
var registerModel = porcupine.Model{
	Init: func() any { return registerState{} },
	Step: func(state, input, _ any) (bool, any) {
		s := state.(registerState)
		if _, ok := input.(end); ok {
			s.over = true
			return true, s
		}
		o := input.(RegisterOp)
		if s.over {
			return true, s // only unknown ones are left
		}
		hit := o.Kind == Set || s.value == o.Expect
		switch {
		case o.Kind == Read:
			return s.value == o.Got, s
		case o.Outcome == Refused:
			return !hit, s
		case !hit:
			return false, s // unknown too: what has no effect is put at the end, which spares the search
		}
		s.value = o.Put
		return true, s
	},
	DescribeOperation: func(input, _ any) string {
		if _, ok := input.(end); ok {
			return "end"
		}
		o := input.(RegisterOp)
		switch o.Kind {
		case Read:
			return fmt.Sprintf("read %s", o.Got)
		case Set:
			return fmt.Sprintf("set %s: %s", o.Put, o.Outcome)
		}
		return fmt.Sprintf("%s to %s: %s", o.Expect, o.Put, o.Outcome)
	},
	DescribeState: func(state any) string { return state.(registerState).value.String() },
}
