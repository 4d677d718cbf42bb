// Package proxy is a SOCKS5 proxy that knows the frames of HBase, Kafka and
// ZooKeeper and spoils the traffic on request, between a program that takes a
// SOCKS5 setting and real services.
//
// CONNECT tells the true target, so no address has to be rewritten. What a
// connection speaks is found out from its first bytes; anything else, TLS too,
// is relayed as bytes and can only be cut, slowed, reset or silenced.
//
// At most one fault is drawn for each request, from the rates of the first rule
// that fits it. A stream is never spoiled in the middle of a frame except by
// Reset. HBase answers in any order, so there a lost or late frame is that frame
// alone. Kafka and ZooKeeper answer in order, and TCP loses no frame from the
// middle of a stream: there a lost frame takes all that follows on its connection
// with it, in both directions, and a late one holds up those behind it.
//
// What a client sent before it closed its connection still arrives, as in a
// network: a frame that was late or behind a cut reaches the server after the
// client gave it up.
package proxy
