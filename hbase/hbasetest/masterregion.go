package hbasetest

import (
	"bytes"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// encodedRegion finds a region by its hash. Called under mu.
func (c *Cluster) encodedRegion(encoded string) *region {
	for _, r := range c.byName {
		if r.encoded == encoded {
			return r
		}
	}
	return nil
}

func (c *Cluster) askMove(r *pb.MoveRegionRequest) (proto.Message, *exception) {
	reg := c.encodedRegion(string(r.GetRegion().GetValue()))
	if reg == nil || reg.split {
		return nil, throwFinal("UnknownRegionException", "%s", r.GetRegion().GetValue())
	}
	if reg.state != stateOpen {
		return nil, throwFinal("client.DoNotRetryRegionException", "%s is not OPEN; state=%s", reg.encoded, reg.state)
	}
	var dest *server
	if d := r.DestServerName; d != nil {
		for _, s := range c.servers {
			if s.up && s.port == int(d.GetPort()) {
				dest = s
			}
		}
	} else {
		for range c.servers {
			if dest = c.live(); dest != reg.server {
				break
			}
		}
	}
	if dest == nil {
		return nil, throw("HBaseIOException", "Failed to find destination server")
	}
	c.move(reg, dest)
	return &pb.MoveRegionResponse{}, nil
}

// move gives a region to a live server. Called under mu.
func (c *Cluster) move(r *region, dest *server) {
	if r.server == dest && r.state == stateOpen {
		return
	}
	if r.server != nil && r.server.up {
		c.tables[r.table].compact(r, "", false, c.now(r.server)) // closing a region flushes it
	}
	c.place(r, dest)
}

func (c *Cluster) askSplit(r *pb.SplitTableRegionRequest) *exception {
	info := r.GetRegionInfo()
	t, x := c.tableNamed(info.GetTableName())
	if x != nil {
		return x
	}
	for _, reg := range t.regions {
		if reg.id == info.GetRegionId() && bytes.Equal(reg.start, info.GetStartKey()) {
			return c.split(t, reg, r.GetSplitRow())
		}
	}
	return throwFinal("UnknownRegionException", "region of %s is not there", tableText(info.GetTableName()))
}

// split cuts a region at a key. Its parent stays in hbase:meta until a major compaction. Called under mu.
func (c *Cluster) split(t *table, r *region, at []byte) *exception {
	if !r.contains(at) || bytes.Equal(at, r.start) {
		return throwFinal("DoNotRetryIOException", "Split row is not inside region key range or is equal to startkey: %s", at)
	}
	if r.state != stateOpen {
		return throwFinal("client.DoNotRetryRegionException", "%s is not OPEN", r.encoded)
	}
	t.compact(r, "", false, c.clockOf(r))
	id := c.regionID()
	a, b := c.addRegion(newRegion(r.table, r.start, at, id)), c.addRegion(newRegion(r.table, at, r.end, id))
	i := slices.Index(t.regions, r)
	t.regions = slices.Replace(t.regions, i, i+1, a, b)
	r.split, r.state, r.daughters = true, stateSplit, [2]*region{a, b}
	t.parents = append(t.parents, r)
	c.inherit(r, a, b)
	return nil
}

// inherit opens the daughters, or the merged region, where their parent was.
func (c *Cluster) inherit(from *region, to ...*region) {
	for _, r := range to {
		r.seqNum = from.seqNum
		r.state = stateOpen
		if from.server != nil && from.server.up {
			c.place(r, from.server)
		}
	}
}

func (c *Cluster) askMerge(r *pb.MergeTableRegionsRequest) *exception {
	var parts []*region
	for _, s := range r.Region {
		reg := c.encodedRegion(string(s.Value))
		if reg == nil || reg.state != stateOpen {
			return throwFinal("UnknownRegionException", "%s", s.Value)
		}
		parts = append(parts, reg)
	}
	if len(parts) < 2 {
		return throwFinal("exceptions.MergeRegionException", "Can not merge %d regions", len(parts))
	}
	slices.SortFunc(parts, func(a, b *region) int { return bytes.Compare(a.start, b.start) })
	for i, p := range parts[1:] {
		if p.table != parts[0].table || !bytes.Equal(parts[i].end, p.start) {
			return throwFinal("exceptions.MergeRegionException", "Unable to merge non-adjacent regions")
		}
	}
	c.merge(c.tables[parts[0].table], parts)
	return nil
}

// merge makes one region of neighbours. Called under mu.
func (c *Cluster) merge(t *table, parts []*region) {
	first, last := parts[0], parts[len(parts)-1]
	for _, p := range parts {
		t.compact(p, "", false, c.clockOf(p))
	}
	m := c.addRegion(newRegion(first.table, first.start, last.end, c.regionID()))
	i := slices.Index(t.regions, first)
	t.regions = slices.Replace(t.regions, i, i+len(parts), m)
	c.inherit(first, m)
	for _, p := range parts {
		p.state = stateMerged
		delete(c.byName, string(p.name))
	}
}

// forget drops the split parents of a region's range. Called under mu.
func (c *Cluster) forget(t *table, r *region) {
	t.parents = slices.DeleteFunc(t.parents, func(p *region) bool {
		gone := p.contains(r.start)
		if gone {
			delete(c.byName, string(p.name))
		}
		return gone
	})
}

// Split cuts the region of a table that holds the key, which must not be its first.
func (c *Cluster) Split(name string, key []byte) error {
	return c.onRegion("splitting", name, key, func(t *table, r *region) *exception { return c.split(t, r, key) })
}

// Move gives the region of a table that holds the key to a live server.
func (c *Cluster) Move(name string, key []byte, server int) error {
	return c.onRegion("moving", name, key, func(_ *table, r *region) *exception {
		if !c.servers[server].up {
			return throw("HBaseIOException", "region server %d is dead", server)
		}
		if r.state != stateOpen {
			return throw("client.DoNotRetryRegionException", "it is not open")
		}
		c.move(r, c.servers[server])
		return nil
	})
}

// moveAway gives a region of this server to another one. False: it is not here, or there is none.
func (c *Cluster) moveAway(s *server, spec *pb.RegionSpecifier) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, x := c.regionAt(s, spec)
	if x != nil {
		return false
	}
	for range c.servers {
		if dest := c.live(); dest != nil && dest != s {
			c.move(r, dest)
			return true
		}
	}
	return false
}

// MetaServer is the number of the server that serves hbase:meta, -1 while none does.
func (c *Cluster) MetaServer() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.metaServer == nil || !c.metaServer.up {
		return -1
	}
	return c.metaServer.number
}

// MoveMeta gives hbase:meta to a live server.
func (c *Cluster) MoveMeta(server int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.servers[server].up {
		return fmt.Errorf("moving hbase:meta: region server %d is dead", server)
	}
	c.metaServer = c.servers[server]
	return nil
}

// Merge joins the region of a table that holds the key with the next one.
func (c *Cluster) Merge(name string, key []byte) error {
	return c.onRegion("merging", name, key, func(t *table, r *region) *exception {
		i := slices.Index(t.regions, r)
		if i+1 >= len(t.regions) || r.state != stateOpen {
			return throw("exceptions.MergeRegionException", "it is not open, or the last")
		}
		c.merge(t, slices.Clone(t.regions[i:i+2]))
		return nil
	})
}

// ServerOf is the number of the server that serves a key, -1 if none does.
func (c *Cluster) ServerOf(name string, key []byte) int {
	n := -1
	_ = c.onRegion("looking for", name, key, func(_ *table, r *region) *exception {
		if r.server != nil && r.server.up && r.state == stateOpen {
			n = r.server.number
		}
		return nil
	}) // a table that is not there is served by none
	return n
}

func (c *Cluster) onRegion(what, name string, key []byte, do func(*table, *region) *exception) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tables[name]
	if t == nil {
		return fmt.Errorf("%s the region of row %x of %s: there is no such table", what, key, name)
	}
	r := t.regionOf(key)
	if r == nil {
		return fmt.Errorf("%s the region of row %x of %s: there is none", what, key, name)
	}
	if x := do(t, r); x != nil {
		return fmt.Errorf("%s the region of row %x of %s: %s", what, key, name, x.text)
	}
	return nil
}
