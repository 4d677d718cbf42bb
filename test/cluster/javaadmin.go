package cluster

import (
	"fmt"
	"strconv"
	"strings"
)

// The methods here change tables and regions from outside. Each returns when
// HBase says that the change is done, or a *JavaError with HBase's own reason,
// such as a split of a region that can't be split now. While servers are down
// one may take its whole limit of about 90 s, and the client is busy meanwhile:
// who also reads through it wants a second client.

// Move takes a region, by its encoded name, to the region server at address
// (one of RegionServerAddrs), or to any other for an empty address.
func (c *JavaClient) Move(encoded, address string) error {
	_, err := c.Do("move", encoded, address)
	return err
}

// Split cuts the region that holds row there.
func (c *JavaClient) Split(table, row string) error {
	_, err := c.Do("split", table, Hex(row))
	return err
}

// Merge makes one of two neighbouring regions, by their encoded names.
func (c *JavaClient) Merge(encoded1, encoded2 string) error {
	_, err := c.Do("merge", encoded1, encoded2)
	return err
}

// Reopen closes a region and opens it again.
func (c *JavaClient) Reopen(encoded string) error {
	_, err := c.Do("reopen", encoded)
	return err
}

// Flush writes what is in memory to files.
func (c *JavaClient) Flush(table string) error {
	_, err := c.Do("flush", table)
	return err
}

// Compact asks for a minor compaction and waits while one runs.
func (c *JavaClient) Compact(table string) error {
	_, err := c.Do("compact", table)
	return err
}

// MajorCompact rewrites all files of a table, which drops what delete markers
// and the number of versions hide.
func (c *JavaClient) MajorCompact(table string) error {
	_, err := c.Do("majorcompact", table)
	return err
}

// Disable takes a table out of service until Enable.
func (c *JavaClient) Disable(table string) error {
	_, err := c.Do("disable", table)
	return err
}

// Enable ends what Disable began.
func (c *JavaClient) Enable(table string) error {
	_, err := c.Do("enable", table)
	return err
}

// IsEnabled says whether a table is in service: neither disabled nor on its way
// to or from that.
func (c *JavaClient) IsEnabled(table string) (bool, error) {
	out, err := c.Do("isenabled", table)
	return out == "true", err
}

// Throttle lets clients write so many calls a second to a table, on each region
// server; the rest get RpcThrottlingException. It needs an HBase that runs
// with quotas, as StartDistributedHBase does, and bites within a second or so.
func (c *JavaClient) Throttle(table string, writesPerSecond int) error {
	_, err := c.Do("throttle", table, strconv.Itoa(writesPerSecond))
	return err
}

// Unthrottle ends what Throttle began.
func (c *JavaClient) Unthrottle(table string) error {
	_, err := c.Do("unthrottle", table)
	return err
}

// Snapshot keeps a table's present state under a name.
func (c *JavaClient) Snapshot(table, name string) error {
	_, err := c.Do("snapshot", table, name)
	return err
}

// Restore brings a snapshot's table back to that state. The table is disabled
// for it and enabled afterwards.
func (c *JavaClient) Restore(table, name string) error {
	if err := c.Disable(table); err != nil {
		return err
	}
	if _, err := c.Do("restore", name); err != nil {
		return err
	}
	return c.Enable(table)
}

// DeleteSnapshot forgets a snapshot.
func (c *JavaClient) DeleteSnapshot(name string) error {
	_, err := c.Do("deletesnapshot", name)
	return err
}

// Balancer switches the balancer, which moves regions by itself, on or off, and
// says whether it was on. It is on at first, and works when a master starts.
func (c *JavaClient) Balancer(on bool) (was bool, err error) {
	word := "off"
	if on {
		word = "on"
	}
	out, err := c.Do("balancer", word)
	return out == "true", err
}

// MetaServer is the address of the region server that has hbase:meta.
func (c *JavaClient) MetaServer() (string, error) {
	regions, err := c.Regions("hbase:meta")
	if err != nil {
		return "", err
	}
	if len(regions) == 0 {
		return "", fmt.Errorf("asking where hbase:meta is: no region of it is known")
	}
	return regions[0].Server, nil
}

// Servers are the addresses of the active master, empty if there is none, and
// of the live region servers.
func (c *JavaClient) Servers() (master string, regionServers []string, err error) {
	lines, err := c.lines("servers")
	if err != nil {
		return "", nil, err
	}
	for _, line := range lines {
		kind, address, _ := strings.Cut(line, " ")
		if kind == "master" {
			master = address
		} else {
			regionServers = append(regionServers, address)
		}
	}
	return master, regionServers, nil
}

// Labels makes labels of visibility, and lets the user reader read by them.
func (c *JavaClient) Labels(labels ...string) error {
	_, err := c.Do("labels", labels...)
	return err
}
