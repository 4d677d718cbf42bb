// Package hbasetest is an HBase in the process of the test: it speaks HBase's RPC, and as much of ZooKeeper's as a
// client needs to find it, over real sockets of 127.0.0.1. Package hbase works against it unchanged.
//
// It keeps cells in memory, in HBase's own order of versions and delete markers, serves them from regions that
// split, merge and move, and can lose, delay, double or cut every frame by a plan that comes from a seed. What it
// does is held against a real HBase by the tests of hbasetest/contract: where the two differ, this package is wrong.
//
// Left out, because rowmark's client uses none of it: filters, cell codecs with tags, compression, SASL, nonces of
// increments and appends, KEEP_DELETED_CELLS, quotas, replicas, and every check of permissions.
//
// What must hold:
//   - Cluster.mu guards tables, regions and where they are. A batch is checked, reckoned and applied under it, so
//     it is atomic; between the RegionActions of one Multi it is let go, as the row locks of HBase are.
//   - No socket is touched under it. A call that waits (by a fault) holds nothing.
//   - A region's server and incarnation are looked at under the lock, in the same breath as the batch is applied:
//     a call that arrives late at a server that lost the region, or was killed, writes nothing.
//
// Only tests, and programs that want an HBase without Java, may import it.
package hbasetest
