package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rowmark/test/cluster"
)

// compareAll reads the checkpoints and then every version of every cell, and compares them with the log.
func (s *stage) compareAll(r *result) error {
	cells, err := s.admin.Dump(checkpointTable)
	if err != nil {
		return fmt.Errorf("comparing: %w", err)
	}
	positions, err := parsePositions(cells)
	if err != nil {
		return fmt.Errorf("comparing: %w", err)
	}
	if s.opts.spoil {
		if err := s.spoil(); err != nil {
			return fmt.Errorf("spoiling a row: %w", err)
		}
	}
	for _, table := range []string{rowsTable, hotTable, edgeTable} {
		if err := s.compareOne(r, table, bySink(positions)); err != nil {
			return fmt.Errorf("comparing: %w", err)
		}
	}
	return nil
}

// spoil counts a record twice in one row, so that it shows whether the check sees that.
func (s *stage) spoil() error {
	keys := s.truth.table(hotTable)
	if len(keys) == 0 {
		return errors.New("there is no row yet")
	}
	cells, err := s.admin.Get(hotTable, keys[0])
	if err != nil {
		return err
	}
	for _, c := range cells {
		if c.Family == "c" && c.Qualifier == "n" {
			more := binary.BigEndian.AppendUint64(nil, binary.BigEndian.Uint64(c.Value)+1)
			_, err := s.admin.Do("put", hotTable, cluster.Hex(keys[0]), "c", cluster.Hex("n"), "-", cluster.Hex(more))
			return err
		}
	}
	return fmt.Errorf("row %q has no counter", keys[0])
}

// compareOne reads a table and compares it.
func (s *stage) compareOne(r *result, table string, checkpoints map[string]map[source]int64) error {
	s.log.say("reading %s", table)
	cells, err := s.admin.Dump(table)
	if err != nil {
		// A table so large that one command can't read it: its rows one by one, by another client.
		s.log.say("%v; reading row by row", err)
		if cells, err = s.readRows(table); err != nil {
			return err
		}
	}
	r.rows += len(s.truth.table(table))
	r.cells += len(cells)
	bad := compareTable(table, s.truth, cells, checkpoints)
	s.found.add("end", bad...)
	if len(bad) == 0 {
		return nil
	}
	return dumpCells(filepath.Join(s.dir, "dump-"+strings.TrimPrefix(table, "chaos:")+".txt"), cells)
}

// getRows is how many rows one command reads.
const getRows = 300

// readRows reads the rows of committed records, and counts all cells to see whether there are other rows.
func (s *stage) readRows(table string) ([]cluster.Cell, error) {
	var all []cluster.Cell
	for part := range slices.Chunk(s.truth.table(table), getRows) {
		cells, err := s.reader.Get(table, part...)
		if err != nil {
			return nil, err
		}
		all = append(all, cells...)
	}
	text, err := s.reader.Do("count", table)
	if err != nil {
		return nil, err
	}
	var rows, cells int
	if _, err := fmt.Sscan(text, &rows, &cells); err != nil {
		return nil, fmt.Errorf("reading the count of %s: %w", table, err)
	}
	if cells != len(all) {
		s.found.add("end", found(ahead, "%s holds %d cells in %d rows, but %d cells in the rows of committed records", table, cells, rows, len(all)))
	}
	return all, nil
}

// compareTable compares a table's cells, those of a row together, with the log.
func compareTable(table string, t *truth, cells []cluster.Cell, checkpoints map[string]map[source]int64) []finding {
	var out []finding
	rows := map[string][]cluster.Cell{}
	for len(cells) > 0 {
		n := slices.IndexFunc(cells, func(c cluster.Cell) bool { return c.Row != cells[0].Row })
		if n < 0 {
			n = len(cells)
		}
		rows[cells[0].Row] = cells[:n]
		cells = cells[n:]
	}
	keys := t.table(table)
	known := map[string]bool{}
	for _, k := range keys {
		known[k] = true
	}
	for k := range rows {
		if !known[k] {
			out = append(out, found(ahead, "%s row %q: no committed record has this key", table, k))
		}
	}
	for _, k := range keys {
		p := place{table, k}
		h, bad := hold(p, rows[k])
		all := t.row(p)
		out = append(out, bad...)
		out = append(out, judgeRow(h, all)...)
		out = append(out, behind(h, all, checkpoints)...)
		if table == rowsTable {
			out = append(out, chain(h)...)
		}
	}
	return out
}

// dumpCells writes cells as text.
func dumpCells(path string, cells []cluster.Cell) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("writing a dump: %w", err)
	}
	for _, c := range cells {
		if _, err = fmt.Fprintf(f, "%q %s:%q %d %s %.60q\n", c.Row, c.Family, c.Qualifier, c.Timestamp, c.Type, c.Value); err != nil {
			break
		}
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("writing a dump: %w", err)
	}
	return nil
}

// dumpTruth writes the log, by rows, as text.
func (t *truth) dump(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("writing the dump of the log: %w", err)
	}
	for _, table := range []string{rowsTable, hotTable, edgeTable} {
		for _, k := range t.table(table) {
			for s, events := range t.row(place{table, k}) {
				for _, e := range events {
					if _, err = fmt.Fprintf(f, "%s %q %s %+v\n", table, k, s.name(), e); err != nil {
						break
					}
				}
			}
		}
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("writing the dump of the log: %w", err)
	}
	return nil
}
