package connector

import (
	"slices"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/status"
	"rowmark/kafka"
)

// recentKinds are the reports that are kept, by their names.
var recentKinds = map[core.ReportKind]string{
	core.ReportWaiting: "waiting", core.ReportSkipped: "skipped", core.ReportLetter: "dead-letter", core.ReportRowMode: "row-mode",
	core.ReportRetry: "retry", core.ReportSegment: "new-incarnation", core.ReportFenced: "fenced", core.ReportFailed: "failed",
}

// recent is the last things that went other than well, the newest at the end. Those of one kind, partition and table stand
// together. Many may come in a second: their text is made only when they are shown.
type recent struct{ events []happened }

type happened struct {
	kind   string
	source kafka.TopicPartition
	offset int64
	table  string
	err    error
	at     time.Time
	count  int64
}

func (r *recent) add(kind string, rep core.Report) {
	h := happened{kind: kind, source: rep.TopicPartition, offset: rep.Offset, table: rep.Table, err: rep.Err, at: time.Now(), count: 1}
	for i := len(r.events) - 1; i >= 0; i-- {
		if old := &r.events[i]; old.kind == h.kind && old.source == h.source && old.table == h.table {
			h.count += old.count
			r.events = slices.Delete(r.events, i, i+1)
			break
		}
	}
	if len(r.events) == status.RecentMax {
		r.events = slices.Delete(r.events, 0, 1)
	}
	r.events = append(r.events, h)
}

func (r *recent) list() []status.Event {
	out := make([]status.Event, 0, len(r.events))
	for _, h := range slices.Backward(r.events) {
		ev := status.Event{At: h.at, Kind: h.kind, Topic: h.source.Topic, Partition: h.source.Partition, Offset: h.offset, Table: h.table, Count: h.count}
		if h.err != nil {
			ev.Text = h.err.Error()
		}
		out = append(out, ev)
	}
	return out
}
