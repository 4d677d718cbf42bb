package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker for releases.
var version = "dev"

// build is what version answers.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"` // of the source; "unknown revision" where it was not built in a clone
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newVersion() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			b := thisBuild()
			if format == "json" {
				return printJSON(cmd.OutOrStdout(), b)
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "rowmark %s (%s, %s %s)\n", b.Version, b.Revision, b.Go, b.Platform)
			return err
		},
	}
	addOutput(cmd, &format)
	return cmd
}

func thisBuild() build {
	b := build{Version: version, Revision: "unknown revision", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				b.Revision = s.Value
			}
		}
	}
	return b
}
