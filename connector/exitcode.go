package connector

import (
	"errors"

	"rowmark/connector/core"
	"rowmark/hbase"
)

// Exit codes of the program; docs/exit-codes.md explains them.
const (
	ExitOK         = 0
	ExitOther      = 1
	ExitConfig     = 2
	ExitUnreached  = 3 // Kafka or HBase could not be reached within start_timeout
	ExitRecord     = 4 // a record can't be mapped or written
	ExitFenced     = 5 // another connector took a partition
	ExitTopic      = 6 // a topic is missing or not readable
	ExitTable      = 7 // a table is missing or lacks what it needs
	ExitStale      = 8 // the pause was too long for tombstones or marks
	ExitHole       = 9 // records were deleted before they were read
	ExitLogChanged = 10
	ExitTableOlder = 11
	ExitShutdown   = 12 // a graceful stop took too long
	ExitWrong      = 13 // verify found records that are lost, doubled or stale
)

// ErrUnreached says that a service could not be reached at start.
var ErrUnreached = errors.New("not reached")

var causeCodes = map[core.Cause]int{
	core.CauseRecord: ExitRecord, core.CauseTopic: ExitTopic, core.CauseTable: ExitTable, core.CauseStale: ExitStale,
	core.CauseRelease: ExitShutdown,
	core.CauseHole:    ExitHole, core.CauseLogChanged: ExitLogChanged, core.CauseTableOlder: ExitTableOlder,
}

// ExitCode is the exit code for an error of New or Run.
func ExitCode(err error) int {
	var stop *core.StopError
	var bound *SinkBoundError
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, ErrUnreached):
		return ExitUnreached
	case errors.As(err, &bound):
		return ExitConfig
	case errors.Is(err, ErrShutdown):
		return ExitShutdown
	case errors.Is(err, ErrFenced), errors.Is(err, ErrOwnerAlive):
		return ExitFenced
	case errors.As(err, &stop):
		if code, ok := causeCodes[stop.Cause]; ok {
			return code
		}
	}
	if isUnknownTopic(err) {
		return ExitTopic
	}
	if f := hbase.FaultOf(err); f == hbase.FaultTable || f == hbase.FaultSchema {
		return ExitTable // of the checkpoint table, or met by init or offsets
	}
	return ExitOther
}
