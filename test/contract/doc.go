// Package contract runs the contract of hbase/hbasetest/contract on a real HBase, plays random histories on it and on
// hbasetest at once, and pins down what takes servers that die, pause and hand regions over.
// Writes go through package hbase; what a table then holds is read by HBase's own Java client.
//
// A failure here on a new version of HBase means that the design, not a test, has to be looked at.
package contract
