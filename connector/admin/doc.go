// Package admin is the HTTP server of a running connector, on an address of this machine unless a token guards it. Other
// parts register what it serves. It knows nothing of Kafka and HBase: what it tells is a status.Snapshot.
package admin
