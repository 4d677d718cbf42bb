// Package contract pins down, on a real HBase, the behaviour that rowmark's promise rests on: the condition on the
// mark, the order of operations inside and between writes of a row, and what a region transaction does and leaves.
// Writes go through package hbase; what a table then holds is read by HBase's own Java client.
//
// A failure here on a new version of HBase means that the design, not a test, has to be looked at.
package contract
