// Package hbase is a native client of HBase's RPC (2.4 to 3.0): frames and messages, connections, the
// ZooKeeper registry, the region cache, reads, conditional writes and the admin calls that rowmark needs.
//
// It owns sockets, deadlines and region locations. Every write ends applied, refused or unknown; an unknown
// write is never sent again here. It knows nothing of Kafka, offsets or marks.
//
// Layers, lower ones first: cellblock, framebuf and frame (bytes), conn (one connection: a goroutine that writes, one that
// reads), pool (a connection per server and service, and the server's limits), registry, meta and regioncache
// (where regions are), and Client with its calls.
//
// What must hold:
//   - A call's bytes are counted as gone from the moment its connection's writer takes it. Before that its failure
//     is FaultConnect, after it FaultAmbiguous.
//   - Each call ends exactly once, under conn.mu, whichever of answer, deadline and loss of the connection is first.
//   - A call's frame has one owner, who frees it: the call while it is queued, from then on the connection's writer,
//     however the call ends meanwhile.
//   - Answers have no order. Two writes of one row are never in flight together: callers see to it between Writes,
//     Write refuses the second within one.
//   - Rows that are locked together, of a transaction or a shared RegionAction, go in key order, which is the order in
//     which the server takes their locks.
//   - Locks are leaves, except that server.mu is held while pool.mu or conn.mu is taken.
package hbase
