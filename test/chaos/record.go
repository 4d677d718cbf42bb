package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// kind says what a record does to its row.
type kind uint8

const (
	valued    kind = iota
	tombstone      // no value: deletes what family d of its row holds
	poison         // can't become a row: the connector is told to skip it
)

// event is one committed record, as far as it matters to rows.
type event struct {
	offset int64
	id     int64 // unique in the run
	prev   int64 // the id of the key's valued record before; none for the first, unknown when it can't be told
	inc    int64 // a random weight, so that a loss and a duplicate can't cancel
	kind   kind
	note   note
	hot    int8  // which row of the hot table counts it too, -1 for none
	big    int32 // bytes of a large column, 0 without
}

const (
	none    = 0
	unknown = -1
)

// note is what a record says of the column d:note.
type note uint8

const (
	noNote note = iota
	nullNote
	someNote
)

func (e *event) status() string   { return "s" + strconv.FormatInt(e.id, 10) }
func (e *event) noteText() string { return "n" + strconv.FormatInt(e.id, 10) }
func (e *event) bigText() string {
	s := strconv.FormatInt(e.id, 10) + "."
	return strings.Repeat(s, int(e.big)/len(s)+1)[:e.big]
}

// wire is a record's value.
type wire struct {
	ID     int64             `json:"id"`
	Prev   int64             `json:"prev"`
	Status string            `json:"status,omitempty"`
	Inc    int64             `json:"inc"`
	Hot    string            `json:"hot,omitempty"`
	Note   json.RawMessage   `json:"note,omitempty"`
	Big    string            `json:"big,omitempty"`
	O      map[string]string `json:"o,omitempty"`
}

// value encodes an event as a record's value, nil for a tombstone.
func (e *event) value() []byte {
	switch e.kind {
	case tombstone:
		return nil
	case poison:
		return []byte{} // empty is not null: it is no JSON
	}
	w := wire{ID: e.id, Prev: e.prev, Status: e.status(), Inc: e.inc}
	if e.hot >= 0 {
		w.Hot = hotKey(e.hot)
	}
	switch e.note {
	case nullNote:
		w.Note = json.RawMessage("null")
	case someNote:
		w.Note = json.RawMessage(strconv.Quote(e.noteText()))
	}
	if e.big > 0 {
		w.Big = e.bigText()
	}
	w.O = map[string]string{strconv.FormatInt(e.id, 10): strconv.FormatInt(e.prev, 10)}
	b, err := json.Marshal(w)
	if err != nil {
		panic(err) // only strings and numbers
	}
	return b
}

func hotKey(n int8) string { return "h" + strconv.Itoa(int(n)) }

// parse reads a record as the brokers gave it. A record without key maps to no row.
func parse(offset int64, key, value []byte) (event, error) {
	e := event{offset: offset, hot: -1}
	switch {
	case len(key) == 0, value != nil && len(value) == 0:
		e.kind = poison
		return e, nil
	case value == nil:
		e.kind = tombstone
		return e, nil
	}
	var w wire
	if err := json.Unmarshal(value, &w); err != nil {
		return e, fmt.Errorf("reading the record at offset %d: %w", offset, err)
	}
	e.id, e.prev, e.inc, e.big = w.ID, w.Prev, w.Inc, int32(len(w.Big))
	if w.Hot != "" {
		n, err := strconv.Atoi(w.Hot[1:])
		if err != nil {
			return e, fmt.Errorf("reading the record at offset %d: %w", offset, err)
		}
		e.hot = int8(n)
	}
	switch {
	case w.Note == nil:
	case string(w.Note) == "null":
		e.note = nullNote
	default:
		e.note = someNote
	}
	return e, nil
}
