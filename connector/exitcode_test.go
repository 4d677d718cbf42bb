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
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, ExitOK},
		{errors.New("x"), ExitOther},
		{fmt.Errorf("a: %w", ErrUnreached), ExitUnreached},
		{fmt.Errorf("a: %w", ErrFenced), ExitFenced},
		{fmt.Errorf("a: %w", ErrShutdown), ExitShutdown},
		{fmt.Errorf("a: %w", ErrNoTopic), ExitTopic},
		{fmt.Errorf("a: %w", &core.StopError{Cause: core.CauseHole, Err: errors.New("x")}), ExitHole},
		{&core.StopError{Cause: core.CauseOther, Err: errors.New("x")}, ExitOther},
		{fmt.Errorf("a: %w", &kafka.UnknownTopicError{}), ExitTopic},
		{lasting{schemaError("a table lacks a family")}, ExitTable},
		{fmt.Errorf("a: %w", &hbase.Error{Fault: hbase.FaultTable, Err: errors.New("x")}), ExitTable},
		{fmt.Errorf("a: %w", &hbase.Error{Fault: hbase.FaultBusy, Err: errors.New("x")}), ExitOther},
		// What the core says of a cause goes before what lies below it.
		{&core.StopError{Cause: core.CauseRecord, Err: &hbase.Error{Fault: hbase.FaultTable, Err: errors.New("x")}}, ExitRecord},
	} {
		if got := ExitCode(c.err); got != c.want {
			t.Errorf("%v: code %d, want %d", c.err, got, c.want)
		}
	}
}
