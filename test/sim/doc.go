// Command sim runs the real connector core against a model Kafka and a model HBase, from one seed: kills,
// pauses, rivals, lost and late answers, refusals, moves and restored tables. At the end everything heals, the
// log is drained, and every row is compared with the fold of the log.
//
//	go run ./test/sim --for 60s                  random seeds
//	go run ./test/sim --seeds 1000 [--first 1]   these seeds, up to the first violation
//	go run ./test/sim --seed n                   one history, with its trace
//	go run ./test/sim --plan file                a plan, as a failing seed is shrunk to
//
// The last line is the figures. The exit code is 1 if there was a violation.
package main
