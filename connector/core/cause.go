package core

import "fmt"

// Cause sorts why a source stopped, for exit codes and metrics.
type Cause uint8

// Causes.
const (
	CauseOther      Cause = iota
	CauseRecord           // a record can't be mapped, or HBase refuses it for good
	CauseHole             // records were deleted before they were read
	CauseLogChanged       // the topic was created again, or its log truncated
	CauseTableOlder       // a table does not hold what was written to it
	CauseStale            // the pause was too long: tombstones or marks may be gone
	CauseTable            // a table is missing, disabled, or lacks what it needs
	CauseTopic            // the topic is missing, or the brokers refuse it
	CauseRelease          // all is written, but the checkpoint could not be
)

// StopError says why a source stopped.
type StopError struct {
	Cause Cause
	Err   error
}

func (e *StopError) Error() string { return e.Err.Error() }

// Unwrap gives the reason itself.
func (e *StopError) Unwrap() error { return e.Err }

func because(c Cause, format string, args ...any) error {
	return &StopError{Cause: c, Err: fmt.Errorf(format, args...)}
}
