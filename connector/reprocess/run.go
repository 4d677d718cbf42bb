package reprocess

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
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
	e, err := r.runs().read(ctx, asked.ID)
	if err != nil {
		return nil, err
	}
	if e != nil {
		if err := e.differs(asked); err != nil {
			return nil, err
		}
		if e.State != Done {
			r.Told("run %s was begun %s by %s, and goes on", e.ID, e.Created.UTC().Format(time.RFC3339), e.Who)
		}
		return e, nil
	}
	if left, err := r.runs().Store(asked.ID).List(ctx); err != nil || len(left) > 0 {
		return nil, errors.Join(err, refuse("checkpoints of an earlier run %s are left; remove them by rowmark reprocess clean %s", asked.ID, asked.ID))
	}
	p, err := r.plan(ctx, req, asked)
	if err != nil {
		return nil, err
	}
	e = &entry{mappings: p.texts}
	if err := r.runs().write(ctx, e, *asked); !errors.Is(err, errChanged) {
		return e, err
	}
	return r.open(ctx, req) // another process made it meanwhile
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
		req: req, set: r.Options.Mappings, schemas: r.Options.Schemas, log: &Log{r.Kafka}, live: live, told: r.Told,
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
	fresh := map[string]bool{}
	for _, table := range into {
		fresh[table] = true
	}
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

// stage makes the stage of a run.
func (r *Runner) stage(ctx context.Context, e *entry) (*Stage, error) {
	s := &Stage{
		window: e.Window, set: r.Options.Mappings, log: &Log{r.Kafka}, budget: budget{most: r.MaxRows},
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		fresh: map[string]bool{}, left: map[string]bool{}, parts: map[kafka.TopicPartition]*stagePart{},
	}
	for old, table := range e.Into {
		s.left[old], s.fresh[table] = true, true
	}
	s.alone = s.set.WritesOnly(s.fresh)
	sets := map[string]*mapping.Set{s.set.Hash(): s.set}
	for i := range e.Parts {
		part := e.Parts[i]
		for _, hash := range []string{part.Live, part.After} {
			if sets[hash] != nil {
				continue
			}
			set, err := mapping.CompileCanonical(e.mappings[hash], r.Options.Schemas)
			if err != nil {
				return nil, fmt.Errorf("run %s: the mapping that the records of %s were written by: %w", e.ID, part.Source(), err)
			}
			sets[hash] = set
		}
		sp := &stagePart{Part: part, live: sets[part.Live], after: sets[part.After], oldest: e.Window.From}
		for _, set := range []*mapping.Set{s.set, sp.live} {
			if ages := set.Ages(part.Topic); ages.Past < 0 {
				sp.oldest = 0
			} else {
				sp.oldest = min(sp.oldest, e.Window.From-ages.Past)
			}
		}
		s.parts[part.Source()] = sp
	}
	return s, s.findOldKeys(ctx, e.DeleteOld)
}

// pass has an engine write up to where the run stands, and then finds out whether the live connector wrote meanwhile what
// must be followed.
func (r *Runner) pass(ctx context.Context, e *entry, stage *Stage, stats *core.Stats) error {
	met := stage.Counts().Followers
	if len(e.Parts) > 0 {
		if err := r.engine(ctx, e, stage, stats); err != nil || ctx.Err() != nil {
			return err
		}
	}
	next := e.Run
	next.Parts = append([]Part(nil), e.Parts...)
	again, err := r.tails(ctx, next.Parts)
	if err != nil {
		return err
	}
	// A record that was sent again for its timestamp may have come behind a later one of the live connector's.
	if e.State == Following && stage.Counts().Followers == met {
		again = false
	}
	next.State = Following
	if !again {
		next.Parts, next.State, next.Ended = e.Parts, Done, time.Now().UTC()
	}
	err = r.runs().write(ctx, e, next)
	if !errors.Is(err, errChanged) {
		return err
	}
	// Another process was faster, or a write of one that is gone landed late: what stands there counts.
	now, err := r.runs().read(ctx, e.ID)
	if err != nil || now == nil {
		return errors.Join(err, errChanged)
	}
	*e = *now
	return nil
}

// engine runs an engine up to the tails of the parts.
func (r *Runner) engine(ctx context.Context, e *entry, stage *Stage, stats *core.Stats) error {
	opts := r.Options
	opts.Core.Sink = r.Options.Core.Sink + "~" + e.ID
	opts.Core.Once, opts.Core.OutOfRange, opts.Core.LogChanged = true, core.RangeFail, core.LogFail
	opts.Group, opts.MirrorGroup, opts.Partitions = "", "", nil // the group's positions are the live connector's
	replay := &connector.Replay{Stage: stage, Ranges: map[kafka.TopicPartition]connector.Range{}}
	for _, p := range e.Parts {
		replay.Ranges[p.Source()] = connector.Range{First: p.First, Until: p.Tail}
	}
	run := e.Run
	replay.Progress = (&progress{run: &run, stage: stage}).status
	opts.Replay = replay
	engine := connector.Unconnected(opts)
	if r.Serving != nil {
		r.Serving(engine)
	}
	if err := engine.Connect(ctx); err != nil {
		return err
	}
	defer engine.Close()
	err := engine.Run(ctx)
	add(stats, engine.Stats())
	if err != nil || ctx.Err() != nil {
		return err
	}
	return r.reached(ctx, e)
}

// reached sees that all parts were written up to their tails.
func (r *Runner) reached(ctx context.Context, e *entry) error {
	at, err := r.runs().Store(e.ID).List(ctx)
	if err != nil {
		return err
	}
	for _, p := range e.Parts {
		if ck := at[p.Source()]; ck == nil || ck.Offset < p.Tail {
			return fmt.Errorf("run %s: %s did not reach offset %d; start it again", e.ID, p.Source(), p.Tail)
		}
	}
	return nil
}

// tails moves the parts' tails up to where the live connector can have written by now: below its ceiling, and what the log
// holds. True: there is more.
func (r *Runner) tails(ctx context.Context, parts []Part) (bool, error) {
	live, err := r.live().List(ctx)
	if err != nil {
		return false, err
	}
	var tps []kafka.TopicPartition
	for i := range parts {
		tps = append(tps, parts[i].Source())
	}
	end := kafka.Latest
	if r.Options.Kafka.ReadCommitted {
		end = kafka.LastStable
	}
	ends, err := r.Kafka.ListOffsets(ctx, tps, end)
	if err != nil {
		return false, err
	}
	more := false
	for i := range parts {
		p := &parts[i]
		ck, at := live[p.Source()], ends[p.Source()]
		if at.Err != nil {
			return false, at.Err
		}
		if ck == nil {
			continue // it was removed: nobody writes
		}
		if tail := min(ck.Ceiling, at.Offset); tail > p.Tail {
			p.Tail, more = tail, true
		}
	}
	return more, nil
}

// add sums up what several engines did.
func add(to *core.Stats, s core.Stats) {
	to.Records += s.Records
	to.Rows += s.Rows
	to.Skipped += s.Skipped
	to.Letters += s.Letters
	to.Replayed += s.Replayed
	to.Retries += s.Retries
}
