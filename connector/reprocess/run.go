package reprocess

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/kafka"
)

// Runner makes runs of a sink, and goes on with them.
type Runner struct {
	// Options are those of the live connector. Mappings are those that the window's records go by, Into's tables in them.
	Options connector.Options
	Client  *hbase.Client
	Kafka   *kafka.Client
	MaxRows int64 // that may be remembered, of all partitions together
	// Told is given what people want to know, line by line.
	Told func(format string, args ...any)
	// Serving is called with each engine before it runs; nil: nobody asks.
	Serving func(*connector.Engine)
}

// Report is what a run came to.
type Report struct {
	Run
	Counts  Counts
	Stats   core.Stats
	Old     OldKeys
	Already bool // it was done before
	Stopped bool // it was told to stop, and goes on when it is started again
}

func (r *Runner) runs() *Runs {
	return &Runs{Client: r.Client, Table: r.Options.CheckpointTable, Sink: r.Options.Core.Sink}
}

func (r *Runner) live() *connector.Store {
	return &connector.Store{Client: r.Client, Table: r.Options.CheckpointTable, Sink: r.Options.Core.Sink}
}

// Run makes the run that is asked for, or goes on with it, until it is done or ctx ends.
func (r *Runner) Run(ctx context.Context, req Request) (Report, error) {
	e, err := r.open(ctx, req)
	if err != nil {
		return Report{}, err // also where ctx ended: nothing is written yet
	}
	if e.State == Done {
		return Report{Run: e.Run, Already: true}, nil
	}
	if err := (&Log{r.Kafka}).same(ctx, e.Parts); err != nil {
		return Report{Run: e.Run}, err
	}
	stage, err := r.stage(ctx, e)
	if err != nil {
		return Report{Run: e.Run}, err
	}
	rep := Report{}
	if stage.old != nil {
		rep.Old = stage.old.OldKeys
	}
	for e.State != Done && err == nil && ctx.Err() == nil {
		err = r.pass(ctx, e, stage, &rep.Stats)
	}
	rep.Run, rep.Counts, rep.Stopped = e.Run, stage.Counts(), ctx.Err() != nil
	if rep.Stopped && errors.Is(err, ctx.Err()) {
		err = nil
	}
	return rep, err
}

// open reads the run, or plans it and writes it down.
func (r *Runner) open(ctx context.Context, req Request) (*entry, error) {
	asked := r.asked(req)
	e, err := r.known(ctx, asked)
	if err != nil {
		return nil, err
	}
	if e != nil {
		if e.State != Done {
			r.Told("run %s was begun %s by %s, and goes on", e.ID, e.Created.UTC().Format(time.RFC3339), e.Who)
		}
		return e, nil
	}
	p, err := r.plan(ctx, req, asked)
	if err != nil {
		return nil, err
	}
	e = &entry{mappings: p.texts}
	err = r.runs().write(ctx, e, *asked)
	if err == nil {
		r.Told("run %s is made; if it is broken off, it goes on by %s", e.ID, e.Again())
	}
	if !errors.Is(err, errChanged) {
		return e, err
	}
	return r.open(ctx, req) // another process made it meanwhile
}

// known reads the run that was made under the id which is asked for; nil: there is none. It is refused where it is another
// one, or one of which only marks or checkpoints are left.
func (r *Runner) known(ctx context.Context, asked *Run) (*entry, error) {
	e, err := r.runs().read(ctx, asked.ID)
	if err != nil {
		return nil, err
	}
	if e == nil {
		left, err := r.runs().Store(asked.ID).List(ctx)
		if err == nil && len(left) > 0 {
			err = refuse("checkpoints of an earlier run %s are left; use another id", asked.ID)
		}
		return nil, err
	}
	if e.State == Cleaned {
		return nil, refuse("id %s was that of a run which is removed, but for its marks; use another id, or remove it %s", e.ID, withMarks(e.ID))
	}
	return e, e.differs(asked)
}

// asked is the run that a request means, without its parts.
func (r *Runner) asked(req Request) *Run {
	id := req.ID
	if id == "" {
		id = DefaultID(req.Window, r.Options.Mappings.Hash(), req.Into, req.Old != nil)
	}
	host, _ := os.Hostname()
	return &Run{
		ID: id, Window: req.Window, Into: req.Into, DeleteOld: req.Old != nil, Mapping: r.Options.Mappings.Hash(), Created: time.Now().UTC(),
		Who: fmt.Sprintf("%s pid %d", host, os.Getpid()), State: Writing,
	}
}

// plan finds out what a run has to read.
func (r *Runner) plan(ctx context.Context, req Request, run *Run) (*planner, error) {
	if err := r.countsNothing(req.Into); err != nil {
		return nil, err
	}
	if err := r.countsAnew(ctx); err != nil {
		return nil, err
	}
	cluster, err := r.Kafka.ClusterID(ctx)
	if err != nil {
		return nil, err
	}
	live, err := r.live().List(ctx)
	if err != nil {
		return nil, err
	}
	if len(live) == 0 {
		return nil, refuse("sink %s has no checkpoint: nothing was written yet that could be reprocessed", r.Options.Core.Sink)
	}
	if err := r.live().BindSink(ctx, cluster); err != nil {
		return nil, err
	}
	p := &planner{
		req: req, set: r.Options.Mappings, schemas: r.Options.Schemas, log: &Log{r.Kafka}, end: kafka.ReadableEnd(r.Options.Kafka.ReadCommitted), live: live, told: r.Told,
		sets: map[string]*mapping.Set{}, texts: map[string][]byte{},
	}
	for _, t := range p.set.Tables() {
		run.Tables = append(run.Tables, t.Name)
	}
	run.Parts, err = p.parts(ctx)
	run.Notes = p.notes
	for _, note := range p.notes {
		r.Told("%s", note)
	}
	return p, err
}

// countsNothing refuses to add to sums and lists once more.
func (r *Runner) countsNothing(into map[string]string) error {
	fresh := freshOf(into)
	var bad []string
	for _, s := range r.Options.Mappings.Sums() {
		if !fresh[s.Table] {
			bad = append(bad, fmt.Sprintf("%s of column %s in table %s", s.Op, s.Column, s.Table))
		}
	}
	if len(bad) == 0 {
		return nil
	}
	return refuse("the mapping counts, so that its records would count twice: %s; write them to another table by --reprocess-into", strings.Join(bad, ", "))
}

// countsAnew refuses to add to what stands in a table already, of another run perhaps. After countsNothing, all tables with sums
// are those of --reprocess-into.
func (r *Runner) countsAnew(ctx context.Context) error {
	asked := map[string]bool{}
	for _, s := range r.Options.Mappings.Sums() {
		if asked[s.Table] {
			continue
		}
		asked[s.Table] = true
		held := false
		err := r.Client.Scan(ctx, s.Table, hbase.Scan{Limit: 1}, func(hbase.Row) error { held = true; return nil })
		switch {
		case hbase.FaultOf(err) == hbase.FaultTable: // nothing made it yet
		case err != nil:
			return fmt.Errorf("looking for rows in table %s: %w", s.Table, err)
		case held:
			return refuse("table %s holds rows already, and the mapping counts: %s of column %s would add to what another run or connector counted there; name an empty table by --reprocess-into", s.Table, s.Op, s.Column)
		}
	}
	return nil
}
