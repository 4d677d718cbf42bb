package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Options say how the demo runs.
type Options struct {
	// Real takes a real Kafka and a real HBase, which need a JDK of version 17 or later and Maven, instead of the
	// embedded ones.
	Real bool
	// Records is the number of committed records, MinRecords at least, and at most 500,000, or 2,000,000 with Real.
	// DefaultRecords is a good number.
	Records int
	// Keep leaves Kafka and HBase up after the verdict and says where they are: real ones until their processes are
	// killed, embedded ones until ctx is cancelled.
	Keep bool
	// Binary is the rowmark program to start; unset, the one that runs now.
	Binary string
	// Command is how the user runs rowmark, for the commands that the demo proposes; "rowmark" unless set.
	Command string
	// Out is for people to read; os.Stdout unless set. The demo ends when it can't be written.
	Out io.Writer
	// Terminal says that Out is one, so that a line of progress may be written over.
	Terminal bool

	// For tests: what happens before the verdict, where the demo's folder is made, and another tempo.
	tamper func(*session) error
	parent string
	tempo  *mode
}

const (
	// MinRecords leaves enough of a stream for two kills on the way.
	MinRecords = 1000

	partitions = 4
	sink       = "demo"
	topic      = "orders"
	// kills is how often the connector is killed, at equal parts of the way.
	kills = 2
)

var (
	// ErrVerdict says that rows and log differ.
	ErrVerdict = errors.New("the rows are not what the log says")
	// ErrRecords says that the demo can't be run with so many records.
	ErrRecords = errors.New("out of range")
)

// DefaultRecords takes seconds with embedded services, and about a minute with real ones.
func (o *Options) DefaultRecords() int { return o.mode().records }

func (o *Options) complete() (err error) {
	m := o.mode()
	if o.Records < MinRecords || o.Records > m.most {
		return fmt.Errorf("running the demo with %d records: %w: give between %d, so that there are some on the way at each kill, and %d, which fit into memory",
			o.Records, ErrRecords, MinRecords, m.most)
	}
	if o.Command == "" {
		o.Command = "rowmark"
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.Binary == "" {
		if o.Binary, err = os.Executable(); err != nil {
			return fmt.Errorf("finding the rowmark program: %w", err)
		}
	}
	return nil
}

// Run runs the demo, and ends what it started also when it fails or ctx is cancelled. It fails with ErrVerdict if
// anything is lost, doubled or wrong, with ErrRecords if there are too few or too many, and with cluster.ErrMissing if
// Java or Maven has to be installed first.
func Run(ctx context.Context, o Options) (err error) {
	if err := o.complete(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &session{opts: o, mode: o.mode(), out: newPrinter(o.Out, o.Terminal, cancel)}
	defer func() {
		s.out.end()
		keep := o.Keep && ctx.Err() == nil && s.up
		if keep && !s.mode.detaches {
			s.stay(ctx, err)
			keep = false
		}
		if e := s.close(keep); e != nil {
			err = errors.Join(err, e)
		} else if keep {
			s.explainKept()
		}
	}()
	if err = s.run(ctx); ctx.Err() != nil {
		// What else failed then, failed for it.
		return fmt.Errorf("stopping the demo before its end: %w", context.Cause(ctx))
	}
	return err
}

func (s *session) run(ctx context.Context) error {
	s.out.say("rowmark demo: %s orders of %s Kafka become rows of %s HBase; the connector is killed %d times on the way.",
		count(s.opts.Records), s.mode.article, s.mode.article, kills)
	s.out.say("")
	if err := s.start(ctx); err != nil {
		return err
	}
	if err := s.writeConfig(); err != nil {
		return err
	}
	s.out.step("rowmark init makes the tables:")
	text, err := s.command(ctx, time.Minute, "init")
	if err != nil {
		return err
	}
	s.out.quote(text)
	if err := s.createTopic(ctx); err != nil {
		return err
	}
	sum, err := s.stream(ctx)
	if err != nil {
		return err
	}
	if s.opts.tamper != nil {
		if err := s.opts.tamper(s); err != nil {
			return err
		}
	}
	if err := s.judge(ctx, sum); err != nil {
		return err
	}
	if !s.opts.Keep {
		s.explainNext()
	}
	return nil
}
