// Command wire plays histories of the whole connector over real sockets: its own Kafka and HBase clients against
// franz-go's kfake and hbase/hbasetest, with everything that can befall the two and the connectors between them.
//
//	go run ./test/wire --for 60s [--histories n] [--seed n] [--workers n] [--out dir]
//
// Faults: frames to and from region servers that are lost, late, doubled, sliced, refused by any class of exception, or
// take their connection with them; Multis done in part; regions that move (in mid-Multi too), split and merge; servers
// that die, stand still or have other clocks; hbase:meta moved or away; ZooKeeper cut, expired, away; tables disabled,
// and set back with `offsets set`; Kafka's frames, error codes, leaders, brokers, retention, open and aborted
// transactions; connectors killed, stopped, rivalled, and paused: what those have sent lands after the pause.
//
// Checks, by the names of the invariants: an auditor compares checkpoints, rows and marks with the log while it all
// runs; each history ends with heal, drain and a check of every row against the fold of the log, and some with an
// ending that the connector must stop at. In a third of the histories some records can't be written, for good or for a
// moment: each of them is in its rows or has one dead letter, before the checkpoint passes it. Checkpoints, letters and
// sampled rows, as the clients saw them, and a register and a row that two clients race for, go through package
// test/linear. At the end of all nothing may have grown.
//
// Everything that is chosen comes from the seed; how threads and sockets take turns does not, so that a history is
// like, and not the same as, another of its seed: one with violations is written down in a folder, with what befell it,
// what the connectors logged and what was recorded. A pause of a connector is that of its sockets to HBase: its own
// goroutines can't be stopped in one process.
//
// What must be done within some time is held against a clock that stands while the machine does not let this program
// run: a busy machine makes histories last longer, and no violations. A history whose parts can't be set up is none; more
// than one in a hundred of them fail the run. An interrupt (SIGINT) ends it early, with its figures. The last line counts
// histories, faults and violations; with any violation the exit code is 1.
package main
