package hbasetest

// session begins one if id is 0, or goes on with an old one. 0: there is no such session any more.
func (z *zooKeeper) session(id int64) int64 {
	z.mu.Lock()
	defer z.mu.Unlock()
	if id == 0 {
		z.sessions++
		return z.sessions
	}
	if id < 0 || id <= z.expired || id > z.sessions {
		return 0
	}
	return id
}

// cut breaks all connections. Called under z.mu.
func (z *zooKeeper) cut() int {
	for nc := range z.conns {
		_ = nc.Close()
	}
	return len(z.conns)
}

// CutZooKeeper breaks all connections to ZooKeeper, and says how many there were. Sessions live on.
func (c *Cluster) CutZooKeeper() int {
	c.zk.mu.Lock()
	defer c.zk.mu.Unlock()
	return c.zk.cut()
}

// ExpireZooKeeper ends all sessions of clients, and says how many connections it broke by that.
func (c *Cluster) ExpireZooKeeper() int {
	c.zk.mu.Lock()
	defer c.zk.mu.Unlock()
	c.zk.expired = c.zk.sessions
	return c.zk.cut()
}

// ZooKeeperAway takes ZooKeeper away, or brings it back. Region servers keep their sessions.
func (c *Cluster) ZooKeeperAway(away bool) {
	c.zk.mu.Lock()
	defer c.zk.mu.Unlock()
	c.zk.away = away
	if away {
		c.zk.cut()
	}
}
