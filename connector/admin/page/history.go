package page

import (
	"time"

	"rowmark/connector/status"
)

// historyLength is how many samples are kept: two minutes of them.
const historyLength = int(2 * time.Minute / sampleEvery)

// history is what the curves of a fresh page are drawn of. All its series have the length of At.
type history struct {
	At      []int64   `json:"at"`   // milliseconds since 1970
	Rate    []float64 `json:"rate"` // records a second of all sources
	Rows    []int64   `json:"rows"` // written since the start of the process
	Sources []series  `json:"sources"`
}

// series is the lag of one source in records; -1 where it was not known.
type series struct {
	Topic     string  `json:"topic"`
	Partition int32   `json:"partition"`
	Lag       []int64 `json:"lag"`
}

type sourceID struct {
	topic     string
	partition int32
}

// newer says whether s comes after all that is kept.
func (h *history) newer(s *status.Snapshot) bool {
	return len(h.At) == 0 || s.At.UnixMilli() > h.At[len(h.At)-1]
}

// add appends a sample. Sources that it has no longer are forgotten.
func (h *history) add(s *status.Snapshot) {
	old := make(map[sourceID][]int64, len(h.Sources))
	for _, o := range h.Sources {
		old[sourceID{o.Topic, o.Partition}] = o.Lag
	}
	var rate float64
	sources := make([]series, len(s.Sources))
	for i := range s.Sources {
		src := &s.Sources[i]
		rate += src.RecordsRate
		lag, ok := old[sourceID{src.Topic, src.Partition}]
		if !ok {
			lag = unknown(len(h.At))
		}
		sources[i] = series{Topic: src.Topic, Partition: src.Partition, Lag: kept(lag, src.LagRecords)}
	}
	var rows int64
	for _, t := range s.Tables {
		rows += t.Rows
	}
	h.Sources = sources
	h.At, h.Rate, h.Rows = kept(h.At, s.At.UnixMilli()), kept(h.Rate, rate), kept(h.Rows, rows)
}

// unknown is the lag of a source before it was there.
func unknown(n int) []int64 {
	lag := make([]int64, n, historyLength)
	for i := range lag {
		lag[i] = -1
	}
	return lag
}

// kept is a series with one value more, without the oldest where it would be too long.
func kept[T any](values []T, v T) []T {
	if len(values) == historyLength {
		copy(values, values[1:])
		values = values[:historyLength-1]
	}
	return append(values, v)
}
