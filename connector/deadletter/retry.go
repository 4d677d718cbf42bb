package deadletter

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"rowmark/connector/decode"
	"rowmark/connector/mapping"
)

// Retry writes the records of letters by the current mappings, each exactly once.
//
// The letters are numbered, and taken up by those numbers, a few at a time: the job in the table names them before the
// first of their rows is written. Each row bears a mark of the retry's own source with its letter's number, under the
// condition that no mark of that number stands. After a crash the next retry finishes the job first, by the mappings it
// was begun with, under the same numbers. So a row of a letter is written once, whoever does it, and however often.
//
// A retry is not in the order of the log: cells keep the record's own time, and what the row got of a later time since
// stays on top. Increments and appends just add.
type Retry struct {
	Table       *Table
	Mappings    *mapping.Set
	Schemas     decode.Schemas // for the mappings of a retry that was cut off; nil: there is no registry
	MarkFamily  string
	AtLeastOnce bool // rows are written without marks
	Delete      bool // letters are deleted once they are resolved, and not kept
	// Told is called for each letter when it is done: err nil, it is resolved.
	Told func(key Key, err error)

	job  job
	cell []byte
}

// jobLetters is how many letters are taken up at once.
const jobLetters = 100

// ErrNoLetter says that there is no such letter, or that it is resolved.
var ErrNoLetter = errors.New("there is no such dead letter, or it is resolved")

// Run finishes what an earlier retry left, and then retries the letters named. The error is of what keeps it from going
// on; what is wrong with a letter is only told.
func (r *Retry) Run(ctx context.Context, keys []Key) error {
	var left []byte
	var err error
	if r.job, r.cell, left, err = r.Table.readJob(ctx); err != nil {
		return err
	}
	r.job.Owner = randomID()
	if err := r.swap(ctx, nil); err != nil {
		return err
	}
	if len(r.job.Letters) > 0 {
		set, err := mapping.CompileCanonical(left, r.Schemas)
		if err != nil {
			return fmt.Errorf("finishing a retry that was cut off: %w", err)
		}
		if err := r.work(ctx, set); err != nil {
			return err
		}
	}
	for len(keys) > 0 {
		n := min(len(keys), jobLetters)
		r.job.Delete = r.Delete
		for _, k := range keys[:n] {
			r.job.Letters = append(r.job.Letters, k.Row())
		}
		keys = keys[n:]
		if err := r.swap(ctx, r.Mappings.Canonical()); err != nil {
			return err
		}
		if err := r.work(ctx, r.Mappings); err != nil {
			return err
		}
	}
	return nil
}

func (r *Retry) swap(ctx context.Context, mappings []byte) error {
	cell, err := r.Table.swapJob(ctx, r.cell, r.job, mappings)
	if err == nil {
		r.cell = cell
	}
	return err
}

// work writes the letters of the job, in order, and closes it.
func (r *Retry) work(ctx context.Context, set *mapping.Set) error {
	for i, row := range r.job.Letters {
		key, ok := ParseRow(row)
		if !ok {
			return fmt.Errorf("the retry written down in %s names row %x, which is no dead letter", r.Table.Name, row)
		}
		if err := r.letter(ctx, set, key, r.job.Next+int64(i)); err != nil {
			return fmt.Errorf("retrying dead letter %s: %w", key, err)
		}
	}
	r.job.Next += int64(len(r.job.Letters))
	r.job.Letters = nil
	return r.swap(ctx, nil)
}

// letter writes the rows of one letter. The error is not of the letter.
func (r *Retry) letter(ctx context.Context, set *mapping.Set, key Key, number int64) error {
	l, err := r.Table.Read(ctx, key)
	if err != nil {
		return err
	}
	if l == nil || l.Resolved != "" && !l.closed(number) {
		r.Told(key, ErrNoLetter)
		return nil
	}
	if l.closed(number) {
		r.Told(key, l.outcome()) // by the retry that began the job
		return nil
	}
	rows, bad, err := r.rows(ctx, set, l)
	if err != nil {
		return err
	}
	var refused []error
	for _, row := range rows {
		why, err := r.write(ctx, row, key, number)
		if errors.Is(err, errPassed) {
			return r.passed(ctx, key, number)
		}
		if err != nil {
			return err
		}
		if why != nil {
			refused = append(refused, why)
			continue
		}
		l.Done = append(l.Done, RowFate{Table: row.table, Row: row.ops[0].Row})
	}
	if bad == nil {
		bad = errors.Join(refused...)
	}
	if err := r.close(ctx, l, bad, number); err != nil {
		return err
	}
	r.Told(key, bad)
	return nil
}

// passed tells what became of a letter that another retry, which finishes or began this job, was faster with.
func (r *Retry) passed(ctx context.Context, key Key, number int64) error {
	l, err := r.Table.Read(ctx, key)
	switch {
	case err != nil:
		return err
	case l == nil:
		r.Told(key, nil)
	case !l.closed(number):
		return ErrTakenOver
	default:
		r.Told(key, l.outcome())
	}
	return nil
}

// closed says whether the letter was done under this number.
func (l *Letter) closed(number int64) bool { return l.number == strconv.FormatInt(number, 10) }

func (l *Letter) outcome() error {
	if l.Resolved != "" {
		return nil
	}
	return errors.New(l.Retried)
}
