// Package live is the crash matrix in the running program: the real connector with its real clients, over sockets,
// against franz-go's kfake and hbase/hbasetest, in one process.
//
// Every connection of the connector goes through a tap that knows frames. It names the effect of each request, counts
// them, and at the chosen one cuts all connections of the connector: before the request is sent, after its answer has
// come back but before the connector sees it, or after the connector has taken it. A Multi can also be cut between two
// of its rows. The points are the first, the middle and the last request of each effect, counted by a run without a
// crash; since threads and sockets take turns as they like, a last one that does not come is tried again with fewer.
package live
