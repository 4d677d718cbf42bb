package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"rowmark/connector"
	"rowmark/connector/config"
	"rowmark/connector/decode"
	"rowmark/connector/preview"

	"github.com/spf13/cobra"
)

// previewOptions are the flags.
type previewOptions struct {
	topic     string
	partition int32 // negative: all
	named     string
	from      string
	place     target
	count     int
	file      string
	stdin     bool
	connect   bool
	format    string
}

func newPreview(a *app) *cobra.Command {
	o := &previewOptions{}
	cmd := &cobra.Command{
		Use:   "preview",
		Short: "Show what records become, and write nothing",
		Long: "preview maps records and shows their rows: keys, cells, the marks they would carry and the regions they would go\n" +
			"to, or the error that on_error would see. The records are those of a live topic, or samples: a JSON object a line\n" +
			"with key, value, headers, timestamp, topic, partition and offset. A key, value or header is text, or\n" +
			"{\"base64\": \"…\"}, or JSON as it is; one that is null or left out is absent. With -o json each record is shown by\n" +
			"an object on a line of its own.",
		Example: "  rowmark preview --topic orders --from last --count 3\n" +
			"  echo '{\"key\": \"o1\", \"value\": {\"status\": \"paid\"}}' | rowmark preview --stdin",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return configError(err)
			}
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			return a.preview(ctx, cmd, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.topic, "topic", "", "read this live topic; with samples, the topic of those that name none")
	f.StringVar(&o.named, "partition", "", "only this topic/partition, or this partition of --topic")
	f.StringVar(&o.from, "from", "first", "first, last, an offset (1234 or offset:1234), a time (RFC 3339), a day or how long ago (-2h)")
	f.IntVar(&o.count, "count", 10, "how many records of the topic")
	f.StringVar(&o.file, "file", "", "read samples from this file")
	f.BoolVar(&o.stdin, "stdin", false, "read samples from standard input")
	f.BoolVar(&o.connect, "connect", false, "ask HBase for the regions; it is asked anyway for a live topic, unless --connect=false")
	addOutput(cmd, &o.format)
	return cmd
}

func (o *previewOptions) samples() bool { return o.file != "" || o.stdin }

func (o *previewOptions) check(cmd *cobra.Command) error {
	set := cmd.Flags().Changed
	var err, wrong error
	o.topic, o.partition, err = onePartition(cmd, o.topic, o.named)
	o.place, wrong = parsePlace("--from", o.from, time.Now())
	switch {
	case o.file != "" && o.stdin:
		return errors.New("--file and --stdin: give one of them")
	case o.samples() && (set("partition") || set("from") || set("count")):
		return errors.New("--partition, --from and --count are for a live topic; samples are shown all")
	case err != nil:
		return err
	case wrong != nil:
		return wrong
	case !o.samples() && o.topic == "":
		return errors.New("nothing to preview: give --topic for a live one, or --file or --stdin for samples")
	case o.count < 1:
		return fmt.Errorf("--count %d: at least 1", o.count)
	}
	if !o.samples() && !set("connect") {
		o.connect = true
	}
	return checkFormat(o.format)
}

// preview shows record after record, and counts what a run would stop at.
func (a *app) preview(ctx context.Context, cmd *cobra.Command, o *previewOptions) error {
	c, err := a.config()
	if err != nil {
		return err
	}
	if err := connector.OpenRegistry(c); err != nil {
		return configError(err)
	}
	p := &previewer{ctx: ctx, out: cmd.OutOrStdout(), errors: cmd.ErrOrStderr(), format: o.format}
	p.view = preview.View{Mappings: c.Mappings, Sink: c.Sink, MarkFamily: c.HBase.MarkFamily}
	if c.AtLeastOnce() {
		p.view.MarkFamily = ""
	}
	if o.connect {
		h, err := a.openHBase(ctx, c)
		if err != nil {
			return err
		}
		defer h.Close()
		lookup := connector.NewLookup(ctx, c, h)
		p.view.Region, p.view.Incarnation = lookup.Region, lookup.Incarnation
	}
	if o.samples() {
		err = p.samples(cmd.InOrStdin(), c, o)
	} else {
		err = a.live(ctx, c, o, p)
	}
	if err != nil {
		return err
	}
	return p.verdict()
}

// previewer prints what it is given.
type previewer struct {
	ctx    context.Context
	view   preview.View
	out    io.Writer
	errors io.Writer
	format string

	shown, stops int
	brokenLines  int // that are no samples, each told when it was met
}

func (p *previewer) show(rec decode.Record) error {
	if err := p.view.Prepare(p.ctx, rec); err != nil {
		return fmt.Errorf("%w: %w", connector.ErrUnreached, err)
	}
	r := p.view.Of(rec)
	p.shown++
	if r.Stops {
		p.stops++
	}
	if p.format == "json" {
		enc := json.NewEncoder(p.out)
		enc.SetEscapeHTML(false)
		return enc.Encode(r)
	}
	return r.Write(p.out)
}

func (p *previewer) samples(stdin io.Reader, c *config.Config, o *previewOptions) error {
	s := &preview.Samples{Name: "standard input", Topic: o.topic, Now: time.Now().UnixMilli()}
	if names, patterns := c.Mappings.Topics(); s.Topic == "" && len(names) == 1 && len(patterns) == 0 {
		s.Topic = names[0]
	}
	if o.file != "" {
		file, err := os.Open(o.file)
		if err != nil {
			return configError(fmt.Errorf("opening the samples: %w", err))
		}
		defer func() { _ = file.Close() }()
		s.Name, stdin = o.file, file
	}
	err := s.Each(stdin, func(rec decode.Record, err error) error {
		if err == nil {
			return p.show(rec)
		}
		p.brokenLines++
		_, err = fmt.Fprintln(p.errors, "rowmark:", err)
		return err
	})
	if err != nil && !errors.Is(err, connector.ErrUnreached) {
		return configError(err)
	}
	return err
}

// verdict is the error of what was shown: a line that is no sample, or a record that a run would stop at.
func (p *previewer) verdict() error {
	if p.brokenLines > 0 {
		return configError(fmt.Errorf("reading samples: %s wrong", count(p.brokenLines, "line")))
	}
	if p.stops > 0 {
		return &codedError{connector.ExitRecord, fmt.Errorf("%d of %d records can't be mapped, and would stop their partitions (on_error: fail)", p.stops, p.shown)}
	}
	return nil
}
