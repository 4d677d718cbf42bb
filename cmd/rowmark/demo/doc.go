// Package demo is `rowmark demo`: it shows the promise on the real services. It starts Kafka and HBase on this
// machine, streams orders into a topic, runs the connector as a process of its own, kills that twice with SIGKILL,
// and then counts.
//
// The count is by others than the connector: what must be there is folded from the log that franz-go reads, what is
// there is read by HBase's own Java client, and row keys and cells are worked out here by hand. So this package must
// not import the connector, its mapping, or rowmark's clients: it knows rowmark only as a program with commands.
//
// All it starts and writes is gone when Run returns, unless the services were asked to be kept.
package demo
