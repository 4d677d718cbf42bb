package work

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Order is one line to a peer: what to do, and how. Names and values hold no spaces.
type Order struct {
	What string
	Args map[string]string
}

// String writes the line.
func (o Order) String() string {
	line := o.What
	for _, k := range slices.Sorted(maps.Keys(o.Args)) {
		line += " " + k + "=" + o.Args[k]
	}
	return line
}

// parseOrder reads the line.
func parseOrder(line string) (Order, error) {
	parts := strings.Fields(line)
	if len(parts) == 0 {
		return Order{}, fmt.Errorf("reading an order: the line is empty")
	}
	o := Order{What: parts[0], Args: map[string]string{}}
	for _, p := range parts[1:] {
		k, v, ok := strings.Cut(p, "=")
		if !ok {
			return Order{}, fmt.Errorf("reading an order: %q is no name=value", p)
		}
		o.Args[k] = v
	}
	return o, nil
}

// number reads an argument that must be there and above zero.
func (o Order) number(name string) (int, error) {
	n, err := strconv.Atoi(o.Args[name])
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("reading order %s: %s is %q, want a number above 0", o.What, name, o.Args[name])
	}
	return n, nil
}

// numbers reads several.
func (o Order) numbers(into map[string]*int) error {
	for name, v := range into {
		n, err := o.number(name)
		if err != nil {
			return err
		}
		*v = n
	}
	return nil
}

// Answer is what a peer measured, by name: seconds, cpu, bytes, mallocs.
type Answer map[string]float64

// String writes the answer's line.
func (a Answer) String() string {
	line := "="
	for _, k := range slices.Sorted(maps.Keys(a)) {
		line += " " + k + "=" + strconv.FormatFloat(a[k], 'g', -1, 64)
	}
	return line
}

// ParseAnswer reads an answer's line; a line that begins with ! is the peer's failure.
func ParseAnswer(line string) (Answer, error) {
	text, ok := strings.CutPrefix(line, "=")
	if why, failed := strings.CutPrefix(line, "!"); failed {
		return nil, fmt.Errorf("the peer says: %s", strings.TrimSpace(why))
	}
	if !ok {
		return nil, fmt.Errorf("reading a peer's answer: %q does not begin with = or a bang", line)
	}
	a := Answer{}
	for _, p := range strings.Fields(text) {
		k, v, _ := strings.Cut(p, "=")
		n, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return nil, fmt.Errorf("reading a peer's answer: %q is no name=number", p)
		}
		a[k] = n
	}
	return a, nil
}
