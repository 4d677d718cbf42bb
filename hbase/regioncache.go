package hbase

import (
	"bytes"
	"slices"
	"sync"
)

// regionCache remembers where regions are. Per table it holds regions that do not overlap, sorted by start key;
// gaps are what is not known.
type regionCache struct {
	mu     sync.RWMutex
	tables map[string][]*Region
}

func newRegionCache() *regionCache { return &regionCache{tables: map[string][]*Region{}} }

// find gives the region of a row, or nil.
func (c *regionCache) find(table string, row []byte) *Region {
	c.mu.RLock()
	defer c.mu.RUnlock()
	rs := c.tables[table]
	i, ok := searchRegion(rs, row)
	if !ok {
		i--
	}
	if i < 0 || !rs[i].Contains(row) {
		return nil
	}
	return rs[i]
}

func searchRegion(rs []*Region, key []byte) (int, bool) {
	return slices.BinarySearchFunc(rs, key, func(r *Region, key []byte) int { return bytes.Compare(r.Start, key) })
}

// put remembers a region and forgets those it overlaps: after a split or merge they are gone.
func (c *regionCache) put(r *Region) {
	c.mu.Lock()
	defer c.mu.Unlock()
	rs := c.tables[r.Table]
	from, ok := searchRegion(rs, r.Start)
	if !ok && from > 0 && (len(rs[from-1].End) == 0 || bytes.Compare(rs[from-1].End, r.Start) > 0) {
		from--
	}
	to := len(rs)
	if len(r.End) > 0 {
		to, _ = searchRegion(rs, r.End)
	}
	c.tables[r.Table] = slices.Replace(rs, from, max(from, to), r)
}

// drop forgets a region, unless what is remembered now is another or newer one.
func (c *regionCache) drop(r *Region) {
	c.mu.Lock()
	defer c.mu.Unlock()
	rs := c.tables[r.Table]
	if i, ok := searchRegion(rs, r.Start); ok && rs[i] == r {
		c.tables[r.Table] = slices.Delete(rs, i, i+1)
	}
}

// dropServer forgets all regions of a server that cannot be reached.
func (c *regionCache) dropServer(addr string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for table, rs := range c.tables {
		c.tables[table] = slices.DeleteFunc(rs, func(r *Region) bool { return r.Addr == addr })
	}
}

// moved follows a server's hint of where it gave the region to, if that is newer than what is remembered.
func (c *regionCache) moved(r *Region, to movedTo) bool {
	if to.addr == "" || to.seqNum <= r.SeqNum || to.addr == r.Addr {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	rs := c.tables[r.Table]
	i, ok := searchRegion(rs, r.Start)
	if !ok || rs[i] != r {
		return false
	}
	n := *r
	n.Addr, n.SeqNum = to.addr, to.seqNum
	n.Server = serverName(to.addr, to.startCode)
	rs[i] = &n
	return true
}
