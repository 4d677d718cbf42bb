package cluster

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Cell is one cell, or with a type other than Put one delete marker.
type Cell struct {
	Row       string // the key's bytes
	Family    string
	Qualifier string // the bytes
	Timestamp int64  // milliseconds, or an offset in a mark
	Type      string // Put, Delete, DeleteColumn, DeleteFamily, DeleteFamilyVersion
	Value     []byte
}

// Region is one region of a table, as hbase:meta shows it.
type Region struct {
	Encoded    string // the 32 hex digits
	Start, End string // the keys' bytes; empty means open
	Server     string // host:port
}

// Dump returns every version of every cell of a table, in HBase's order.
func (c *JavaClient) Dump(table string) ([]Cell, error) { return c.dump("dump", table) }

// DumpRaw returns also delete markers and what they hide, as far as it is
// still stored.
func (c *JavaClient) DumpRaw(table string) ([]Cell, error) { return c.dump("dumpraw", table) }

// Seen returns what the user reader sees of a table with these labels. The user of the server itself sees all.
func (c *JavaClient) Seen(table string, labels ...string) ([]Cell, error) {
	return c.dump("seen", append([]string{table}, labels...)...)
}

func (c *JavaClient) dump(command string, args ...string) ([]Cell, error) {
	lines, err := c.lines(command, args...)
	if err != nil {
		return nil, err
	}
	cells := make([]Cell, len(lines))
	for i, line := range lines {
		if cells[i], err = parseCell(line); err != nil {
			return nil, fmt.Errorf("reading the dump of %s: %w", args[0], err)
		}
	}
	return cells, nil
}

func parseCell(line string) (Cell, error) {
	f := strings.Split(line, " ")
	if len(f) != 6 {
		return Cell{}, fmt.Errorf("a line of %d fields, want 6", len(f))
	}
	ts, err := strconv.ParseInt(f[3], 10, 64)
	if err != nil {
		return Cell{}, fmt.Errorf("reading a timestamp: %w", err)
	}
	var b [3][]byte
	for i, s := range []string{f[0], f[2], f[5]} {
		if b[i], err = unhex(s); err != nil {
			return Cell{}, err
		}
	}
	return Cell{Row: string(b[0]), Family: f[1], Qualifier: string(b[1]), Timestamp: ts, Type: f[4], Value: b[2]}, nil
}

func unhex(s string) ([]byte, error) {
	if s == "-" {
		return []byte{}, nil
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		return nil, fmt.Errorf("reading hex: %w", err)
	}
	return b, nil
}

// Hex writes bytes as the commands of Do want them; "-" stands for none.
func Hex[T string | []byte](b T) string {
	if len(b) == 0 {
		return "-"
	}
	return hex.EncodeToString([]byte(b))
}

// Regions returns a table's regions in key order.
func (c *JavaClient) Regions(table string) ([]Region, error) {
	lines, err := c.lines("regions", table)
	if err != nil {
		return nil, err
	}
	regions := make([]Region, len(lines))
	for i, line := range lines {
		f := strings.Split(line, " ")
		if len(f) != 4 {
			return nil, fmt.Errorf("reading the regions of %s: a line of %d fields, want 4", table, len(f))
		}
		start, err1 := unhex(f[1])
		end, err2 := unhex(f[2])
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("reading the regions of %s: %w", table, err)
		}
		regions[i] = Region{Encoded: f[0], Start: string(start), End: string(end), Server: f[3]}
	}
	return regions, nil
}

// Describe returns a table's attributes under "table" and each family's under
// "family:NAME".
func (c *JavaClient) Describe(table string) (map[string]map[string]string, error) {
	lines, err := c.lines("describe", table)
	if err != nil {
		return nil, err
	}
	d := map[string]map[string]string{}
	for _, line := range lines {
		f := strings.Split(line, " ")
		if len(f) != 3 {
			return nil, fmt.Errorf("reading the descriptor of %s: a line of %d fields, want 3", table, len(f))
		}
		for i := range f {
			if f[i] == "-" {
				f[i] = ""
			} else if f[i], err = url.QueryUnescape(f[i]); err != nil {
				return nil, fmt.Errorf("reading the descriptor of %s: %w", table, err)
			}
		}
		if d[f[0]] == nil {
			d[f[0]] = map[string]string{}
		}
		d[f[0]][f[1]] = f[2]
	}
	return d, nil
}
