package hbase

import (
	"errors"
	"fmt"
	"time"
)

// Fault sorts the errors of this package by what the caller can do about them.
type Fault uint8

// Faults. With Outcome Refused nothing was written, whatever the fault.
const (
	FaultNone        Fault = iota
	FaultAmbiguous         // the write may have landed: its outcome is Unknown
	FaultConnect           // the server was not reached and nothing was sent; try again later
	FaultRelocate          // the region is not served there; the location was dropped; look at the table, try again
	FaultBusy              // overloaded or throttled; try again after Error.Wait
	FaultTable             // the table is missing or disabled
	FaultSchema            // the table lacks a family, or is read-only
	FaultRow               // the row itself: too large, a counter that is no long, access denied
	FaultUnsupported       // the coprocessor or the method is not there
)

// Error is a failure with its sort. Text names the table, region or server, and never a value.
type Error struct {
	Fault Fault
	Class string        // Java class, if a server said it
	Wait  time.Duration // for FaultBusy, when the server named it
	Err   error

	moved  movedTo // FaultRelocate with a hint of the new place
	closed *Region // FaultRelocate of a lookup that found the region, not open
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// FaultOf sorts an error; an error of another kind is ambiguous.
func FaultOf(err error) Fault {
	if err == nil {
		return FaultNone
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Fault
	}
	return FaultAmbiguous
}

func asError(err error) *Error {
	var e *Error
	errors.As(err, &e)
	return e
}

// errWhile says what was being done when err came, keeping its sort.
func errWhile(err error, format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, err)...)
}

// gaveUp is the last error of repeated tries, with what ended them.
func gaveUp(what string, last, end error) error {
	e := &Error{Fault: FaultOf(last)}
	if x := asError(last); x != nil {
		*e = *x
	}
	e.Err = fmt.Errorf("%s: %w; gave up: %w", what, last, end)
	return e
}
