package reprocess

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"rowmark/kafka"
)

// Run is one reprocessing of a window, as it is written down in the checkpoint table under SINK~ID: before the first record is
// written, and by compare-and-set, so that whoever starts it again goes on with the same ranges.
type Run struct {
	ID     string            `json:"id"`
	Window Window            `json:"window"`
	Into   map[string]string `json:"into,omitempty"` // tables written to in place of others
	// DeleteOld says that rows under keys which the mapping no longer makes are deleted.
	DeleteOld bool      `json:"delete_old,omitempty"`
	Mapping   string    `json:"mapping"` // hash of the mapping of the window's records
	Created   time.Time `json:"created"`
	Who       string    `json:"who"`
	State     State     `json:"state"`
	Ended     time.Time `json:"ended,omitzero"`
	Parts     []Part    `json:"parts"`
	Tables    []string  `json:"tables"` // that the run writes to
	// Notes are what was said of it when it was made: what is left out, and why.
	Notes []string `json:"notes,omitempty"`
}

// State is how far a run is.
type State string

// States, in their order.
const (
	Writing   State = "writing"   // the records of the ranges
	Following State = "following" // what the live connector wrote meanwhile
	Done      State = "done"
	Cleaned   State = "cleaned" // it was removed, but for its marks: no run may have its id while they stay
)

// Part is what a run reads of a partition.
type Part struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	First     int64  `json:"first"` // where to read from, so that the timestamps of the window's rows can be told
	Until     int64  `json:"until"` // the live checkpoint as the run was made: the records of the window lie below
	Last      int64  `json:"last"`  // the last record of the window lies below
	// Tail is up to where the live connector may have written beside the run; Until before that is known.
	Tail int64 `json:"tail"`
	// Live is the hash of the mapping that the live connector wrote these records by.
	Live  string `json:"live"`
	After string `json:"after"` // and that by which it writes from Until on
	// TopicID is that of the live checkpoint; zero: not known.
	TopicID  kafka.TopicID `json:"topic_id,omitzero"`
	Segments []Segment     `json:"segments,omitempty"`
	Records  int64         `json:"records"` // of [First, Until)
	InWindow int64         `json:"in_window"`
	Strays   int64         `json:"strays"` // records of other times among those of the window
}

// Segment is where an incarnation of the log begins, and the least floor of rows there, in milliseconds.
type Segment struct {
	Start int64 `json:"start"`
	Floor int64 `json:"floor"`
}

// Source names the partition.
func (p *Part) Source() kafka.TopicPartition {
	return kafka.TopicPartition{Topic: p.Topic, Partition: p.Partition}
}

var idRE = regexp.MustCompile(`^[A-Za-z0-9._-]{1,40}$`)

// CheckID says what is wrong with the id of a run.
func CheckID(id string) error {
	if !idRE.MatchString(id) {
		return fmt.Errorf("%q: letters, digits and . _ -, at most 40 of them", id)
	}
	return nil
}

// DefaultID names a run by what it does.
func DefaultID(w Window, mapping string, into map[string]string, deleteOld bool) string {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%d %d %s", w.From, w.To, mapping)
	for _, table := range slices.Sorted(maps.Keys(into)) {
		_, _ = fmt.Fprintf(h, " %s=%s", table, into[table])
	}
	if deleteOld {
		_, _ = fmt.Fprint(h, " without old keys")
	}
	return hex.EncodeToString(h.Sum(nil)[:5])
}

// RefusedError says that what is asked for can't be done so, and that nothing was.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap gives the reason itself.
func (e *RefusedError) Unwrap() error { return e.Err }

func refuse(format string, args ...any) error { return &RefusedError{fmt.Errorf(format, args...)} }

// differs says in what a run is another than the one that is asked for under its id.
func (r *Run) differs(asked *Run) error {
	var what string
	switch {
	case r.Window != asked.Window:
		what = "the window " + r.Window.String()
	case !maps.Equal(r.Into, asked.Into):
		what = "other tables (--reprocess-into " + intoText(r.Into) + ")"
	case r.DeleteOld != asked.DeleteOld:
		what = "another use of --delete-old-keys"
	case r.Mapping != asked.Mapping:
		what = "another mapping (" + r.Mapping[:min(12, len(r.Mapping))] + ")"
	default:
		return nil
	}
	if r.State != Done && r.Mapping == asked.Mapping {
		what += ", and " + r.Again() + " goes on with it"
	}
	return refuse("id %s was made for %s; use another id, or remove that run %s", r.ID, what, withMarks(r.ID))
}

// withMarks says how the traces of a run are removed so that its id is free again.
func withMarks(id string) string {
	return fmt.Sprintf("together with its marks by rowmark reprocess clean %s --marks: while these stay, a run of this id takes the rows that hold them for written, and leaves them as they are", id)
}

// Again is the command that goes on with the run, as far as it is about what the run does.
func (r *Run) Again() string {
	out := fmt.Sprintf("rowmark run --reprocess %s --reprocess-id %s", r.Window, r.ID)
	if len(r.Into) > 0 {
		out += " --reprocess-into " + intoText(r.Into)
	}
	if r.DeleteOld {
		out += " --delete-old-keys OLD.yaml"
	}
	return out
}

func intoText(into map[string]string) string {
	var out []string
	for _, table := range slices.Sorted(maps.Keys(into)) {
		out = append(out, table+"="+into[table])
	}
	return strings.Join(out, ",")
}

// InWindow is how many records of the window the run writes.
func (r *Run) InWindow() int64 { return r.sum(func(p *Part) int64 { return p.InWindow }) }

// Records is how many records the ranges hold.
func (r *Run) Records() int64 { return r.sum(func(p *Part) int64 { return p.Records }) }

// Strays is how many records of other times lie among those of the window.
func (r *Run) Strays() int64 { return r.sum(func(p *Part) int64 { return p.Strays }) }

func (r *Run) sum(of func(*Part) int64) int64 {
	var n int64
	for i := range r.Parts {
		n += of(&r.Parts[i])
	}
	return n
}
