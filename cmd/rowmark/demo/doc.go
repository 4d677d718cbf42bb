// Package demo is `rowmark demo`: it shows the promise on a Kafka and an HBase of its own. It streams orders into a
// topic, runs the connector as a process of its own, kills that twice with SIGKILL, and then counts.
//
// Kafka and HBase are embedded ones that live in the demo's process and speak the real protocols over sockets
// (franz-go's kfake, and hbase/hbasetest), or the real ones, started by test/cluster.
//
// The count is by others than the connector: what must be there is folded from the log that franz-go reads; what is
// there is taken out of the embedded HBase's memory, or read by the real one's own Java client; row keys and cells
// are worked out here by hand. So this package must not import the connector, its mapping, or rowmark's clients: it
// knows rowmark only as a program with commands.
//
// All it starts and writes is gone when Run returns, unless real services were asked to be kept.
package demo
