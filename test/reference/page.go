package main

import (
	"bytes"
	"fmt"
	"strings"
)

const opening = `<!-- Written by ` + command + ` from the config struct and its comments. Change those, and run it again. -->
# Every setting

One YAML file holds them all, ` + "`rowmark.yaml`" + ` unless ` + "`-c`" + ` names another. Unknown keys, doubled keys and values of the
wrong kind are refused, with file and line; ` + "`rowmark validate`" + ` tells all at once. [config.example.yaml](config.example.yaml)
shows them in use. ` + "`rowmark schema`" + ` prints [config.schema.json](config.schema.json), by which editors complete and check the
file: put ` + "`# yaml-language-server: $schema=config.schema.json`" + ` into its first line.

A setting above the tables can also come from the environment or a flag, which win over the file: ` + "`kafka.brokers`" + ` is
` + "`ROWMARK_KAFKA_BROKERS=a:9092,b:9092`" + ` or ` + "`--set kafka.brokers=a:9092`" + `.

Time spans are written ` + "`500ms`, `10s`, `1h30m`; sizes `4MiB`, `512KiB`, `1000000`" + `. Text that YAML takes for true, false or
null stands in quotes.
`

// pageOf writes the settings as Markdown, a table for each section.
func pageOf(top *setting) []byte {
	var b bytes.Buffer
	b.WriteString(opening)
	writeSection(&b, top, "", "")
	return b.Bytes()
}

func writeSection(b *bytes.Buffer, s *setting, title, about string) {
	if title == "" {
		title = "The file"
	}
	fmt.Fprintf(b, "\n## %s\n", title)
	if about != "" {
		fmt.Fprintf(b, "%s\n", about)
	}
	b.WriteString("\n| key | is | default | meaning |\n|---|---|---|---|\n")
	for _, x := range s.within {
		byDefault := "–"
		switch {
		case x.needed:
			byDefault = "needed"
		case x.byDefault != "":
			byDefault = "`" + x.byDefault + "`"
		case x.kind == boolean:
			byDefault = "`false`"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", x.key, cell(x.is()), byDefault, cell(x.about))
	}
	for _, x := range s.within {
		part := x
		if x.item != nil {
			part = x.item
		}
		if part.kind == section {
			writeSection(b, part, part.path, x.about)
		}
	}
}

// is says of what kind a setting is, and which words it allows.
func (s *setting) is() string {
	if s.words != nil {
		of := ""
		if s.kind == list {
			of = "list of "
		}
		return of + "`" + strings.Join(s.words, "`, `") + "`"
	}
	switch s.kind {
	case section:
		return "[section](#" + anchor(s.path) + ")"
	case list:
		if s.item.kind == section {
			return "list of [sections](#" + anchor(s.item.path) + ")"
		}
		return "list of " + plurals[s.item.kind]
	case lookup:
		return "names, each with a " + s.item.is()
	}
	return nouns[s.kind]
}

var (
	nouns   = map[kind]string{text: "text", boolean: "true or false", integer: "whole number", span: "time span", size: "size"}
	plurals = map[kind]string{text: "text", boolean: "true or false", integer: "whole numbers", span: "time spans", size: "sizes"}
)

// anchor is the link to a section's title.
func anchor(path string) string {
	return strings.NewReplacer(".", "", "[", "", "]", "", "*", "").Replace(path)
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
