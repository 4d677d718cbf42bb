// Package hbase is a native client of HBase's RPC (2.4 to 3.0): frames and messages, connections, the
// ZooKeeper registry, the region cache, reads, conditional writes and the admin calls that rowmark needs.
//
// It owns sockets, deadlines and region locations. Every write ends applied, refused or unknown; an unknown
// write is never sent again here. It knows nothing of Kafka, offsets or marks.
package hbase
