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
	// Records is the number of committed records; 200,000 unless set, at most MaxRecords.
	Records int
	// Keep leaves Kafka and HBase running, and says where they are and how to stop them.
	Keep bool
	// Binary is the rowmark program to start; unset, the one that runs now.
	Binary string
	// Out is for people to read; os.Stdout unless set.
	Out io.Writer
	// Terminal says that Out is one, so that a line of progress may be written over.
	Terminal bool

	// For tests: what happens before the verdict, and where the demo's folder is made.
	tamper func(*session) error
	parent string
}

const (
	defaultRecords = 200_000
	// MinRecords leaves enough of a stream for two kills on the way.
	MinRecords = 1000
	// MaxRecords is what the readers of the verdict hold in memory.
	MaxRecords = 2_000_000

	partitions = 4
	sink       = "demo"
	topic      = "orders"
	// kills is how often the connector is killed, at equal parts of the way.
	kills = 2
)

// ErrVerdict says that rows and log differ.
var ErrVerdict = errors.New("the rows are not what the log says")

// Run runs the demo, and ends what it started also when it fails or ctx is cancelled. It fails with ErrVerdict if
// anything is lost, doubled or wrong, and with cluster.ErrMissing if Java or Maven has to be installed first.
func Run(ctx context.Context, o Options) (err error) {
	if o.Records == 0 {
		o.Records = defaultRecords
	}
	if o.Records < MinRecords || o.Records > MaxRecords {
		return fmt.Errorf("running the demo with %d records: between %d and %d are possible", o.Records, MinRecords, MaxRecords)
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.Binary == "" {
		if o.Binary, err = os.Executable(); err != nil {
			return fmt.Errorf("finding the rowmark program: %w", err)
		}
	}
	s := &session{opts: o, out: &printer{out: o.Out, terminal: o.Terminal}}
	defer func() {
		keep := o.Keep && ctx.Err() == nil && s.serving()
		if e := s.close(keep); e != nil {
			err = errors.Join(err, e)
		} else if keep {
			s.explainKept()
		}
	}()
	if err = s.run(ctx); ctx.Err() != nil {
		// What else failed then, failed for it.
		return fmt.Errorf("stopping the demo before its end: %w", ctx.Err())
	}
	return err
}

func (s *session) run(ctx context.Context) error {
	s.out.say("rowmark demo: %s records of a real Kafka become rows of a real HBase, with %d kills on the way", count(s.opts.Records), kills)
	s.out.say("")
	if err := s.start(ctx); err != nil {
		return err
	}
	if err := s.writeConfig(); err != nil {
		return err
	}
	s.out.step("rowmark init")
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
	return s.judge(ctx, sum)
}
