package connector_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

func (w *world) stored() string {
	if w.hbase.ck == nil {
		return "no checkpoint"
	}
	return w.checkpoint(w.hbase.ck)
}

// state writes down what stands in HBase, and where the processes are.
func (w *world) state() {
	w.say("= checkpoint: %s", w.stored())
	for _, key := range slices.Sorted(maps.Keys(w.hbase.rows)) {
		w.say("= %s", w.hbase.row(key))
	}
	for _, p := range w.started {
		if p.crashed {
			w.say("= %s crashed", p.name)
			continue
		}
		for _, s := range p.core.Statuses() {
			w.say("= %s is %s, checkpoint %d, read up to %d", p.name, s.State, s.Checkpoint, s.Next)
		}
		n := p.core.Stats()
		w.say("= %s counts: %d row writes applied, %d records replayed, %d refused, %d unknown, %d looks, %d swaps", p.name, n.Rows, n.Replayed, n.Refused, n.Unknown, n.Looks, n.Swaps)
	}
}

// expect holds a cell against what the script says, "a d:n 5" or "a d:n none". These lines are by hand: -update does not
// change them, so that a history can't turn wrong unseen.
func (w *world) expect(f []string) error {
	if len(f) != 3 {
		return errors.New("want row, column and value")
	}
	family, qualifier, _ := strings.Cut(f[1], ":")
	is := "none"
	if c := read(w.hbase.rows[f[0]], []byte(family), []byte(qualifier)); c != nil {
		is = value(c.Value)
	}
	if is != f[2] {
		return fmt.Errorf("the column holds %s", is)
	}
	return nil
}
