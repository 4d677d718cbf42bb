package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// addOutput gives a command the flag that has it answer programs; docs/json.md says what they get.
func addOutput(cmd *cobra.Command, format *string) {
	cmd.Flags().StringVarP(format, "output", "o", "text", "text or json")
}

func checkFormat(format string) error {
	if format == "text" || format == "json" {
		return nil
	}
	return configError(fmt.Errorf("output format %q: use text or json", format))
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// isTerminal says whether a stream of the command is one that a person sits at.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}
