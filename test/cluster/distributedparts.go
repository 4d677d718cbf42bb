package cluster

import "slices"

// RegionServers are the processes of the region servers of a distributed
// HBase, in the order of RegionServerAddrs.
func (h *HBase) RegionServers() []*Process { return slices.Clone(h.regionServers) }

// RegionServerAddrs are the addresses by which clients and hbase:meta know
// the region servers of a distributed HBase.
func (h *HBase) RegionServerAddrs() []string {
	var s []string
	for _, p := range h.regionPorts {
		s = append(s, addr(p))
	}
	return s
}

// RegionServer is region server i, counted from 0, of a distributed HBase. One
// that was paused past its ZooKeeper session and resumed ends by itself;
// Restart brings it back in any case, without the regions it had.
func (h *HBase) RegionServer(i int) *Process { return h.regionServers[i] }

// RegionServerAt is the process behind an address, nil if it is none of ours.
func (h *HBase) RegionServerAt(address string) *Process {
	for i, p := range h.regionPorts {
		if addr(p) == address {
			return h.regionServers[i]
		}
	}
	return nil
}

// MasterAddr is the address of the master of a distributed HBase.
func (h *HBase) MasterAddr() string { return addr(h.masterPort) }

// NameNode, DataNode and ZooKeeperProcess are processes of a distributed
// HBase, nil in one-JVM mode.
func (h *HBase) NameNode() *Process { return h.nameNode }

// DataNode holds the only copy of each block.
func (h *HBase) DataNode() *Process { return h.dataNode }

// ZooKeeperProcess is the quorum's only member.
func (h *HBase) ZooKeeperProcess() *Process { return h.zooKeeper }
