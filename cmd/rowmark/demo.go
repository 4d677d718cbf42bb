package main

import (
	"os"
	"os/signal"
	"syscall"

	"rowmark/cmd/rowmark/demo"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

func newDemo(*app) *cobra.Command {
	o := demo.Options{Terminal: isatty.IsTerminal(os.Stdout.Fd())}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the promise on a real Kafka and a real HBase on this machine",
		Long:  "demo starts a real Kafka and a real HBase (it needs a JDK of version 17 or later, and Maven), streams orders\nthrough a connector that is killed twice on the way, and has other clients count what is in HBase.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM, syscall.SIGINT)
			defer stop()
			o.Out = cmd.OutOrStdout()
			return demo.Run(ctx, o)
		},
	}
	cmd.Flags().IntVar(&o.Records, "records", 0, "committed records to stream (default 200000)")
	cmd.Flags().BoolVar(&o.Keep, "keep", false, "leave Kafka and HBase running, and say where they are")
	return cmd
}
