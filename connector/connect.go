package connector

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rowmark/connector/status"
	"rowmark/hbase"
	"rowmark/kafka"
)

// connectPause is the wait between two attempts to reach a service at start.
const connectPause = time.Second

// firstAttempt is how long the first attempt may take before it is said that a service is waited for; each further
// one may take twice as long.
const firstAttempt = 5 * time.Second

// connect reaches Kafka and HBase, checks the checkpoint table, binds the sink to the Kafka cluster, and has
// HBase show that it honours conditions.
func (e *Engine) connect(ctx context.Context) error {
	e.maps.current, e.maps.schemas = e.opts.Mappings, e.opts.Schemas
	err := e.until(ctx, "kafka", func(ctx context.Context) (err error) {
		e.kafka, err = kafka.Open(ctx, e.opts.Kafka)
		return err
	})
	if err != nil {
		return err
	}
	for _, w := range e.kafka.Warnings() {
		e.log.Warn().Msg(w)
	}
	if err := e.until(ctx, "kafka", e.checkLetterTopic); err != nil {
		return err
	}
	err = e.until(ctx, "hbase", func(ctx context.Context) (err error) {
		e.hbase, err = hbase.Open(ctx, e.opts.HBase)
		return err
	})
	if err != nil {
		return err
	}
	e.reader = e.kafka.NewReader(e.arrived)
	e.store = &Store{Client: e.hbase, Table: e.opts.CheckpointTable, Sink: e.opts.Core.Sink}
	if err := e.until(ctx, "hbase", func(ctx context.Context) error { return e.checkCheckpointTable(ctx) }); err != nil {
		return err
	}
	if !e.opts.Core.AtLeastOnce {
		if err := e.until(ctx, "hbase", func(ctx context.Context) error { return e.checkConditions(ctx) }); err != nil {
			return err
		}
	}
	var cluster string
	err = e.until(ctx, "kafka", func(ctx context.Context) (err error) {
		cluster, err = e.kafka.ClusterID(ctx)
		return err
	})
	if err != nil {
		return err
	}
	if err := e.until(ctx, "hbase", func(ctx context.Context) error { return e.store.BindSink(ctx, cluster) }); err != nil {
		return err
	}
	e.checkTables(ctx)
	return nil
}

// lasting is an error that waiting does not mend.
type lasting struct{ error }

func (l lasting) Unwrap() error { return l.error }

// until tries until f succeeds, fails for good, or ctx ends.
func (e *Engine) until(ctx context.Context, service string, f func(context.Context) error) error {
	for attempt := firstAttempt; ; attempt *= 2 {
		tryCtx, cancel := context.WithTimeout(ctx, attempt)
		err := f(tryCtx)
		cancel()
		var stop lasting
		var bound *SinkBoundError
		e.seen.side(service).answered(err)
		switch {
		case err == nil:
			return nil
		case errors.As(err, &stop), errors.As(err, &bound):
			return err
		case permanent(err):
			return err
		}
		e.show(status.Connecting)
		e.noise.warn("connect "+service, err, "waiting for "+service)
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %s did not answer within %s (hbase.start_timeout): %w", ErrUnreached, service, e.opts.StartTimeout, err)
		case <-time.After(connectPause):
		}
	}
}

// permanent says whether HBase answered, and said no.
func permanent(err error) bool {
	switch hbase.FaultOf(err) {
	case hbase.FaultTable, hbase.FaultSchema, hbase.FaultRow, hbase.FaultUnsupported:
		return true
	default:
		return false
	}
}
