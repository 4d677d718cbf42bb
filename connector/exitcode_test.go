package connector

import (
	"errors"
	"fmt"
	"testing"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

func TestExitCode(t *testing.T) {
	stop := func(c core.Cause) error { return &core.StopError{Cause: c, Err: errors.New("x")} }
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("x"), 1},
		{fmt.Errorf("%w: kafka", ErrUnreached), 3},
		{stop(core.CauseRecord), 4},
		{&SinkBoundError{}, 2},
		{ErrFenced, 5},
		{ErrOwnerAlive, 5},
		{stop(core.CauseTopic), 6},
		{&kafka.UnknownTopicError{}, 6},
		{stop(core.CauseTable), 7},
		{&hbase.Error{Fault: hbase.FaultTable, Err: errors.New("x")}, 7},
		{stop(core.CauseStale), 8},
		{stop(core.CauseHole), 9},
		{stop(core.CauseLogChanged), 10},
		{stop(core.CauseTableOlder), 11},
		{fmt.Errorf("%w: 3 partitions", ErrShutdown), 12},
	} {
		if got := ExitCode(c.err); got != c.want {
			t.Errorf("%v ends with %d, want %d", c.err, got, c.want)
		}
		if got := ExitCode(fmt.Errorf("t/0: %w", c.err)); c.err != nil && got != c.want {
			t.Errorf("wrapped, %v ends with %d, want %d", c.err, got, c.want)
		}
	}
}
