// Package registrytest is a small schema registry in memory, for tests and examples. It answers the requests of
// Confluent's REST API by which schemas are registered and read, with the codes that are documented for them.
package registrytest
