// Package e2e runs the built connector as its own process against a real Kafka and a real HBase, kills it, and
// has other clients count.
package e2e
