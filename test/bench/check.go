package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"rowmark/hbase"
)

// Families of the tables that rowmark writes here: puts, and counters.
const (
	putFamily     = "d"
	counterFamily = "c"
)

// checkOrders demands so many rows, of all columns of an order each.
func (s *session) checkOrders(ctx context.Context, table string, n int) error {
	return s.checkTable(ctx, table, n, func(r hbase.Row) error {
		if len(r.Cells) != len(orderColumns) {
			return fmt.Errorf("row %x has %d cells, want %d", r.Row, len(r.Cells), len(orderColumns))
		}
		return nil
	}, putFamily)
}

// checkTable reads some families, and demands so many rows, each of which passes the check.
func (s *session) checkTable(ctx context.Context, table string, n int, check func(hbase.Row) error, families ...string) error {
	var scan hbase.Scan
	for _, f := range families {
		scan.Columns = append(scan.Columns, hbase.Column{Family: []byte(f)})
	}
	rows := 0
	err := s.client.Scan(ctx, table, scan, func(r hbase.Row) error {
		rows++
		return check(r)
	})
	if err == nil && rows != n {
		err = fmt.Errorf("it holds %d rows, want %d", rows, n)
	}
	if err != nil {
		return fmt.Errorf("checking table %s: %w", table, err)
	}
	return nil
}

// checkPoint demands a row for each key of the topic, with all columns, values as long as they were made, and, where
// records are counted, as many as the key had.
func (s *session) checkPoint(ctx context.Context, table string, p point) error {
	families := []string{putFamily}
	if p.counted {
		families = append(families, counterFamily)
	}
	return s.checkTable(ctx, table, len(p.stock.records), p.checkRow, families...)
}

func (p point) checkRow(r hbase.Row) error {
	key := r.Row
	if p.regions > 1 && len(key) > 0 {
		key = key[1:] // without the salt
	}
	records := p.stock.records[string(key)]
	if records == 0 {
		return fmt.Errorf("row %x is none of ours", r.Row)
	}
	puts := 0
	var counted uint64
	for _, c := range r.Cells {
		if bytes.Equal(c.Family, []byte(counterFamily)) && len(c.Value) == 8 {
			counted += binary.BigEndian.Uint64(c.Value)
			continue
		}
		puts++
		if p.size > 0 && len(c.Value) != p.size {
			return fmt.Errorf("row %x has a value of %d bytes, want %d", r.Row, len(c.Value), p.size)
		}
	}
	if puts != p.puts() {
		return fmt.Errorf("row %x has %d cells, want %d", r.Row, puts, p.puts())
	}
	if p.counted && counted != uint64(records) {
		return fmt.Errorf("row %x counts %d records, its key has %d", r.Row, counted, records)
	}
	return nil
}
