// Package rebuild makes checkpoints anew out of the marks in the tables, after the checkpoint table was lost.
//
// A mark tells of one row: all records of it below the mark are in it. So the marks together tell under which number the
// log's records are marked, how far any row has come, and how new the cells of rows are. They don't tell from where on to
// read: a record whose row was never written leaves no trace, wherever it lies. That the operator must say.
package rebuild
