package connector

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/status"
	"rowmark/kafka"
)

// observer keeps what snapshots are made of beside the core. But for shown and the sides it belongs to the core's goroutine.
type observer struct {
	shown        atomic.Pointer[status.Snapshot]
	kafka, hbase side
	news         bool // something was reported since the last snapshot
	recent       recent
	rowMode      map[string]error // why a table goes on row by row
	paces        map[kafka.TopicPartition]*pace
}

func (o *observer) side(service string) *side {
	if service == "kafka" {
		return &o.kafka
	}
	return &o.hbase
}

// note keeps what is reported of a partition.
func (o *observer) note(r core.Report) {
	o.news = true
	if r.Kind == core.ReportRowMode {
		o.rowByRow(r.Table, r.Err)
	}
	if kind, ok := recentKinds[r.Kind]; ok {
		o.recent.add(kind, r)
	}
}

// rowByRow keeps why a table is not committed by regions.
func (o *observer) rowByRow(table string, why error) {
	if o.rowMode == nil {
		o.rowMode = map[string]error{}
	}
	o.rowMode[table] = why
}

// side remembers since when a service does not answer.
type side struct{ failed atomic.Pointer[status.Side] }

// answered takes the outcome of a call.
func (s *side) answered(err error) {
	was := s.failed.Load()
	switch {
	case err == nil && was != nil:
		s.failed.Store(nil)
	case err != nil && !errors.Is(err, context.Canceled):
		since := time.Now()
		if was != nil {
			since = was.Since
		}
		s.failed.Store(&status.Side{Error: err.Error(), Since: since})
	}
}

func (s *side) told() status.Side {
	if failed := s.failed.Load(); failed != nil {
		return *failed
	}
	return status.Side{}
}

// paceSpan is what the rate of a partition is taken over.
const paceSpan = 10 * time.Second

// pace remembers how many records a partition had resolved, and when.
type pace struct {
	at      []time.Time
	records []int64
}

// rate is the records a second that a partition resolved lately.
func (o *observer) rate(st *core.Status, now time.Time) float64 {
	p := o.paces[st.TopicPartition]
	if p == nil {
		if o.paces == nil {
			o.paces = map[kafka.TopicPartition]*pace{}
		}
		p = &pace{}
		o.paces[st.TopicPartition] = p
	}
	return p.take(now, st.Records)
}

func (p *pace) take(now time.Time, records int64) float64 {
	if n := len(p.at); n == 0 || now.Sub(p.at[n-1]) >= showEvery/2 {
		p.at, p.records = append(p.at, now), append(p.records, records)
	}
	for len(p.at) > 2 && now.Sub(p.at[1]) >= paceSpan {
		p.at, p.records = p.at[1:], p.records[1:]
	}
	span := now.Sub(p.at[0])
	if span <= 0 {
		return 0
	}
	return float64(records-p.records[0]) / span.Seconds()
}
