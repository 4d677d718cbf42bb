package main

import (
	"context"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"rowmark/connector/config"
	"rowmark/connector/deadletter"

	"github.com/spf13/cobra"
)

func newDeadLettersShow(a *app) *cobra.Command {
	var format string
	var hex bool
	cmd := &cobra.Command{
		Use:   "show topic/partition/offset",
		Short: "Show one dead letter with its record",
		Long:  "show prints all of a dead letter: the reason, its rows, and the record's key, headers and value, as text where\nthey are text, and else in hex. In JSON bytes are base64.",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			return a.withLetters(cmd, func(ctx context.Context, c *config.Config, t *deadletter.Table) error {
				key, err := deadletter.ParseKey(c.Sink, args[0])
				if err != nil {
					return configError(err)
				}
				l, err := t.Read(ctx, key)
				if err != nil {
					return err
				}
				if l == nil {
					return fmt.Errorf("sink %s has no dead letter %s in %s", c.Sink, key, t.Name)
				}
				if format == "json" {
					return printJSON(cmd.OutOrStdout(), wholeLetter(l))
				}
				printLetter(cmd.OutOrStdout(), l, hex)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&hex, "hex", false, "key, headers and value in hex, also where they are text")
	addOutput(cmd, &format)
	return cmd
}

// letterWhole is a letter with its record. Bytes are base64.
type letterWhole struct {
	letterLine
	Rows    []deadletter.RowFate `json:"rows,omitempty"`
	Done    []deadletter.RowFate `json:"done_by_retry,omitempty"`
	Missing []letterMissing      `json:"not_kept,omitempty"`
	Key     []byte               `json:"key"` // null where the record has none
	Headers []letterHeader       `json:"headers"`
	Value   []byte               `json:"value"`
}

type letterMissing struct {
	Part   string `json:"part"`
	Size   int    `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

type letterHeader struct {
	Key   string `json:"key"`
	Value []byte `json:"value"`
}

func wholeLetter(l *deadletter.Letter) letterWhole {
	out := letterWhole{letterLine: lineOf(l), Rows: l.Rows, Done: l.Done, Key: l.Record.Key, Headers: []letterHeader{}, Value: l.Record.Value}
	for _, m := range l.Missing {
		out.Missing = append(out.Missing, letterMissing(m))
	}
	for _, h := range l.Record.Headers {
		out.Headers = append(out.Headers, letterHeader(h))
	}
	return out
}

func printLetter(w io.Writer, l *deadletter.Letter, hex bool) {
	line := lineOf(l)
	field := func(name string, value any) { _, _ = fmt.Fprintf(w, "%-11s%v\n", name, value) }
	field("letter", line.Letter)
	field("time", line.Time)
	field("stage", line.Stage)
	field("state", line.State)
	field("table", line.Table)
	field("reason", line.Reason)
	if line.Retried != "" {
		field("retried", line.Retried)
	}
	if line.Resolved != "" {
		field("resolved", line.Resolved)
	}
	field("mapping", line.Mapping)
	for _, r := range l.Rows {
		state := "done"
		if r.Why != "" {
			state = "refused: " + r.Why
		}
		field("row", fmt.Sprintf("%s %s %s", r.Table, readable(r.Row, false), state))
	}
	for _, r := range l.Done {
		field("row", fmt.Sprintf("%s %s done by a retry", r.Table, readable(r.Row, false)))
	}
	for _, m := range l.Missing {
		field(m.Part, fmt.Sprintf("not kept: %d bytes, SHA-256 %s", m.Size, m.SHA256))
	}
	for _, h := range l.Record.Headers {
		field("header", fmt.Sprintf("%s = %s", readable([]byte(h.Key), false), readable(h.Value, hex)))
	}
	field("key", readable(l.Record.Key, hex))
	field("value", readable(l.Record.Value, hex))
}

// readable shows bytes as text if they are text, and else in hex. A null says so.
func readable(b []byte, hex bool) string {
	if b == nil {
		return "(none)"
	}
	if hex || !utf8.Valid(b) {
		return fmt.Sprintf("0x%x", b)
	}
	for _, r := range string(b) {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' {
			return fmt.Sprintf("0x%x", b)
		}
	}
	return string(b)
}
