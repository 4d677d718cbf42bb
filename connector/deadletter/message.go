package deadletter

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"time"

	"rowmark/hbase"
	"rowmark/kafka"
)

// Headers of a letter in a topic, behind those of the record. All are text. A part of the record that was left out has
// its size and SHA-256 in two more: headerPrefix, the part, and endSize or endHash.
const (
	headerPrefix    = "rowmark."
	headerLetter    = headerPrefix + "letter" // as Key.String
	headerSink      = headerPrefix + "sink"
	headerTopic     = headerPrefix + "topic"
	headerPartition = headerPrefix + "partition"
	headerOffset    = headerPrefix + "offset"
	headerTimestamp = headerPrefix + "timestamp" // of the record, milliseconds
	headerStage     = headerPrefix + colStage
	headerReason    = headerPrefix + colReason
	headerTable     = headerPrefix + colTable // none where no table is known
	headerMapping   = headerPrefix + colMapping
)

// Message is a letter on its way to a topic.
type Message struct {
	letter  *Letter
	redated bool
	time    int64
}

// NewMessage reads the letter in a write; nil: it has none.
func NewMessage(w *hbase.RowWrite) (*Message, error) {
	row := hbase.Row{Row: w.Row}
	for i := range w.Mutations {
		for _, c := range w.Mutations[i].Cells {
			if c.Value == nil {
				c.Value = []byte{} // a null has no cell
			}
			row.Cells = append(row.Cells, hbase.Cell{Family: c.Column.Family, Qualifier: c.Column.Qualifier, Timestamp: c.Timestamp, Value: c.Value})
		}
	}
	l, ok, err := parse(row)
	if !ok || err != nil {
		return nil, err
	}
	return &Message{letter: l, time: l.Timestamp}, nil
}

// Record is what the topic gets: the record as it was, and headers that say where it comes from and why it is there.
func (m *Message) Record() kafka.Record {
	l := m.letter
	r := kafka.Record{Timestamp: m.time, LeaderEpoch: -1, Key: l.Record.Key, Value: l.Record.Value}
	for _, h := range l.Record.Headers {
		r.Headers = append(r.Headers, kafka.Header(h))
	}
	add := func(name, text string) {
		r.Headers = append(r.Headers, kafka.Header{Key: name, Value: []byte(text)})
	}
	add(headerLetter, l.Key.String())
	add(headerSink, l.Key.Sink)
	add(headerTopic, l.Key.Topic)
	add(headerPartition, strconv.Itoa(int(l.Key.Partition)))
	add(headerOffset, strconv.FormatInt(l.Key.Offset, 10))
	add(headerTimestamp, strconv.FormatInt(l.Timestamp, 10))
	add(headerStage, string(l.Stage))
	add(headerReason, l.Reason)
	if l.Table != "" {
		add(headerTable, l.Table)
	}
	add(headerMapping, l.Mapping)
	for _, missing := range l.Missing {
		add(headerPrefix+missing.Part+endSize, strconv.Itoa(missing.Size))
		add(headerPrefix+missing.Part+endHash, missing.SHA256)
	}
	return r
}

// Shrink leaves out the value, or, if that is gone, the headers and then the key. false: nothing is left.
func (m *Message) Shrink() bool {
	rec := &m.letter.Record
	switch {
	case len(rec.Value) > 0:
		m.leaveOut(colValue, rec.Value)
		rec.Value = nil
	case len(rec.Headers) > 0:
		m.leaveOut(colHeaders, marshal(rec.Headers))
		rec.Headers = nil
	case len(rec.Key) > 0:
		m.leaveOut(colKey, rec.Key)
		rec.Key = nil
	default:
		return false
	}
	return true
}

func (m *Message) leaveOut(part string, content []byte) {
	sum := sha256.Sum256(content)
	m.letter.Missing = append(slices.Clip(m.letter.Missing), Missing{Part: part, Size: len(content), SHA256: hex.EncodeToString(sum[:])})
}

// Redate gives it the time of now, as a topic takes it that refuses the record's own; a header keeps that. false: it was
// done before.
func (m *Message) Redate(now time.Time) bool {
	if m.redated {
		return false
	}
	m.redated, m.time = true, now.UnixMilli()
	return true
}
