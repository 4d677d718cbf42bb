// Command rowmark carries records from Kafka to HBase, exactly once.
package main

import (
	"errors"
	"fmt"
	"os"

	"rowmark/connector"

	"github.com/spf13/cobra"
)

func main() { os.Exit(run(os.Args[1:])) }

// run is the program; the exit codes are connector.Exit… and docs/exit-codes.md.
func run(args []string) int { return execute(newRoot(), args) }

func execute(root *cobra.Command, args []string) int {
	root.SetArgs(args)
	ran := false
	note(root, &ran)
	err := root.Execute()
	if err == nil {
		return connector.ExitOK
	}
	var coded *codedError
	code := connector.ExitCode(err)
	switch {
	case errors.As(err, &coded):
		code = coded.code
	case !ran: // a command or flag that is not known
		code = connector.ExitConfig
	}
	_, _ = fmt.Fprintln(root.ErrOrStderr(), "rowmark:", err)
	return code
}

// note has every command tell that it was run: an error before that is one of the command line.
func note(cmd *cobra.Command, ran *bool) {
	if f := cmd.RunE; f != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			*ran = true
			return f(cmd, args)
		}
	}
	for _, sub := range cmd.Commands() {
		note(sub, ran)
	}
}

// codedError is an error with an exit code of its own.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

func configError(err error) error { return &codedError{connector.ExitConfig, err} }
