package main

import (
	"fmt"
	"sync"
)

// invariant is one of those of the proof, or what else must hold.
type invariant string

// The invariants that wire histories look after.
const (
	I1  invariant = "I1 no loss"
	I2  invariant = "I2 once"
	I3  invariant = "I3 order"
	I4  invariant = "I4 never ahead"
	I5  invariant = "I5 monotone"
	I6  invariant = "I6 row atomic"
	I7  invariant = "I7 fenced"
	I8  invariant = "I8 committed only"
	I9  invariant = "I9 no silent skip"
	I11 invariant = "I11 live"
	I12 invariant = "I12 bounded"
	I13 invariant = "I13 isolation"
	lin invariant = "linearizable"
	ran invariant = "the history ran" // what fails here says nothing of the connector
)

// violation is something that must not be.
type violation struct {
	of   invariant
	text string
}

func (v violation) String() string { return string(v.of) + ": " + v.text }

// verdict gathers violations and faults of a history.
type verdict struct {
	mu         sync.Mutex
	violations []violation
	bites      map[string]int
}

// most bounds the violations that are kept: one cause often shows in every row.
const most = 50

func (v *verdict) add(of invariant, format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.violations) < most {
		v.violations = append(v.violations, violation{of, fmt.Sprintf(format, args...)})
	}
}

func (v *verdict) bite(kind string, n int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.bites == nil {
		v.bites = map[string]int{}
	}
	if n > 0 {
		v.bites[kind] += n
	}
}

// faults counts what came into effect.
func (v *verdict) faults() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := 0
	for _, k := range v.bites {
		n += k
	}
	return n
}
