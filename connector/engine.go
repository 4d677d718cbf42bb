package connector

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/metrics"
	"rowmark/connector/status"
	"rowmark/hbase"
	"rowmark/kafka"

	"github.com/rs/zerolog"
)

// Engine is one running connector. One goroutine, Run, owns the core; others do what it asks for and post
// their answers to events.
type Engine struct {
	opts      Options
	log       zerolog.Logger
	core      *core.Core
	hbase     *hbase.Client
	kafka     *kafka.Client
	reader    *kafka.Reader
	store     *Store
	maps      mappings
	tables    tableChecks
	born      time.Time
	regionErr error // why no table is written by region transactions; nil: they work
	events    chan core.Event
	orders    chan order      // not by the core's own actions
	ctx       context.Context // of the calls; ends when Run returns
	calls     sync.WaitGroup
	group     groupState
	sights    sights
	mirror    mirror
	ends      map[kafka.TopicPartition]core.Report
	mapSem    chan struct{}
	noise     quiet
	fetches   fetches
	sent      sentLetters
	stopping  bool // the core was told to stop
	seen      observer
	metrics   *metrics.Set
}

// New makes an engine ready to Run.
func New(ctx context.Context, opts Options) (*Engine, error) {
	e := Unconnected(opts)
	if err := e.Connect(ctx); err != nil {
		return nil, err
	}
	return e, nil
}

// Connect reaches both sides, and checks what concerns everything. It waits for services that are away, up to
// Options.StartTimeout. After an error the engine is closed.
func (e *Engine) Connect(ctx context.Context) error {
	startCtx, cancel := context.WithTimeout(ctx, e.opts.StartTimeout)
	defer cancel()
	if err := e.connect(startCtx); err != nil {
		e.Close()
		return err
	}
	opts := &e.opts
	cfg := opts.Core
	if _, err := rand.Read(cfg.Owner[:]); err != nil {
		e.Close()
		return fmt.Errorf("drawing an owner id: %w", err)
	}
	host, _ := os.Hostname()
	cfg.Who = fmt.Sprintf("%s pid %d", host, os.Getpid())
	cfg.MarkFamily = []byte(opts.MarkFamily)
	cfg.Mapping, cfg.MappingHash = opts.Mappings.Canonical(), opts.Mappings.Hash()
	cfg.Continues = opts.Mappings.Continues
	if opts.Replay != nil {
		cfg.Until = opts.Replay.untils()
	}
	cfg.Tables, cfg.OtherTables = e.tableInfos(), core.TableInfo{Mode: e.mode(&tableCheck{})}
	e.core = core.New(cfg)
	return nil
}

// Unconnected gives an engine that is still to be connected. What it tells of itself can be asked for already.
func Unconnected(opts Options) *Engine {
	e := &Engine{
		opts: opts, log: opts.Log, born: time.Now(), events: make(chan core.Event, 1024), orders: make(chan order),
		ends: map[kafka.TopicPartition]core.Report{}, mapSem: make(chan struct{}, mapWorkers()),
	}
	e.noise.log = &e.log
	e.metrics = metrics.New(e.Snapshot)
	e.show(status.Connecting)
	return e
}

// Close lets both sides go. Run must have returned.
func (e *Engine) Close() {
	if e.reader != nil {
		_ = e.reader.Close()
	}
	if e.kafka != nil {
		_ = e.kafka.Close()
	}
	if e.hbase != nil {
		e.hbase.Close()
	}
}

func (e *Engine) now() core.Now {
	return core.Now{Mono: time.Since(e.born), Wall: time.Now().UnixMilli()}
}

// Run works until every partition has ended, or ctx ends: then it stops gracefully, within ShutdownTimeout.
// The error is the worst end of a partition; see ExitCode.
func (e *Engine) Run(ctx context.Context) error {
	callCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	e.ctx = callCtx
	watchCtx, stopWatch := context.WithCancel(ctx)
	defer func() {
		stopWatch()
		_ = e.reader.Close()
		cancel()
		e.calls.Wait()
	}()
	e.mirrorStatic()
	watched := e.assign(watchCtx)
	err := e.loop(ctx, stopWatch, watched)
	e.mirror.last(callCtx)
	return err
}

// loop is the one goroutine that owns the core.
func (e *Engine) loop(ctx context.Context, stopWatch func(), watched <-chan error) error {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	tell, look, mirrored := time.NewTicker(progressEvery), time.NewTicker(showEvery), time.NewTicker(mirrorEvery)
	defer tell.Stop()
	defer look.Stop()
	defer mirrored.Stop()
	var last progress
	e.show(status.Running)
	defer func() { e.show(status.Stopping) }()
	var (
		deadline <-chan time.Time
		watchErr error
		done     = ctx.Done()
	)
	stop := func() {
		if e.stopping {
			return
		}
		e.stopping = true
		stopWatch()
		deadline = time.After(e.opts.ShutdownTimeout)
		e.step(core.Stop{})
	}
	for {
		// Partitions just assigned may still wait among the events.
		if e.core.Live() == 0 && len(e.events) == 0 {
			if watched == nil {
				return e.verdict(watchErr)
			}
			if e.failed() {
				stop() // none is left, and none that ended will come back
			}
		}
		wait := e.core.Wake() - time.Since(e.born)
		timer.Reset(max(0, min(wait, time.Hour)))
		select {
		case ev := <-e.events:
			e.step(ev)
			e.stepWaiting()
		case <-timer.C:
			e.step(core.Tick{})
		case <-mirrored.C:
			e.tellMirror()
		case o := <-e.orders:
			e.obey(o)
		case <-tell.C:
			last = e.tell(last)
		case <-look.C:
			e.show(e.phase())
		case err := <-watched:
			watched, watchErr = nil, err
			if err != nil && ctx.Err() == nil {
				e.log.Error().Err(err).Msg("assignment ended")
				if !e.opts.Core.Once {
					stop() // --once reads the topics that are there
				}
			}
		case <-done:
			done = nil
			e.log.Info().Stringer("at_most", e.opts.ShutdownTimeout).Msg("stopping: writing what was read, then releasing the checkpoints; a second signal ends at once")
			stop()
		case <-deadline:
			return fmt.Errorf("%w: %d partitions were not released within %s; another connector takes them when their lease is over", ErrShutdown, e.core.Live(), e.opts.ShutdownTimeout)
		}
		if e.opts.FailFast && e.failed() {
			stop()
		}
		e.showNews()
	}
}

// stepWaiting takes what else has come, so that one round of actions serves many events.
func (e *Engine) stepWaiting() {
	for range 256 {
		select {
		case ev := <-e.events:
			e.step(ev)
		default:
			return
		}
	}
}

func (e *Engine) step(ev core.Event) {
	for _, a := range e.core.Step(e.now(), ev) {
		e.act(a)
	}
}

func (e *Engine) post(ev core.Event) {
	select {
	case e.events <- ev:
	case <-e.ctx.Done():
	}
}

// Stats gives the counts of the run. Run must have returned.
func (e *Engine) Stats() core.Stats { return e.core.Stats() }

// Traffic is what a run asked of the servers, from its start on.
type Traffic struct {
	HBaseCalls  int64 // requests to region servers and the master, of all kinds
	KafkaRanges int64 // ranges of partitions read; an answer of a broker holds those of several partitions
}

// Traffic may be asked for at any time.
func (e *Engine) Traffic() Traffic {
	return Traffic{HBaseCalls: e.hbase.Calls(), KafkaRanges: e.fetches.answered()}
}

// Errors that Run may wrap.
var (
	ErrShutdown = errors.New("stopping took too long")
	ErrFenced   = errors.New("another connector took the partition")
)

func (e *Engine) failed() bool {
	for _, r := range e.ends {
		if bad(r) {
			return true
		}
	}
	return false
}

// bad says whether a partition ended otherwise than it was asked to.
func bad(r core.Report) bool { return r.Kind == core.ReportFailed || r.Kind == core.ReportFenced }

// verdict is the worst end of all partitions.
func (e *Engine) verdict(watchErr error) error {
	var worst error
	for tp, r := range e.ends {
		switch r.Kind {
		case core.ReportFailed:
			err := fmt.Errorf("%s: %w", tp, r.Err)
			if worst == nil || ExitCode(err) > ExitCode(worst) {
				worst = err
			}
		case core.ReportFenced:
			if worst == nil {
				worst = fmt.Errorf("%s: %w", tp, ErrFenced)
			}
		}
	}
	if worst == nil {
		return watchErr
	}
	return worst
}
