package hbasetest

import (
	"errors"
	"fmt"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

// What an operator, or a foreign writer, does to a table, past the RPC.

func (c *Cluster) onTable(what, name string, do func(*table) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tables[name]
	if t == nil {
		return fmt.Errorf("%s table %s: there is no such table", what, name)
	}
	if err := do(t); err != nil {
		return fmt.Errorf("%s table %s: %w", what, name, err)
	}
	return nil
}

// Compact flushes a table's regions, and if major drops their delete markers.
func (c *Cluster) Compact(name string, major bool) error {
	return c.onTable("compacting", name, func(t *table) error {
		for _, r := range t.regions {
			t.compact(r, "", major, c.clockOf(r))
			if major {
				c.forget(t, r)
			}
		}
		return nil
	})
}

// DeleteRow deletes a whole row at the clock of its server, all families, as the shell's deleteall does.
func (c *Cluster) DeleteRow(name string, key []byte) error {
	return c.onTable("deleting a row of", name, func(t *table) error {
		r := t.regionOf(key)
		if r == nil {
			return errors.New("no region holds it")
		}
		now := c.clockOf(r)
		b := &batch{t: t, r: r, now: now, stamp: now}
		m := mutation{row: key, kind: pb.MutationProto_DELETE, ts: hbase.LatestTimestamp}
		if _, x := b.prepare([]mutation{m}); x != nil {
			return errors.New(x.text)
		}
		c.seq++
		b.apply(c.seq)
		return nil
	})
}

// Disable takes a table out of service.
func (c *Cluster) Disable(name string) error {
	return c.onTable("disabling", name, func(*table) error { return c.disableTable(tableName(name)).asError() })
}

// Enable serves a disabled table again.
func (c *Cluster) Enable(name string) error {
	return c.onTable("enabling", name, func(*table) error { return c.enableTable(tableName(name)).asError() })
}

// Drop removes a table with its data, enabled or not.
func (c *Cluster) Drop(name string) error {
	return c.onTable("dropping", name, func(t *table) error {
		t.state = pb.TableState_DISABLED
		return c.deleteTable(tableName(name)).asError()
	})
}

// Reopen closes the region of that encoded name and opens it where it was.
func (c *Cluster) Reopen(encoded string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.encodedRegion(encoded)
	if r == nil || r.server == nil || !r.server.up || r.state != stateOpen {
		return fmt.Errorf("reopening region %s: it is not there, or not open", encoded)
	}
	c.tables[r.table].compact(r, "", false, c.now(r.server))
	c.place(r, r.server)
	return nil
}

func (x *exception) asError() error {
	if x == nil {
		return nil
	}
	return errors.New(x.class + ": " + x.text)
}
