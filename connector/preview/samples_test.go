package preview

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"rowmark/connector/decode"
)

const now = 1700000000000

func collect(t *testing.T, text string) (recs []decode.Record, errs []string) {
	t.Helper()
	s := &Samples{Name: "x", Topic: "t", Now: now}
	err := s.Each(strings.NewReader(text), func(rec decode.Record, err error) error {
		if err != nil {
			errs = append(errs, err.Error())
		} else {
			recs = append(recs, rec)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return recs, errs
}

func TestSamples(t *testing.T) {
	rec := func(key, value []byte) decode.Record {
		return decode.Record{Topic: "t", Timestamp: now, Key: key, Value: value}
	}
	with := func(change func(*decode.Record)) decode.Record {
		r := rec(nil, []byte("v"))
		change(&r)
		return r
	}
	for _, c := range []struct {
		line string
		want decode.Record
	}{
		{`{}`, rec(nil, nil)},
		{`{"key": null, "value": null}`, rec(nil, nil)},
		{`{"key": "k", "value": "v"}`, rec([]byte("k"), []byte("v"))},
		{`{"key": "", "value": ""}`, rec([]byte{}, []byte{})},
		{`{"value": "a\n\u00e9"}`, rec(nil, []byte("a\né"))},
		{`{"value": {"a": 123456789012345678901234567890, "b": 1.50}}`, rec(nil, []byte(`{"a": 123456789012345678901234567890, "b": 1.50}`))},
		{`{"value": [1, {"base64": "AA=="}]}`, rec(nil, []byte(`[1, {"base64": "AA=="}]`))},
		{`{"value": 1.0}`, rec(nil, []byte("1.0"))},
		{`{"value": true}`, rec(nil, []byte("true"))},
		{`{"value": {"base64": "AP8="}}`, rec(nil, []byte{0, 255})},
		{`{"value": {"base64": ""}}`, rec(nil, []byte{})},
		{`{"value": {"base64": "AA==", "b": 1}}`, rec(nil, []byte(`{"base64": "AA==", "b": 1}`))},
		{`{"value": "v", "headers": {"a": "1", "b": null, "a": {"base64": "/w=="}}}`, with(func(r *decode.Record) {
			r.Headers = []decode.Header{{Key: "a", Value: []byte("1")}, {Key: "b"}, {Key: "a", Value: []byte{255}}}
		})},
		{`{"value": "v", "topic": "u", "partition": 3, "offset": 7}`, with(func(r *decode.Record) { r.Topic, r.Partition, r.Offset = "u", 3, 7 })},
		{`{"value": "v", "timestamp": 5}`, with(func(r *decode.Record) { r.Timestamp = 5 })},
		{`{"value": "v", "timestamp": "2026-11-01T12:00:00.25+01:00"}`, with(func(r *decode.Record) { r.Timestamp = 1793530800250 })},
		{`{"value": "v", "timestamp": null}`, with(func(*decode.Record) {})},
	} {
		recs, errs := collect(t, c.line+"\n")
		if len(recs) != 1 || len(errs) != 0 || !reflect.DeepEqual(recs[0], c.want) {
			t.Errorf("%s: got %+v %q, want %+v", c.line, recs, errs, c.want)
		}
	}
}

func TestWrongSamplesAreNamedAndPassed(t *testing.T) {
	for _, c := range []struct{ line, reason string }{
		{`x`, "a sample is a JSON object with key, value"},
		{"{\"key\": \"\xff\"}", "x:3: key: it is not valid UTF-8"},
		{"{\"value\": \"a\xed\xa0\x80\"}", "x:3: value: it is not valid UTF-8"},
		{`{"value": "\ud800"}`, "x:3: value: it holds half a surrogate pair"},
		{`{"headers": {"h": "\udc00\ud800"}}`, "x:3: headers: h: it holds half a surrogate pair"},
		{`[]`, "a sample is a JSON object"},
		{`{"key": "a"} {}`, "one JSON object"},
		{`{"keys": "a"}`, `unknown field "keys"`},
		{`{"value": {"base64": "?"}}`, "value: base64"},
		{`{"key": {"base64": 1}}`, "key: base64 is text"},
		{`{"headers": ["a"]}`, "headers: they are an object"},
		{`{"headers": {"a": {"base64": "?"}}}`, "headers: a: base64"},
		{`{"partition": -1}`, "count from 0"},
		{`{"offset": -1}`, "count from 0"},
		{`{"partition": 1.5}`, "partition"},
		{`{"timestamp": "yesterday"}`, "timestamp: milliseconds, or a time"},
		{`{"timestamp": 1.5}`, "timestamp"},
		{`{"value": "a`, "unexpected"},
	} {
		recs, errs := collect(t, `{"value": "before"}`+"\n\n"+c.line+"\n"+`{"value": "after"}`)
		if len(errs) != 1 || !strings.HasPrefix(errs[0], "x:3: ") || !strings.Contains(errs[0], c.reason) {
			t.Errorf("%s: got %q, want %q", c.line, errs, c.reason)
		}
		if len(recs) != 2 || string(recs[0].Value) != "before" || recs[0].Offset != 0 || string(recs[1].Value) != "after" || recs[1].Offset != 2 {
			t.Errorf("%s: the others are %+v", c.line, recs)
		}
	}
	s := &Samples{Name: "x"}
	err := s.Each(strings.NewReader(`{"value": 1}`), func(_ decode.Record, err error) error { return err })
	if err == nil || !strings.Contains(err.Error(), "x:1: it names no topic") {
		t.Errorf("without a topic: %v", err)
	}
	stop := errors.New("stop")
	if err := s.Each(strings.NewReader("{}\n{}"), func(decode.Record, error) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped by %v", err)
	}
}

// Whatever stands in the lines, each gives one record or one error.
func TestAnyLinesAreSamplesOrErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{`{`, `}`, `"key"`, `"value"`, `"headers"`, `"timestamp"`, `"base64"`, `:`, `,`, `"AA=="`, `null`, `1`, `1e99`, `[`, `]`, `"`, `\u`, "\xff", "\x00", ` `}
	for range 20000 {
		var line strings.Builder
		for range 1 + r.IntN(12) {
			line.WriteString(parts[r.IntN(len(parts))])
		}
		if strings.TrimSpace(line.String()) == "" {
			continue
		}
		if recs, errs := collect(t, line.String()); len(recs)+len(errs) != 1 {
			t.Fatalf("%q: %d records and %d errors", line.String(), len(recs), len(errs))
		}
	}
}

func TestLongSamples(t *testing.T) {
	big := fmt.Sprintf(`{"value": "%s"}`, strings.Repeat("v", 8<<20))
	if recs, errs := collect(t, big); len(recs) != 1 || len(errs) != 0 || len(recs[0].Value) != 8<<20 {
		t.Errorf("%d records, %q", len(recs), errs)
	}
}
