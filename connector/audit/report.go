package audit

import (
	"slices"
	"time"

	"rowmark/connector/mapping"
)

// Kind is what was found of a row, or of one of its columns.
type Kind string

// Kinds of finding, the worst first.
const (
	Lost        Kind = "lost"        // below the checkpoint, and not in the row
	Doubled     Kind = "doubled"     // counted more often than it is in the log, or marked where nothing was sent
	Stale       Kind = "stale"       // an older cell where a record should have written or deleted it
	Unexplained Kind = "unexplained" // newer than, or beside, what this source wrote: another writer or source
)

var kinds = [...]Kind{Lost, Doubled, Stale, Unexplained}

// rank is 0 for the worst.
func (k Kind) rank() int { return slices.Index(kinds[:], k) }

// Report is what Verify found.
type Report struct {
	Sink    string         `json:"sink"`
	At      time.Time      `json:"at"`
	Sources []SourceReport `json:"sources"` // by topic and partition
	// Findings are the first ones, as many as were asked for.
	Findings []Finding `json:"findings"`
	Found    int       `json:"found"` // how many there are
}

// SourceReport counts what was found of one partition. Each of its rows counts once, by the worst that was found.
type SourceReport struct {
	Topic       string `json:"topic"`
	Partition   int32  `json:"partition"`
	From        int64  `json:"from"` // records of [From, To) were read
	To          int64  `json:"to"`
	Checkpoint  int64  `json:"checkpoint"`
	Records     int64  `json:"records"`
	Letters     int64  `json:"dead_letters"` // records that became, or are to become, dead letters
	Skipped     int64  `json:"skipped"`      // records passed by on_error: skip
	Rows        int64  `json:"rows"`         // that were judged
	Right       int64  `json:"right"`
	Lost        int64  `json:"lost"`
	Doubled     int64  `json:"doubled"`
	Stale       int64  `json:"stale"`
	Unexplained int64  `json:"unexplained"`
	NotJudged   int64  `json:"not_judged"` // in part: what could be judged is right
	// Reasons say why rows were not judged in part, and how many.
	Reasons map[string]int64 `json:"reasons,omitempty"`
	// Excused counts columns that are not there and need not be, by the reason.
	Excused map[string]int64 `json:"excused,omitempty"`
	Notes   []string         `json:"notes,omitempty"`
	Error   string           `json:"error,omitempty"` // why it could not be read

	err error
}

// Finding is one thing that is not as the log says.
type Finding struct {
	Kind      Kind   `json:"kind"`
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	Offset    int64  `json:"offset"` // of the record that should have written it last
	Table     string `json:"table"`
	Row       string `json:"row"`              // hex
	Column    string `json:"column,omitempty"` // family:qualifier; empty: the row as a whole
	Why       string `json:"why"`
	// Have and Want are values, if they are asked for; nil: there is none, or it is not known.
	Have *string `json:"have,omitempty"`
	Want *string `json:"want,omitempty"`

	part *part
	key  []byte
	name *mapping.ColumnName
}

// Wrong says whether records were lost or doubled, or are hidden by older ones.
func (r *Report) Wrong() int64 {
	var n int64
	for i := range r.Sources {
		n += r.Sources[i].Lost + r.Sources[i].Doubled + r.Sources[i].Stale
	}
	return n
}

// Err is why some partition could not be read; nil: all were.
func (r *Report) Err() error {
	for i := range r.Sources {
		if err := r.Sources[i].err; err != nil {
			return err
		}
	}
	return nil
}

func (s *SourceReport) count(k Kind) {
	switch k {
	case Lost:
		s.Lost++
	case Doubled:
		s.Doubled++
	case Stale:
		s.Stale++
	default:
		s.Unexplained++
	}
}

func (s *SourceReport) fail(err error) { s.err, s.Error = err, err.Error() }

func add(counts *map[string]int64, reason string) {
	if *counts == nil {
		*counts = map[string]int64{}
	}
	(*counts)[reason]++
}
