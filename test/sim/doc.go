// Command sim runs the real connector core against a model Kafka and a model HBase, from one seed: kills,
// pauses, rivals, lost and late answers, refusals, moves and restored tables. At the end everything heals, the
// log is drained, and every row is compared with the fold of the log.
//
//	go run ./test/sim --for 60s [--seed n]
package main
