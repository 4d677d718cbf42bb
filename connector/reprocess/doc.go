// Package reprocess writes the records of a time window anew, beside the connector that wrote them: under marks and
// checkpoints of its own, and with the timestamps that their cells had.
//
// A run is an engine of package connector whose mapping goes through a Stage. The stage follows the log from the first
// record of the window on and knows of each row how new its cells were at every record (floors.go). So a record of the
// window gets, in each row, the timestamp that it had there: what it writes takes the place of what it wrote before, and
// hides nothing that came later. What would come out otherwise, because HBase goes by the order of arrival in cells of
// one timestamp and, some families, in deletes, is sent again behind it (follow.go).
//
// The run is written down in the checkpoint table before its first record is (run.go), and is finished by whoever starts it
// again. The live connector is only read: its checkpoints, and the mapping that is kept there.
package reprocess
