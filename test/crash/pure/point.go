package pure

import "fmt"

// Instant is when, relative to an effect, the process dies.
type Instant uint8

// Instants.
const (
	Before   Instant = iota // the core asked for it; it was not begun
	Landed                  // it has happened; its answer has not arrived
	Answered                // its answer was taken; nothing that follows from it was begun
)

// Instants lists them.
var Instants = []Instant{Before, Landed, Answered}

func (i Instant) String() string { return [...]string{"before", "landed", "answered"}[i] }

// Point is a place in a run where the process can die: the action's number, the part of it (one for each region that a
// write goes to), and the instant.
type Point struct {
	Action, Part int
	At           Instant
	Effect       string
}

func (p Point) same(o Point) bool { return p.Action == o.Action && p.Part == o.Part && p.At == o.At }

// Fate is what becomes of the effects that are in flight at the crash.
type Fate struct {
	Lands uint64 // bit i: the i-th of them lands, the others never do
	Half  bool   // in row mode those that land do so in part: the first half of their rows
	When  When
}

// When is when they land.
type When uint8

// Times of landing.
const (
	Now  When = iota // at the crash
	Late             // when the next process has taken the source
	Last             // when all is over
)

// Way is what happens to the process at the point.
type Way uint8

// Ways.
const (
	Kill       Way = iota
	PauseShort     // paused; comes back when its successor has taken over
	PauseLong      // paused; comes back when its successor has finished
)

// Plan is one case: a scenario, where it is broken, and how.
type Plan struct {
	First  *Point
	Way    Way
	Fate   Fate
	Second *Point // in the successor; always a kill
	Then   Fate
}

func (p Plan) String() string {
	if p.First == nil {
		return "undisturbed"
	}
	s := fmt.Sprintf("%s at %s %s, action %d part %d, in flight %+v", [...]string{"killed", "paused short", "paused long"}[p.Way], p.First.Effect, p.First.At, p.First.Action, p.First.Part, p.Fate)
	if p.Second != nil {
		s += fmt.Sprintf("; successor killed at %s %s, action %d part %d, in flight %+v", p.Second.Effect, p.Second.At, p.Second.Action, p.Second.Part, p.Then)
	}
	return s
}

// fates gives the fates worth trying where n effects are in flight: all combinations of few, else none, all, each
// alone and all but each; then all of them in part, late, and last.
func fates(n int, rowMode bool) []Fate {
	if n == 0 {
		return []Fate{{}}
	}
	n = min(n, 60)
	all := uint64(1)<<n - 1
	var out []Fate
	if n <= 3 {
		for m := uint64(0); m <= all; m++ {
			out = append(out, Fate{Lands: m})
		}
	} else {
		out = append(out, Fate{}, Fate{Lands: all})
		for i := range n {
			out = append(out, Fate{Lands: 1 << i}, Fate{Lands: all &^ (1 << i)})
		}
	}
	if rowMode {
		out = append(out, Fate{Lands: all, Half: true})
	}
	return append(out, Fate{Lands: all, When: Late}, Fate{Lands: all, When: Last})
}
