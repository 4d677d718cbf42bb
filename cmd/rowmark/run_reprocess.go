package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"rowmark/connector"
	"rowmark/connector/config"
	"rowmark/connector/mapping"
	"rowmark/connector/reprocess"

	"github.com/spf13/cobra"
)

// reprocessFlags are those of run that write a time window anew.
type reprocessFlags struct {
	window  string
	id      string
	into    []string
	partial bool
	dry     bool
	sample  int
	old     string
	rows    int64
	force   bool // of run
}

func (r *reprocessFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&r.window, "reprocess", "", "write the records of a time window anew by the mapping of now, beside the running connector: FROM/TO, each a time (RFC 3339), a date, now, or a duration before now such as -2h")
	f.StringVar(&r.id, "reprocess-id", "", "name of the run, under which it is gone on with; made of window, mapping and tables if not given")
	f.StringSliceVar(&r.into, "reprocess-into", nil, "write to other tables: TABLE, or OLD=NEW for each of several. They are made if they are missing, and get the records of the window alone")
	f.BoolVar(&r.partial, "partial", false, "reprocess what is left of a window that retention has cut")
	f.BoolVar(&r.dry, "dry-run", false, "show what --reprocess would do, and some rows that would change; write nothing")
	f.StringVar(&r.old, "delete-old-keys", "", "the configuration that the window was written by: rows that its mapping made of the window, under keys that the mapping of now does not make, are deleted")
	f.IntVar(&r.sample, "sample", 10, "how many rows --dry-run shows")
	f.Int64Var(&r.rows, "reprocess-rows", 10_000_000, "how many rows' timestamps may be remembered, at about 60 bytes each")
	cmd.MarkFlagsMutuallyExclusive("reprocess", "once")
}

func (r *reprocessFlags) check(cmd *cobra.Command) error {
	if r.window != "" {
		return nil
	}
	for _, name := range []string{"reprocess-id", "reprocess-into", "partial", "dry-run", "sample", "delete-old-keys", "reprocess-rows"} {
		if cmd.Flags().Changed(name) {
			return configError(fmt.Errorf("--%s belongs to --reprocess", name))
		}
	}
	return nil
}

// request reads the flags.
func (r *reprocessFlags) request(c *config.Config) (reprocess.Request, error) {
	req := reprocess.Request{ID: r.id, Partial: r.partial, Force: r.force}
	var err error
	if req.Window, err = reprocess.ParseWindow(r.window, time.Now()); err != nil {
		return req, configError(fmt.Errorf("--reprocess: %w", err))
	}
	if r.id != "" {
		if err := reprocess.CheckID(r.id); err != nil {
			return req, configError(fmt.Errorf("--reprocess-id %w", err))
		}
	}
	if req.Into, err = intoTables(r.into, c.Mappings); err != nil {
		return req, configError(fmt.Errorf("--reprocess-into: %w", err))
	}
	if r.old == "" {
		return req, nil
	}
	old, err := config.Load(r.old)
	if err != nil {
		return req, configError(fmt.Errorf("--delete-old-keys: %w", err))
	}
	if old.Sink != c.Sink {
		return req, configError(fmt.Errorf("--delete-old-keys %s: it is the configuration of sink %s, not of %s, and the rows that it names are another connector's; give the file that sink %s ran by", r.old, old.Sink, c.Sink, c.Sink))
	}
	if err := connector.OpenRegistry(old); err != nil {
		return req, configError(fmt.Errorf("--delete-old-keys: %w", err))
	}
	req.Old = old.Mappings
	return req, nil
}

// intoTables reads tables to write to, each in place of one of the mappings'.
func intoTables(texts []string, set *mapping.Set) (map[string]string, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	out := map[string]string{}
	for _, text := range texts {
		old, name, pair := strings.Cut(text, "=")
		if !pair {
			tables := set.DataTables()
			if len(tables) != 1 || len(texts) != 1 {
				return nil, fmt.Errorf("%q: write OLD=NEW, since there are %d tables", text, len(tables))
			}
			old, name = tables[0].Name, text
		}
		old, err := mapping.TableName(old)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		if out[old], err = mapping.TableName(name); err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
	}
	return out, nil
}

// reprocess writes a window anew, up to the end or a signal.
func (a *app) reprocess(ctx context.Context, cmd *cobra.Command, c *config.Config, flags *reprocessFlags) error {
	req, err := flags.request(c)
	if err != nil {
		return err
	}
	opts, err := connector.OptionsOf(c, a.log)
	if err != nil {
		return configError(err)
	}
	opts.Version = version
	if len(req.Into) > 0 {
		if opts.Mappings, err = c.Mappings.Into(req.Into, opts.Schemas); err != nil {
			return configError(fmt.Errorf("--reprocess-into: %w", err))
		}
	}
	if err := a.nameTables(ctx, c); err != nil {
		return err
	}
	r := &reprocess.Runner{Options: opts, MaxRows: flags.rows}
	if r.Client, err = a.openHBase(ctx, c); err != nil {
		return err
	}
	defer r.Client.Close()
	if r.Kafka, err = a.openKafka(ctx, c); err != nil {
		return err
	}
	defer func() { _ = r.Kafka.Close() }()
	r.Told = func(format string, args ...any) { _, _ = fmt.Fprintf(cmd.OutOrStdout(), format+"\n", args...) }
	if flags.dry {
		plan, err := r.DryRun(ctx, req, flags.sample)
		if err != nil {
			return refusedRun(err)
		}
		return printPlan(cmd.OutOrStdout(), plan)
	}
	if err := makeTables(ctx, cmd.OutOrStdout(), c, r, req.Into); err != nil {
		return err
	}
	return a.runReprocess(ctx, cmd, c, r, req)
}

// makeTables makes the tables that a run writes to in place of others, as init does.
func makeTables(ctx context.Context, out io.Writer, c *config.Config, r *reprocess.Runner, into map[string]string) error {
	if len(into) == 0 {
		return nil
	}
	steps, err := connector.PlanInit(ctx, r.Client, tablesOf(c, r.Options.Mappings))
	if err != nil {
		return err
	}
	wanted := slices.Collect(maps.Values(into))
	for _, s := range steps {
		if s.Do == nil || !slices.Contains(wanted, s.Table) {
			continue
		}
		if err := s.Do(ctx); err != nil {
			return err
		}
		_, _ = fmt.Fprintln(out, "done", s.Text)
	}
	return nil
}

func (a *app) runReprocess(ctx context.Context, cmd *cobra.Command, c *config.Config, r *reprocess.Runner, req reprocess.Request) error {
	out := cmd.OutOrStdout()
	show := newBar(cmd.ErrOrStderr(), a.screen, a.log)
	defer show.close()
	// The file is that of the connector, which has its port.
	closeAdmin, err := a.admin(c, show, c.SetsOver)
	if err != nil {
		return err
	}
	defer closeAdmin()
	r.Serving = show.watch
	began := time.Now()
	rep, err := r.Run(ctx, req)
	show.close()
	if rep.ID == "" {
		return refusedRun(err)
	}
	tellReport(out, &rep, time.Since(began))
	var ended *reprocess.EndedError
	if err == nil || errors.As(err, &ended) {
		return err
	}
	return fmt.Errorf("%w; %s goes on with the run", err, rep.Again())
}

// refusedRun has an error of what was asked for end with the code of a wrong flag.
func refusedRun(err error) error {
	var r *reprocess.RefusedError
	if errors.As(err, &r) {
		return configError(err)
	}
	return err
}
