// Package pure is the exhaustive half of the crash matrix: the real core on a model Kafka and a model HBase, in one
// thread and one made-up clock, so that a run repeats itself action by action.
//
// A scenario is played once undisturbed, and every action of it numbered. Then, for each number and each instant (before
// the effect; after it and before its answer; after the answer was taken), it is played again up to there, and the
// process dies: what was in flight lands or not, now, late, or in part. A new process drains the log, and every cell,
// mark and checkpoint is compared with the fold of the log. Variants pause the process instead and let it come back
// beside its successor, or kill the successor as well, at each of its own actions.
package pure
