package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"rowmark/connector"
	"rowmark/connector/audit"
	"rowmark/connector/mapping"
	"rowmark/kafka"

	"github.com/spf13/cobra"
)

func newInspect(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "inspect",
		Short: "Show a row with its marks, or what became of a record",
		Long:  "inspect looks at one row of HBase, or at one record of Kafka, and shows how they belong together. It writes nothing.",
	}
	cmd.AddCommand(newInspectRow(a), newInspectRecord(a))
	return cmd
}

// withInspector runs f with both services and an inspector at hand.
func (a *app) withInspector(cmd *cobra.Command, values bool, f func(context.Context, *sides, *audit.Inspector) error) error {
	return a.withSides(cmd, func(ctx context.Context, s *sides) error {
		c := s.config
		if err := connector.OpenRegistry(c); err != nil {
			return configError(err)
		}
		i := &audit.Inspector{
			Kafka: s.kafka, HBase: s.hbase, Checkpoint: s.store.Read, Mappings: c.Mappings, Sink: c.Sink, MarkFamily: c.HBase.MarkFamily,
			Committed: c.Kafka.Isolation == "read_committed", Values: values, Timeout: c.HBase.CallTimeout,
		}
		defer i.Close()
		return f(ctx, s, i)
	})
}

// rowOptions are the flags of inspect row.
type rowOptions struct {
	table   string
	hex     bool
	escaped bool
	parts   map[string]string
	values  bool
	format  string
}

func newInspectRow(a *app) *cobra.Command {
	o := &rowOptions{}
	cmd := &cobra.Command{
		Use:   "row [KEY]",
		Short: "Show a row's cells and marks, and which records wrote them",
		Long: "row shows what HBase holds of one row: its cells, read by the encodings of the mapping, its marks, how its key is\n" +
			"made, and the records that wrote it, as far as Kafka still has them. Of records it shows no content, unless it is\n" +
			"asked to. KEY is the row key as HBase has it. Where the mapping salts or hashes keys, or makes them of several fields,\n" +
			"name the fields by --parts.",
		Example: "  rowmark inspect row --parts key=o1\n  rowmark inspect row --hex 056f31\n  rowmark inspect row --escaped '\\x05o1'\n  rowmark inspect row c1",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(args); err != nil {
				return configError(err)
			}
			return a.withInspector(cmd, o.values, func(ctx context.Context, s *sides, i *audit.Inspector) error {
				table, key, err := o.row(args, s.config.Mappings)
				if err != nil {
					return configError(err)
				}
				v, err := i.Row(ctx, table, key)
				switch {
				case err != nil:
					return err
				case v == nil:
					return fmt.Errorf("table %s has no row %x%s", table, key, o.partsHint(table, key, s.config.Mappings))
				case o.format == "json":
					return printJSON(cmd.OutOrStdout(), v)
				}
				return printRow(cmd.OutOrStdout(), v)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.table, "table", "", "the row's table; not needed where the mappings write to one only")
	f.BoolVar(&o.hex, "hex", false, "KEY is in hex digits")
	f.BoolVar(&o.escaped, "escaped", false, `KEY is as the HBase shell has it, with \xNN`)
	f.StringToStringVar(&o.parts, "parts", nil, "in place of KEY, the fields that the row key is made of: value.customer=c1,value.day=7")
	f.BoolVar(&o.values, "show-values", false, "show keys and values of the records")
	addOutput(cmd, &o.format)
	return cmd
}

func (o *rowOptions) check(args []string) error {
	switch {
	case len(args) == 0 && o.parts == nil:
		return errors.New("which row? Give KEY, or --parts")
	case len(args) > 0 && o.parts != nil:
		return errors.New("KEY and --parts: give one of them")
	case o.hex && o.escaped, o.parts != nil && (o.hex || o.escaped):
		return errors.New("--hex, --escaped and --parts: give one of them")
	}
	return checkFormat(o.format)
}

// row gives the table and the key that are meant.
func (o *rowOptions) row(args []string, set *mapping.Set) (table string, key []byte, err error) {
	if table, err = o.tableOf(set); err != nil {
		return "", nil, err
	}
	switch {
	case o.parts != nil:
		key, err = set.KeyOf(table, o.parts)
	case o.hex:
		key, err = audit.ParseKey(args[0], audit.KeyHex)
	case o.escaped:
		key, err = audit.ParseKey(args[0], audit.KeyEscaped)
	default:
		key, err = audit.ParseKey(args[0], audit.KeyText)
	}
	return table, key, err
}

// partsHint tells of --parts where KEY was given as text and keys of the table are made in another way than of that text
// alone; else it is empty.
func (o *rowOptions) partsHint(table string, key []byte, set *mapping.Set) string {
	if o.parts != nil || o.hex || o.escaped {
		return ""
	}
	var hints []string
	for _, fields := range set.KeyFields(table) {
		var parts []string
		for _, name := range fields {
			parts = append(parts, name+"=…")
		}
		if len(fields) == 1 {
			made, err := set.KeyOf(table, map[string]string{fields[0]: string(key)})
			if err == nil && bytes.Equal(made, key) {
				return ""
			}
			if plainWord.Match(key) {
				parts[0] = fields[0] + "=" + string(key)
			}
		}
		if len(parts) > 0 {
			hints = append(hints, "--parts "+strings.Join(parts, ","))
		}
	}
	if hints == nil {
		return ""
	}
	return "; row keys of this table are not that text alone: name the fields that they are made of, by " + strings.Join(hints, " or ")
}

// plainWord is what neither a shell nor --parts reads as anything but itself.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_.:/+-]+$`)

func (o *rowOptions) tableOf(set *mapping.Set) (string, error) {
	if o.table != "" {
		name, err := mapping.TableName(o.table)
		if err != nil {
			return "", fmt.Errorf("--table %q: %w", o.table, err)
		}
		return name, nil
	}
	var names []string
	for _, t := range set.DataTables() {
		names = append(names, t.Name)
	}
	if len(names) != 1 {
		return "", fmt.Errorf("which table? Give --table, such as %s", strings.Join(names, ", "))
	}
	return names[0], nil
}

func newInspectRecord(a *app) *cobra.Command {
	var format string
	var values bool
	cmd := &cobra.Command{
		Use:   "record TOPIC/PARTITION/OFFSET",
		Short: "Show which rows a record maps to, and whether they hold it",
		Long:  "record maps one record by the current mapping, and looks whether each of its rows holds it, by the row's mark.",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			tp, offset, err := parseRecord(args[0])
			if err != nil {
				return configError(err)
			}
			if err := checkFormat(format); err != nil {
				return err
			}
			return a.withInspector(cmd, values, func(ctx context.Context, _ *sides, i *audit.Inspector) error {
				fate, err := i.Fate(ctx, tp, offset)
				if err != nil {
					return err
				}
				if format == "json" {
					return printJSON(cmd.OutOrStdout(), fate)
				}
				return printFate(cmd.OutOrStdout(), fate)
			})
		},
	}
	cmd.Flags().BoolVar(&values, "show-values", false, "show the record's key and value")
	addOutput(cmd, &format)
	return cmd
}

func parseRecord(text string) (kafka.TopicPartition, int64, error) {
	if i := strings.LastIndexByte(text, '/'); i > 0 {
		tp, err := parsePartition(text[:i])
		offset, wrong := strconv.ParseInt(text[i+1:], 10, 64)
		if err == nil && wrong == nil && offset >= 0 {
			return tp, offset, nil
		}
	}
	return kafka.TopicPartition{}, 0, fmt.Errorf("record %q: write topic/partition/offset, as in orders/0/1234", text)
}
