package main

import (
	"time"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/kafka"
)

// position is one line of offsets show.
type position struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`

	Checkpoint *int64 `json:"checkpoint"` // every record below is resolved; null: there is none yet
	LogStart   int64  `json:"log_start"`
	LogEnd     int64  `json:"log_end"`
	LastStable int64  `json:"last_stable"` // records from there on belong to transactions that are open
	End        int64  `json:"end"`         // of what the connector can read
	// Lag is in offsets: a compacted log, or one with transactions, holds fewer records. Null: not known.
	Lag *int64 `json:"lag"`
	// LagSeconds is the age of the first record that is not resolved, 0 at the end. Null: not known.
	LagSeconds *float64 `json:"lag_seconds"`

	Incarnation int    `json:"incarnation"` // of the log
	Epoch       int64  `json:"epoch"`       // rises with each taking
	Ceiling     int64  `json:"ceiling"`     // no record from there on was ever sent
	Owner       string `json:"owner,omitempty"`
	// BeatSeconds is how long ago the checkpoint was last written, by the clock of HBase; an owner does that every third of
	// its lease at the latest.
	BeatSeconds *float64 `json:"beat_seconds"`
	LeaseOver   bool     `json:"lease_over"`            // the owner shows no sign of life
	AdvancedAt  string   `json:"advanced_at,omitempty"` // or was seen to be at the end then
	// Mapping says whether the stored one is that of the file: same or other.
	Mapping string `json:"mapping,omitempty"`
	Mapped  bool   `json:"mapped"` // the file has it read
	// AnotherLog says that the topic is not the one that the checkpoint speaks of.
	AnotherLog bool   `json:"another_log"`
	Error      string `json:"error,omitempty"`
}

func (p *position) ofLog(s *sides, log logEnds) {
	p.LogStart, p.LogEnd, p.LastStable = log.start, log.end, log.stable
	p.End = log.stable
	if s.config.Kafka.Isolation != "read_committed" {
		p.End = log.end
	}
	if log.err != nil {
		p.Error = log.err.Error()
	}
}

func (p *position) ofCheckpoint(s *sides, ck *core.Checkpoint, log logEnds) {
	p.Checkpoint, p.Epoch, p.Ceiling, p.Incarnation = &ck.Offset, ck.Epoch, ck.Ceiling, ck.Incarnation()
	p.AnotherLog = ck.TopicID.Differs(log.topic)
	p.Mapping = "other"
	if ck.MappingHash == s.config.Mappings.Hash() {
		p.Mapping = "same"
	}
	if ck.AdvancedAt > 0 {
		p.AdvancedAt = time.UnixMilli(ck.AdvancedAt).UTC().Format(time.RFC3339)
	}
	if log.err == nil {
		lag := max(0, p.End-ck.Offset)
		p.Lag = &lag
	}
}

func (p *position) owned(s *sides, ck *core.Checkpoint, beat time.Duration) {
	if ck.Owner == (core.Owner{}) {
		return
	}
	p.Owner = ck.Who
	seconds := max(0, beat.Seconds()) // the clocks may differ
	p.BeatSeconds, p.LeaseOver = &seconds, beat >= s.config.Checkpoint.Lease
}

// late says how old the first record is that waits.
func (p *position) late(times map[kafka.TopicPartition]int64, waiting map[kafka.TopicPartition]connector.Span, now time.Time, failed error) {
	if p.Checkpoint == nil || p.Error != "" {
		return
	}
	tp := kafka.TopicPartition{Topic: p.Topic, Partition: p.Partition}
	seconds := 0.0
	if at, ok := times[tp]; ok {
		seconds = max(0, now.Sub(time.UnixMilli(at)).Seconds())
	} else if _, waits := waiting[tp]; waits && failed != nil {
		return
	}
	p.LagSeconds = &seconds
}
