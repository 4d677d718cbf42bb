// Command wire plays histories of the whole connector over real sockets: its own Kafka and HBase clients against
// franz-go's kfake and hbase/hbasetest, with faults of frames, servers that die, regions that move, split and merge,
// and connectors that are killed, stopped and rivalled.
//
//	go run ./test/wire --for 60s [--seed n]
//
// Everything that is chosen comes from the seed; how threads and sockets take turns does not, so that a history is
// like, and not the same as, another of its seed. Each ends with heal, drain and a check of every row against the
// fold of the log. The last line counts histories, faults and violations; with any violation the exit code is 1.
package main
