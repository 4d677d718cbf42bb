// Package work is what a benchmark's peer process does: it writes rows to HBase or reads records from Kafka as it is
// told, line by line on its standard input, and answers with what it took. It compares nothing; package main of
// test/bench drives it, and drives the Java peer by the same lines.
package work
