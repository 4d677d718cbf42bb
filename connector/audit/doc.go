// Package audit compares what HBase holds with what the log says it must hold.
//
// Verify reads ranges of partitions, folds each row's records in the order of the log as the core does, and judges the
// rows by their marks and cells. It writes nothing, and rests on nothing that the connector remembers but its
// checkpoints, which are read before the log, and the log before the rows: so what a running connector writes meanwhile
// can only be newer than what is expected.
//
// What can't be known is never taken for right: a row of which something could not be judged counts as not judged, with
// the reason. Findings name rows, columns and offsets, and values only if they are asked for.
//
// Inspect shows one row or one record in the same terms.
package audit
