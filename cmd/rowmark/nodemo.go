//go:build nodemo

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

var errNoDemo = errors.New("starting the demo: this program was built without it; run `go run ./cmd/rowmark demo` in rowmark's source")

// newDemo stands for the demo in a program that is built without it (-tags nodemo), as may be wanted where size
// counts: the demo brings an embedded Kafka, an embedded HBase and a second Kafka client along.
func newDemo(*app) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Not in this program: it was built without the demo",
		Args:  cobra.ArbitraryArgs, DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error { return configError(errNoDemo) },
	}
}
