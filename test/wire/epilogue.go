package main

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"

	"rowmark/connector"
	"rowmark/connector/core"
)

// ending is something that must not be passed in silence (I9): the connector stops, says why by its exit code, and
// leaves the checkpoint before what is wrong.
type ending struct {
	name string
	code int
	// spoil makes it so, and gives the partition that must not go on and the offset it must not pass; -1: none is fit for it.
	spoil func(ctx context.Context, w *world) (part int, at int64, err error)
	tune  func(*connector.Options)
}

const poisonKey = "poison"

var endings = []ending{
	{"records deleted unread", connector.ExitHole, func(ctx context.Context, w *world) (int, int64, error) {
		part, at, err := w.more(ctx, w.hasRecords)
		if err != nil || part < 0 {
			return part, at, err
		}
		return part, at, w.kafka.DeleteRecords(topic, int32(part), at+1)
	}, nil},
	{"record that is no JSON", connector.ExitRecord, func(ctx context.Context, w *world) (int, int64, error) {
		return w.one(ctx, []byte("{"))
	}, nil},
	{"cell too large", connector.ExitRecord, func(ctx context.Context, w *world) (int, int64, error) {
		return w.one(ctx, []byte(`{"id": "`+strings.Repeat("x", smallCell)+`", "w": 1}`))
	}, func(o *connector.Options) { o.HBase.MaxCellBytes = smallCell }},
	{"topic made anew", connector.ExitLogChanged, func(_ context.Context, w *world) (int, int64, error) {
		at := w.log.end(0)
		if err := w.kafka.DeleteTopic(topic); err != nil {
			return 0, 0, err
		}
		return 0, at, w.kafka.CreateTopic(topic, int32(w.partitions), nil)
	}, nil},
	{"table missing", connector.ExitTable, func(ctx context.Context, w *world) (int, int64, error) {
		part, at, err := w.more(ctx, w.hasRecords)
		if err != nil || part < 0 {
			return part, at, err
		}
		return part, at, w.hbase.Drop("counts")
	}, nil},
	{"table emptied", connector.ExitTableOlder, func(ctx context.Context, w *world) (int, int64, error) {
		part, at, err := w.more(ctx, w.hasWitness)
		if err != nil || part < 0 {
			return part, at, err
		}
		for _, do := range []func() error{
			func() error { return w.hbase.Disable("counts") },
			func() error { return w.hbase.Restore(w.empty) },
			func() error { return w.hbase.Enable("counts") },
		} {
			if err := do(); err != nil {
				return 0, 0, err
			}
		}
		return part, at, nil
	}, nil},
}

// noLetters takes the place of endings by records that can't be written, where those become letters.
var noLetters = ending{"table of letters missing", connector.ExitTable, func(ctx context.Context, w *world) (int, int64, error) {
	part, at, err := w.more(ctx, w.hasRecords)
	if err != nil || part < 0 {
		return part, at, err
	}
	return part, at, w.hbase.Drop(letterTable)
}, nil}

// more writes a few records, and gives a partition that is fit and has got some, and the first offset of them.
func (w *world) more(ctx context.Context, fit func(part int, before int64) bool) (part int, at int64, err error) {
	var before []int64
	for p := range w.partitions {
		before = append(before, w.log.end(p))
	}
	if err := w.producer.some(ctx, 8); err != nil {
		return 0, 0, err
	}
	part = -1
	for p, b := range before {
		if w.log.end(p) > b && fit(p, b) {
			part, at = p, b
		}
	}
	return part, at, nil
}

func (w *world) hasRecords(part int, _ int64) bool { return len(w.log.of(part)) > 1 }

// hasWitness says whether a partition wrote to the tables since an operator last set its offset, which leaves the
// checkpoint without a witness until then.
func (w *world) hasWitness(part int, before int64) bool {
	return slices.ContainsFunc(w.log.of(part), func(e event) bool {
		return e.fate == committed && !e.delete && !e.unmapped() && e.offset >= w.setTo[part] && e.offset < before
	})
}

// one writes one record of a row of its own.
func (w *world) one(ctx context.Context, value []byte) (int, int64, error) {
	rec := &kgo.Record{Topic: topic, Partition: 0, Key: []byte(poisonKey), Value: value}
	err := w.producer.plain.ProduceSync(ctx, rec).FirstErr()
	return 0, rec.Offset, err
}

// epilogue plays one of the endings after a history that went well, in a quarter of them.
func (w *world) epilogue(ctx context.Context) {
	if w.rand.IntN(4) > 0 {
		return
	}
	e := endings[w.rand.IntN(len(endings))]
	w.producer.bad = nil
	if w.lettered && e.code == connector.ExitRecord {
		e = noLetters // such a record would stop nothing
	}
	w.end(ctx, e)
}

func (w *world) end(ctx context.Context, e ending) {
	part, at, err := e.spoil(ctx, w)
	if err != nil {
		w.fail(ran, "ending %q: %v", e.name, err)
		return
	}
	if part < 0 {
		return
	}
	w.bite("ending: "+e.name, part, at)
	opts := w.options
	opts.Core.Once, opts.FailFast = true, true
	unhurried(&opts)
	if e.tune != nil {
		e.tune(&opts)
	}
	p := w.start(ctx, opts)
	if !lag.wait(p.done, lag.clock()+w.patience) {
		w.fail(I9, "%s: the connector goes on", e.name)
		return
	}
	if code := connector.ExitCode(p.err); code != e.code {
		w.fail(I9, "%s: the connector ended with code %d (%v), want %d", e.name, code, p.err, e.code)
	}
	pos, err := core.DecodePosition(w.content("rowmark")[w.source(part)]["c:position"].Value)
	if err != nil || pos.Offset > at {
		w.fail(I9, "%s: the checkpoint of partition %d is at %d (%v), past %d", e.name, part, pos.Offset, err, at)
	}
	for _, table := range []string{"rows", "counts"} {
		if e.code == connector.ExitTable && table == "counts" {
			continue
		}
		for name, c := range w.content(table)[poisonKey] {
			if !bytes.Equal(c.Family, []byte("_k")) && len(c.Value) > 0 {
				w.fail(I9, "%s: the row of the bad record holds a cell %s in %s", e.name, name, table)
			}
		}
	}
}

// snapshotEmpty keeps what the counts table was before the first record.
func (w *world) snapshotEmpty() (err error) {
	w.empty, err = w.hbase.Snapshot("counts")
	return err
}
