package main

import (
	"fmt"
	"io"
	"strings"

	"rowmark/connector"
)

// validationJSON is the output of validate -o json.
type validationJSON struct {
	File     string        `json:"file"`
	OK       bool          `json:"ok"`
	Faults   []faultJSON   `json:"faults"`
	Mappings []mappingJSON `json:"mappings,omitempty"`
	Topics   []topicJSON   `json:"topics,omitempty"` // with --connect, as tables
	Tables   []tableJSON   `json:"tables,omitempty"`
}

type faultJSON struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Origin string `json:"origin,omitempty"`
	Key    string `json:"key,omitempty"`
	Value  string `json:"value,omitempty"`
	Text   string `json:"text"`
	Code   int    `json:"exit_code"`
}

type mappingJSON struct {
	Topics []string `json:"topics"`
	Table  string   `json:"table"`
}

type topicJSON struct {
	Name       string   `json:"name"`
	Partitions int      `json:"partitions"`
	Patterns   []string `json:"patterns,omitempty"`
}

type tableJSON struct {
	Name    string `json:"name"`
	Regions int    `json:"regions"`
	Commit  string `json:"commit"`
	Because string `json:"because,omitempty"`
}

func (v *validation) print(w io.Writer, format string) error {
	if format == "json" {
		return printJSON(w, v.json())
	}
	for _, f := range v.faults {
		if _, err := fmt.Fprintln(w, f.Error()); err != nil {
			return err
		}
	}
	if len(v.faults) == 0 {
		if _, err := fmt.Fprintf(w, "%s is right: sink %s, %s\n", v.file, v.config.Sink, v.config.Delivery); err != nil {
			return err
		}
	}
	for _, line := range v.lines() {
		if _, err := fmt.Fprintln(w, "  "+line); err != nil {
			return err
		}
	}
	return nil
}

// lines say what goes where, and with --connect what was found.
func (v *validation) lines() []string {
	if v.config == nil {
		return nil
	}
	var out []string
	for i := range v.config.Tables {
		t := &v.config.Tables[i]
		out = append(out, strings.Join(t.Topics, ", ")+" -> "+t.Table)
	}
	if v.live == nil {
		return out
	}
	for _, t := range v.live.Topics {
		line := fmt.Sprintf("topic %s: %s", t.Name, count(t.Partitions, "partition"))
		if t.Patterns != nil {
			line += ", matches " + strings.Join(t.Patterns, " ")
		}
		out = append(out, line)
	}
	for _, t := range v.live.Tables {
		out = append(out, tableLine(&t))
	}
	return out
}

func tableLine(t *connector.TableFound) string {
	how := "written " + connector.CommitPhrase(t.Commit)
	if t.Commit == "" {
		how = "not known yet how it is written"
	}
	line := fmt.Sprintf("table %s: %s, %s", t.Name, count(t.Regions, "region"), how)
	if t.Because != "" {
		line += " (" + t.Because + ")"
	}
	return line
}

func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func (v *validation) json() validationJSON {
	out := validationJSON{File: v.file, OK: len(v.faults) == 0, Faults: []faultJSON{}}
	for _, f := range v.faults {
		out.Faults = append(out.Faults, faultJSON{f.File, f.Line, f.Origin, f.Key, f.Value, f.Text, f.Code})
	}
	if v.config != nil {
		for i := range v.config.Tables {
			t := &v.config.Tables[i]
			out.Mappings = append(out.Mappings, mappingJSON{t.Topics, t.Table})
		}
	}
	out.found(v.live)
	return out
}

func (o *validationJSON) found(live *connector.Survey) {
	if live == nil {
		return
	}
	for _, t := range live.Topics {
		o.Topics = append(o.Topics, topicJSON(t))
	}
	for _, t := range live.Tables {
		o.Tables = append(o.Tables, tableJSON(t))
	}
}
