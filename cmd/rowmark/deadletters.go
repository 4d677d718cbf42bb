package main

import (
	"context"
	"errors"
	"math"

	"rowmark/connector/config"
	"rowmark/connector/deadletter"
	"rowmark/hbase"

	"github.com/spf13/cobra"
)

func newDeadLetters(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dead-letters",
		Short: "List, show or retry records that could not become rows",
		Long:  "dead-letters looks at the records that mappings with on_error: dead-letter could not write. A letter is named\ntopic/partition/offset. Only show prints what a record holds.",
	}
	cmd.AddCommand(newDeadLettersList(a), newDeadLettersShow(a), newDeadLettersRetry(a))
	return cmd
}

// errNoLetters says that nothing makes letters, and that none was ever made.
var errNoLetters = errors.New("no mapping has on_error: dead-letter, and there are no letters")

// withLetters runs f with the table of dead letters at hand. Without a mapping that wants the table it may be missing,
// which is errNoLetters.
func (a *app) withLetters(cmd *cobra.Command, f func(context.Context, *config.Config, *deadletter.Table) error) error {
	return a.withHBase(cmd, func(ctx context.Context, c *config.Config, client *hbase.Client) error {
		if c.Mappings.Letters() == "" {
			if _, err := client.Regions(ctx, c.DeadLetters.Table); hbase.FaultOf(err) == hbase.FaultTable {
				return errNoLetters
			}
		}
		return f(ctx, c, &deadletter.Table{Client: client, Name: c.DeadLetters.Table, Sink: c.Sink})
	})
}

// letterFlags choose letters.
type letterFlags struct {
	deadletter.Filter
	partition string
}

func (l *letterFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&l.Topic, "topic", "", "of this topic only")
	f.StringVar(&l.partition, "partition", "", "of this topic/partition only, or of this partition of --topic")
	f.Int64Var(&l.From, "from", 0, "of offsets from this one on")
	f.Int64Var(&l.To, "to", math.MaxInt64, "of offsets below this one")
}

// check reads the partition.
func (l *letterFlags) check(cmd *cobra.Command) (err error) {
	if l.Topic, l.Partition, err = onePartition(cmd, l.Topic, l.partition); err != nil {
		return configError(err)
	}
	return nil
}
