// Command chaos runs the connector, as processes, between a real Kafka of three brokers and a real HBase on HDFS,
// breaks all of them by a plan drawn from a seed, and says whether every record took effect exactly once.
//
//	go run ./test/chaos --duration 10m [--seed n] [--report file] [--only class,class] [--spoil]
//
// Nothing that judges is code under test: the log is read by franz-go (read_committed, from before the first record,
// so that retention can't hide any), the rows by HBase's own Java client. The verdict is six numbers, all zero:
// lost, duplicated, reordered, ahead, unfenced, stuck. A run is void, which fails it too, when records flowed too
// slowly before the first fault, or when a planned class of faults was never seen to bite.
//
// The parts: plan.go draws the plan; produce.go and the files beside it write records; tail.go reads the log into
// truth.go; judge.go compares a row with it; watch.go and audit.go look on while all runs; faults_*.go do the harm and
// prove that it was done; report.go writes what was seen.
package main
