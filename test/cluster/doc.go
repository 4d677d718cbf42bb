// Package cluster starts real Kafka and real HBase on this machine with nothing
// but Java 17 or later and Maven, for the tests and for `rowmark demo`.
//
// It owns the processes it starts and the folders they write to: Stop ends and
// removes both, and on Linux the processes die with the program that started
// them, even when that is killed. Everything listens on 127.0.0.1 only.
// Jars are fetched once by Maven; the class path is remembered in a cache folder.
//
// It knows nothing of rowmark's own packages, so that any of them may use it
// from its tests.
package cluster
