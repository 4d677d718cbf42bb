package connector

import (
	"net/http"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/status"
	"rowmark/hbase"
)

// showEvery is the time between two snapshots; after news there may be showSoon.
const (
	showEvery = time.Second
	showSoon  = 200 * time.Millisecond
)

// Snapshot is how the engine stood about a second ago. It may be asked for at any time, also before the engine is
// connected and after Run; the snapshot must not be changed.
func (e *Engine) Snapshot() *status.Snapshot { return e.seen.shown.Load() }

// Metrics serves what the engine tells, and how long its calls took, to Prometheus. It may be asked at any time.
func (e *Engine) Metrics() http.Handler { return e.metrics.Handler() }

func (e *Engine) phase() status.Phase {
	if e.stopping {
		return status.Stopping
	}
	return status.Running
}

// showNews makes a snapshot before its time if there are news.
func (e *Engine) showNews() {
	if e.seen.news && time.Since(e.Snapshot().At) >= showSoon {
		e.show(e.phase())
	}
}

// show makes the snapshot that others see. It belongs to the goroutine of the core.
func (e *Engine) show(phase status.Phase) {
	now := time.Now()
	s := &status.Snapshot{
		Sink: e.opts.Core.Sink, Version: e.opts.Version, Delivery: "exactly-once", Phase: phase, Started: e.born, At: now,
		Kafka: e.seen.kafka.told(), HBase: e.seen.hbase.told(), Sources: []status.Source{}, Tables: []status.Table{},
	}
	if e.opts.Core.AtLeastOnce {
		s.Delivery = "at-least-once"
	}
	if e.core != nil {
		for _, st := range e.core.Statuses() {
			s.Sources = append(s.Sources, e.source(&st, now))
		}
		for _, t := range e.core.TableStatuses() {
			s.Tables = append(s.Tables, e.table(&t))
		}
		s.Retries, s.Traffic = e.core.Retries(), e.traffic()
	}
	if r := e.opts.Replay; r != nil && r.Progress != nil {
		s.Reprocess = r.Progress()
	}
	s.Recent = e.seen.recent.list()
	e.seen.news = false
	e.seen.shown.Store(s)
}

func (e *Engine) traffic() status.Traffic {
	h := e.hbase.Traffic()
	return status.Traffic{HBaseCalls: h.Calls, RegionLookups: h.Lookups, RegionsMoved: h.Moved, KafkaRanges: e.fetches.answered()}
}

func (e *Engine) source(st *core.Status, now time.Time) status.Source {
	s := status.Source{
		Topic: st.Topic, Partition: st.Partition, State: st.State, Paused: st.Paused, Checkpoint: st.Checkpoint, Next: st.Next, End: st.End, Epoch: st.Epoch,
		LagRecords: -1, LagSeconds: st.Age.Seconds(), Records: st.Records, RecordsRate: e.seen.rate(st, now), WindowBytes: st.WindowSize,
		ReadBytes: st.Read, Skipped: st.Skipped, DeadLetters: st.Letters, Replayed: st.Replayed, WaitedSeconds: st.Waited.Seconds(),
	}
	advanced := st.AdvancedAt
	if st.Other != nil {
		s.Checkpoint, s.Epoch, advanced = st.Other.Offset, st.Other.Epoch, st.Other.AdvancedAt
	}
	if s.Epoch == 0 {
		s.Checkpoint = -1 // it has not been read yet, or there is none
	}
	if advanced > 0 {
		s.AdvancedAt = time.UnixMilli(advanced)
	}
	if s.End >= 0 && s.Checkpoint >= 0 {
		s.LagRecords = max(0, s.End-s.Checkpoint)
	}
	if st.Age < 0 {
		s.LagSeconds = -1
	}
	if st.Err != nil {
		s.Error = st.Err.Error()
	}
	if end, ok := e.ends[st.TopicPartition]; ok && st.State == "stopped" {
		s.State = endNames[end.Kind]
	}
	return s
}

// endNames are the states of partitions that stopped for good.
var endNames = map[core.ReportKind]string{
	core.ReportFinished: "finished", core.ReportReleased: "released", core.ReportFenced: "fenced", core.ReportFailed: "failed",
}

// modeNames are those of the snapshot.
var modeNames = map[hbase.Mode]string{hbase.ModeRegion: "region", hbase.ModeRow: "row", hbase.ModeBatch: "plain"}

func (e *Engine) table(t *core.TableStatus) status.Table {
	out := status.Table{
		Name: t.Name, Mode: modeNames[t.Mode], Rows: t.Rows, Refused: t.Refused, Looks: t.Looks, InFlightBytes: t.InFlight,
		AllowedBytes: t.Allowed, Throttled: t.Rests, WaitedSeconds: t.Waited.Seconds(),
	}
	if why := e.seen.rowMode[t.Name]; why != nil && t.Mode == hbase.ModeRow {
		out.RowModeReason = why.Error()
	}
	return out
}
