package demo

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
)

// order is one record to be: a nil value is a tombstone.
type order struct {
	key   string
	value []byte
	// late records carry a time before that of records already sent.
	late bool
}

// value is the JSON of an order; Note is left out, null or text.
type value struct {
	Customer string          `json:"customer"`
	Status   string          `json:"status"`
	Total    float64         `json:"total"`
	Items    int             `json:"items"`
	Note     json.RawMessage `json:"note,omitempty"`
}

// generator makes orders come in, change, go, and come back. The same seed gives the same stream.
type generator struct {
	rnd       *rand.Rand
	next      int
	live      []string
	gone      []string
	customers int
}

func newGenerator(seed uint64, records int) *generator {
	return &generator{rnd: rand.New(rand.NewPCG(seed, 1)), customers: max(20, records/200)}
}

var statuses = []string{"new", "paid", "packed", "sent", "returned"}

func (g *generator) order() order {
	kind := g.rnd.IntN(100)
	switch {
	case kind < 10 && len(g.live) > 0: // cancelled
		i := g.pick()
		key := g.live[i]
		g.live[i] = g.live[len(g.live)-1]
		g.live = g.live[:len(g.live)-1]
		g.gone = append(g.gone, key)
		return order{key: key, late: g.late()}
	case kind < 15 && len(g.gone) > 0: // ordered again under its old number
		i := g.rnd.IntN(len(g.gone))
		key := g.gone[i]
		g.gone[i] = g.gone[len(g.gone)-1]
		g.gone = g.gone[:len(g.gone)-1]
		g.live = append(g.live, key)
		return g.write(key)
	case kind < 60 && len(g.live) > 0: // changed
		return g.write(g.live[g.pick()])
	default:
		g.next++
		key := fmt.Sprintf("order-%07d", g.next)
		g.live = append(g.live, key)
		return g.write(key)
	}
}

// pick prefers the newest orders, so that several records of a row often lie close together.
func (g *generator) pick() int {
	if g.rnd.IntN(2) == 0 {
		return max(0, len(g.live)-1-g.rnd.IntN(50))
	}
	return g.rnd.IntN(len(g.live))
}

func (g *generator) late() bool { return g.rnd.IntN(100) == 0 }

func (g *generator) write(key string) order {
	v := value{
		Customer: fmt.Sprintf("customer-%05d", g.rnd.IntN(g.customers)),
		Status:   statuses[g.rnd.IntN(len(statuses))],
		Total:    math.Round(g.rnd.Float64()*100_000) / 100,
		Items:    1 + g.rnd.IntN(9),
	}
	switch g.rnd.IntN(10) {
	case 0:
		v.Note = json.RawMessage("null")
	case 1, 2:
		v.Note = json.RawMessage(fmt.Sprintf(`"call back at %d:00, it's “urgent”"`, g.rnd.IntN(24)))
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // all its parts are plain
	}
	return order{key: key, value: text, late: g.late()}
}

// spoil makes what is sent in a transaction that is given up: if any of it came through, it would show.
func spoil(o order, i int) order {
	if i%3 == 0 {
		return order{key: o.key}
	}
	return order{key: o.key, value: []byte(`{"customer":"customer-00000","status":"aborted","total":-1,"items":1000000}`)}
}
