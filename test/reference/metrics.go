package main

import (
	"bytes"
	"fmt"
	"strings"

	"rowmark/connector/metrics"
)

const metricsOpening = `<!-- Written by ` + command + ` from connector/metrics. Change that, and run it again. -->
# Metrics

` + "`rowmark run`" + ` serves them to Prometheus at ` + "`/metrics`" + ` of its admin address (` + "`admin.listen`" + `, 127.0.0.1:9440 unless set). All but the
durations are figures of a snapshot that is made about once a second. Counters begin with the process. Labels are topics,
partitions and tables of the configuration and a few words, never anything of a record.

Of each partition that another connector of the same sink has, or may have by now (state waiting, fenced or released), this
one gives no lag, offsets, age or epoch, so that sums over all connectors are right.

Beside these stand the metrics of Go's runtime (` + "`go_…`" + `) and of the process (` + "`process_…`" + `: CPU, memory, start). How to be
alarmed by them, and to see them drawn: [observe.md](observe.md).

| metric | type | labels | unit | is |
|---|---|---|---|---|
`

func metricsPage() []byte {
	var b bytes.Buffer
	b.WriteString(metricsOpening)
	for _, d := range metrics.Descriptions() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", d.Name, d.Type, strings.Join(d.Labels, ", "), d.Unit(), cell(d.Help))
	}
	return b.Bytes()
}
