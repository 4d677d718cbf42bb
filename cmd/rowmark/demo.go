//go:build !nodemo

package main

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"rowmark/cmd/rowmark/demo"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

func newDemo(*app) *cobra.Command {
	o := demo.Options{Terminal: isatty.IsTerminal(os.Stdout.Fd()), Command: ownCommand()}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the promise: a connector that is killed twice, and a count of what is in HBase",
		Long: "demo streams orders through a connector that is killed twice on the way, and has others than rowmark count what\n" +
			"is in HBase. Kafka and HBase are embedded ones, which need nothing installed; with --real they are real ones,\n" +
			"started on this machine, which need a JDK of version 17 or later, and Maven.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("records") {
				o.Records = o.DefaultRecords()
			}
			ends := []os.Signal{syscall.SIGTERM, syscall.SIGINT}
			if !signal.Ignored(syscall.SIGHUP) {
				ends = append(ends, syscall.SIGHUP)
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), ends...)
			defer stop()
			signal.Ignore(syscall.SIGPIPE) // a reader that is gone shows as an error of writing, after which all is cleaned up
			o.Out = cmd.OutOrStdout()
			err := demo.Run(ctx, o)
			if errors.Is(err, demo.ErrRecords) {
				return configError(err)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&o.Real, "real", false, "start a real Kafka and a real HBase instead of the embedded ones")
	cmd.Flags().IntVar(&o.Records, "records", 0, "committed records to stream (default 100000, or 200000 with --real)")
	cmd.Flags().BoolVar(&o.Keep, "keep", false, "leave Kafka and HBase up after the count, embedded ones until Ctrl-C, and say where they are")
	return cmd
}

// ownCommand is how this program was started, as far as it can be known: `go run` builds into a folder of its own.
func ownCommand() string {
	if strings.Contains(filepath.ToSlash(os.Args[0]), "/go-build") {
		return "go run ./cmd/rowmark"
	}
	return os.Args[0]
}
