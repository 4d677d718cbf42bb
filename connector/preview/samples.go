package preview

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"rowmark/connector/decode"
)

// longestSample is the most bytes that a line may have; brokers accept no larger record by far.
const longestSample = 64 << 20

// Samples reads records from lines, each a JSON object:
//
//	{"key": …, "value": …, "headers": {"name": …}, "timestamp": …, "topic": …, "partition": …, "offset": …}
//
// A key, a value or a header is text as it is; {"base64": "…"}, bytes; null or left out, absent; anything else is the
// JSON itself. A timestamp is in milliseconds or as in 2026-11-01T12:00:00Z.
type Samples struct {
	Name  string // for errors
	Topic string // of samples that name none; empty: each has to
	Now   int64  // milliseconds, the time of samples that have none
}

// Each calls f for every sample, in order. A line that is none comes as an error, which names it, and the others are
// read all the same. Samples that have no offset are counted from 0. Each returns what f does, or what ends reading.
func (s *Samples) Each(r io.Reader, f func(decode.Record, error) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestSample)
	count := int64(0)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		rec, err := s.record(bytes.Clone(lines.Bytes()), count) // records alias their line
		if err != nil {
			err = fmt.Errorf("%s:%d: %w", s.Name, n, err)
		}
		if err := f(rec, err); err != nil {
			return err
		}
		count++
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading samples from %s: %w", s.Name, err)
	}
	return nil
}

// sample is one line.
type sample struct {
	Key       json.RawMessage `json:"key"`
	Value     json.RawMessage `json:"value"`
	Headers   json.RawMessage `json:"headers"`
	Timestamp json.RawMessage `json:"timestamp"`
	Topic     string          `json:"topic"`
	Partition int32           `json:"partition"`
	Offset    *int64          `json:"offset"`
}

func (s *Samples) record(line []byte, count int64) (decode.Record, error) {
	var x sample
	if err := strictly(line, &x); err != nil {
		return decode.Record{}, err
	}
	rec := decode.Record{Topic: x.Topic, Partition: x.Partition, Offset: count, Timestamp: s.Now}
	if rec.Topic == "" {
		rec.Topic = s.Topic
	}
	if x.Offset != nil {
		rec.Offset = *x.Offset
	}
	if rec.Topic == "" {
		return rec, errors.New(`it names no topic: write "topic", or give --topic`)
	}
	if rec.Partition < 0 || rec.Offset < 0 {
		return rec, errors.New("partition and offset count from 0")
	}
	var err error
	if rec.Key, err = content(x.Key); err != nil {
		return rec, fmt.Errorf("key: %w", err)
	}
	if rec.Value, err = content(x.Value); err != nil {
		return rec, fmt.Errorf("value: %w", err)
	}
	if rec.Headers, err = headers(x.Headers); err != nil {
		return rec, fmt.Errorf("headers: %w", err)
	}
	return rec, x.time(&rec.Timestamp)
}

func strictly(line []byte, x *sample) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(x); err != nil {
		return fmt.Errorf("a sample is a JSON object with key, value, headers, timestamp, topic, partition, offset: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("a sample is one JSON object, and nothing comes after it")
	}
	return nil
}

// content gives the bytes of a key, value or header; nil is absent.
func content(raw json.RawMessage) ([]byte, error) {
	switch {
	case raw == nil || string(raw) == "null":
		return nil, nil
	case raw[0] == '"':
		v, err := decode.JSON.Decode(new(decode.Tree), raw) // encoding/json would put other characters for what is no text
		return v.Text, err
	case raw[0] != '{':
		return raw, nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	code, ok := object["base64"]
	if !ok || len(object) != 1 {
		return raw, nil
	}
	var text string
	if err := json.Unmarshal(code, &text); err != nil {
		return nil, fmt.Errorf("base64 is text: %w", err)
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("base64: %w", err)
	}
	return data, nil
}

// headers gives the headers in the order of the text, which may name one twice.
func headers(raw json.RawMessage) ([]decode.Header, error) {
	if raw == nil || string(raw) == "null" {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New(`they are an object, as in {"name": "text"}`)
	}
	var out []decode.Header
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		data, err := content(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, decode.Header{Key: name.(string), Value: data})
	}
	return out, nil
}

// time sets the timestamp, if the sample has one.
func (x *sample) time(ms *int64) error {
	if x.Timestamp == nil || string(x.Timestamp) == "null" {
		return nil
	}
	if json.Unmarshal(x.Timestamp, ms) == nil {
		return nil
	}
	var at time.Time
	if err := json.Unmarshal(x.Timestamp, &at); err != nil {
		return errors.New("timestamp: milliseconds, or a time such as 2026-11-01T12:00:00Z")
	}
	*ms = at.UnixMilli()
	return nil
}
