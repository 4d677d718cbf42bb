package main

import (
	"encoding/binary"
	"fmt"
	"time"
)

// servers kills, pauses or starts a region server.
func (m *nemesis) servers() {
	w := m.w
	n := w.rand.IntN(3)
	dice := w.rand.IntN(12)
	if n >= w.hbase.Servers() {
		return
	}
	switch up := w.hbase.Up(n); {
	case up && dice < 2:
		kind := "region server killed"
		if w.hbase.MetaServer() == n {
			kind = "region server of hbase:meta killed"
		}
		w.bite(kind, n)
		if err := w.hbase.Kill(n); err != nil {
			w.fail(ran, "%v", err)
		}
	case up && dice == 2 && !w.hbase.Paused(n):
		w.bite("region server paused", n)
		if err := w.hbase.Pause(n); err != nil {
			w.fail(ran, "%v", err)
		}
		m.standing[n] = w.rand.IntN(4)
		if w.rand.IntN(2) == 0 {
			w.bite("paused region server given up", n)
			if err := w.hbase.GiveUp(n); err != nil {
				w.fail(ran, "%v", err)
			}
		}
	case !up && !w.hbase.Paused(n):
		w.logf("region server %d starts", n)
		if err := w.hbase.Restart(n); err != nil {
			w.fail(ran, "%v", err)
		}
	}
}

// regions moves, splits, merges or compacts.
func (m *nemesis) regions() {
	w := m.w
	table := []string{"rows", "counts", "rowmark"}[w.rand.IntN(3)]
	key := fmt.Appendf(nil, "k%d", w.rand.IntN(50))
	n := w.rand.IntN(w.hbase.Servers())
	if m.letters != nil && m.letters.IntN(4) == 0 {
		table, key = letterTable, binary.BigEndian.AppendUint16(nil, uint16(m.letters.Uint32()))
	}
	var err error
	what := ""
	switch w.rand.IntN(12) {
	case 0, 1:
		what, err = "region moved", w.hbase.Move(table, key, n)
	case 2:
		what, err = "region split", w.hbase.Split(table, key)
	case 3:
		what, err = "regions merged", w.hbase.Merge(table, key)
	case 4:
		what, err = "table compacted", w.hbase.Compact(table, w.rand.IntN(2) == 0)
	case 5:
		if w.hbase.MetaServer() != n {
			what, err = "hbase:meta moved", w.hbase.MoveMeta(n)
		}
	case 6:
		if w.rand.IntN(3) == 0 && m.restore == nil {
			what, err = "table disabled for a moment", m.blink(table)
		}
	}
	if what != "" && err == nil { // it may not be possible just now
		w.bite(what, table, fmt.Sprintf("%q", key))
	}
}

// blink disables a data table and enables it again, data and all.
func (m *nemesis) blink(table string) error {
	if table == "rowmark" {
		return fmt.Errorf("not the checkpoint table %s", table)
	}
	if err := m.w.hbase.Disable(table); err != nil {
		return err
	}
	time.Sleep(time.Duration(m.w.rand.IntN(150)) * time.Millisecond)
	return m.w.hbase.Enable(table)
}

// zooKeeper cuts its connections, ends its sessions, or takes it away for a while.
func (m *nemesis) zooKeeper() {
	w := m.w
	switch w.rand.IntN(24) {
	case 0:
		w.verdict.bite("zookeeper: connections cut", min(1, w.hbase.CutZooKeeper()))
	case 1:
		w.verdict.bite("zookeeper: sessions expired", min(1, w.hbase.ExpireZooKeeper()))
	case 2:
		if m.zkAway <= 0 {
			w.bite("zookeeper: away")
			w.hbase.ZooKeeperAway(true)
			m.zkAway = 1 + w.rand.IntN(3)
		}
	}
}
