// Package contract pins down the behaviour of HBase that rowmark's promise rests on: the condition on the mark, the
// order of operations inside and between writes of a row, and what a region transaction does and leaves.
//
// The same cases run against a real HBase (by test/contract) and against hbasetest, so that the latter can't drift.
// Writes go through package hbase; what a table then holds is read by another way.
//
// A failure on a new version of HBase means that the design, not a test, has to be looked at. A failure on hbasetest
// alone means that hbasetest is wrong.
package contract
