// Command rowmark carries records from Kafka to HBase, exactly once.
package main

import (
	"errors"
	"fmt"
	"os"

	"rowmark/connector"
)

func main() { os.Exit(run(os.Args[1:])) }

// run is the program; the exit codes are connector.Exit… and docs/exit-codes.md.
func run(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	err := root.Execute()
	if err == nil {
		return connector.ExitOK
	}
	var coded *codedError
	code := connector.ExitCode(err)
	if errors.As(err, &coded) {
		code = coded.code
	}
	fmt.Fprintln(os.Stderr, "rowmark:", err)
	return code
}

// codedError is an error with an exit code of its own.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

func configError(err error) error { return &codedError{connector.ExitConfig, err} }
