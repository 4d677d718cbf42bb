package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"rowmark/connector"
	"rowmark/connector/config"
	"rowmark/connector/mapping"
	"rowmark/hbase"

	"github.com/spf13/cobra"
)

// initOptions are the flags.
type initOptions struct {
	dry    bool
	format string
}

// initialized is what init answers.
type initialized struct {
	Steps []initStep `json:"steps"`
	// Commits are told once the tables are there, and not of delivery: at-least-once.
	Commits []initCommit `json:"commits,omitempty"`
	Error   string       `json:"error,omitempty"` // of the first step that is not done
}

type initStep struct {
	Table string `json:"table"`
	State string `json:"state"` // ok: it is so already; todo, done
	Text  string `json:"text"`
}

type initCommit struct {
	Table   string `json:"table"`
	Commit  string `json:"commit"`
	Because string `json:"because,omitempty"`
}

func newInit(a *app) *cobra.Command {
	o := &initOptions{}
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Create or complete the tables in HBase",
		Long:  "init makes namespaces, tables, families, presplits, the coprocessor for region transactions and the\ncheckpoint table, as the configuration needs them. What is there already stays; it may be run again.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFormat(o.format); err != nil {
				return err
			}
			return a.withHBase(cmd, func(ctx context.Context, c *config.Config, client *hbase.Client) error {
				if o.format == "text" {
					_, err := a.initialize(ctx, cmd.OutOrStdout(), c, client, o.dry)
					return err
				}
				did, err := a.initialize(ctx, io.Discard, c, client, o.dry)
				if err != nil {
					did.Error = err.Error()
				}
				return errors.Join(err, printJSON(cmd.OutOrStdout(), did))
			})
		},
	}
	cmd.Flags().BoolVar(&o.dry, "dry-run", false, "print what would be done, and do nothing")
	addOutput(cmd, &o.format)
	return cmd
}

// initialize does what is missing, and says so line by line.
func (a *app) initialize(ctx context.Context, out io.Writer, c *config.Config, client *hbase.Client, dry bool) (did initialized, err error) {
	did.Steps = []initStep{}
	if err := a.nameTables(ctx, c); err != nil {
		return did, err
	}
	opts := tablesOf(c, c.Mappings)
	steps, err := connector.PlanInit(ctx, client, opts)
	if err != nil {
		return did, err
	}
	for _, s := range steps {
		step := initStep{Table: s.Table, State: "ok", Text: s.Text}
		switch {
		case s.Do == nil:
		case dry:
			step.State = "todo"
		default:
			if err := s.Do(ctx); err != nil {
				return did, err
			}
			step.State = "done"
		}
		did.Steps = append(did.Steps, step)
		_, _ = fmt.Fprintf(out, "%-4s %s\n", step.State, step.Text)
	}
	if dry || c.AtLeastOnce() {
		return did, nil
	}
	modes, err := connector.CommitModes(ctx, client, opts)
	for _, m := range modes {
		did.Commits = append(did.Commits, initCommit(m))
		_, _ = fmt.Fprintln(out, "    ", m)
	}
	return did, err
}

// tablesOf is what init makes for some mappings.
func tablesOf(c *config.Config, mappings *mapping.Set) connector.InitOptions {
	opts := connector.InitOptions{
		Mappings: mappings, CheckpointTable: c.HBase.CheckpointTable, MarkFamily: c.HBase.MarkFamily,
		Region: c.HBase.Commit != string(connector.CommitRow),
	}
	if c.AtLeastOnce() {
		opts.MarkFamily = ""
	}
	return opts
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
