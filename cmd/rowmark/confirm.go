package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// confirm asks a person. All answers but y and yes are a no, and so is a signal.
func confirm(ctx context.Context, in io.Reader, out io.Writer, question string) error {
	if _, err := fmt.Fprintf(out, "%s [y/N] ", question); err != nil {
		return err
	}
	answers := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(in).ReadString('\n')
		answers <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
	case answer := <-answers:
		if answer == "y" || answer == "yes" {
			return nil
		}
	}
	return errors.New("not confirmed, and nothing was done")
}

// checkAsking refuses to ask where nobody answers: without a terminal, and of programs. Silent says that nothing is asked;
// what is what a dry run shows, of a command that has one.
func checkAsking(cmd *cobra.Command, format string, silent bool, what string) error {
	if err := checkFormat(format); err != nil || silent {
		return err
	}
	dry, see := " or --dry-run", ", or --dry-run to see what would be "+what
	if what == "" {
		dry, see = "", ""
	}
	if format == "json" {
		return configError(fmt.Errorf("-o json: give --yes%s, since it asks nothing", dry))
	}
	if !isTerminal(cmd.InOrStdin()) {
		return configError(fmt.Errorf("there is no terminal to ask on: give --yes%s", see))
	}
	return nil
}
