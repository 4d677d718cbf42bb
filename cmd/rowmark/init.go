package main

import (
	"context"
	"fmt"
	"io"

	"rowmark/connector"
	"rowmark/connector/config"
	"rowmark/hbase"

	"github.com/spf13/cobra"
)

func newInit(a *app) *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Create or complete the tables in HBase",
		Long:  "init makes namespaces, tables, families, presplits, the coprocessor for region transactions and the\ncheckpoint table, as the configuration needs them. What is there already stays; it may be run again.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withHBase(cmd, func(ctx context.Context, c *config.Config, client *hbase.Client) error {
				return a.initialize(ctx, cmd.OutOrStdout(), c, client, dry)
			})
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "print what would be done, and do nothing")
	return cmd
}

func (a *app) initialize(ctx context.Context, out io.Writer, c *config.Config, client *hbase.Client, dry bool) error {
	if err := a.nameTables(ctx, c); err != nil {
		return err
	}
	opts := connector.InitOptions{
		Mappings: c.Mappings, CheckpointTable: c.HBase.CheckpointTable, MarkFamily: c.HBase.MarkFamily,
		Region: c.HBase.Commit != string(connector.CommitRow),
	}
	if c.AtLeastOnce() {
		opts.MarkFamily = ""
	}
	steps, err := connector.PlanInit(ctx, client, opts)
	if err != nil {
		return err
	}
	for _, s := range steps {
		switch {
		case s.Do == nil:
			_, _ = fmt.Fprintln(out, "ok  ", s.Text)
			continue
		case dry:
			_, _ = fmt.Fprintln(out, "todo", s.Text)
			continue
		}
		if err := s.Do(ctx); err != nil {
			return err
		}
		_, _ = fmt.Fprintln(out, "done", s.Text)
	}
	if dry || c.AtLeastOnce() {
		return nil
	}
	modes, err := connector.CommitModes(ctx, client, opts)
	for _, m := range modes {
		_, _ = fmt.Fprintln(out, "    ", m)
	}
	return err
}

// nameTables tells the mappings the topics that are there, where tables are named after those of a pattern.
func (a *app) nameTables(ctx context.Context, c *config.Config) error {
	if !c.Mappings.NamesTables() {
		return nil
	}
	client, err := a.openKafka(ctx, c)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	topics, err := client.Topics(ctx, nil)
	if err != nil {
		return fmt.Errorf("asking for the topics that tables are named after: %w", err)
	}
	for name, t := range topics {
		if t.Internal || !c.Mappings.Matches(name) {
			continue
		}
		if err := c.Mappings.CheckTopic(name); err != nil {
			return configError(fmt.Errorf("topic %s: %w", name, err))
		}
	}
	return nil
}
