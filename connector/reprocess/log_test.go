package reprocess

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"rowmark/connector/core"
	"rowmark/connector/decode"
	"rowmark/kafka"

	"github.com/twmb/franz-go/pkg/kadm"
)

// recreate deletes the topic, and makes another of its name.
func (w *world) recreate(topic string) {
	w.t.Helper()
	admin := kadm.NewClient(w.client)
	if _, err := admin.DeleteTopics(w.t.Context(), topic); err != nil {
		w.t.Fatal(err)
	}
	if _, err := admin.CreateTopics(w.t.Context(), 1, 1, nil, topic); err != nil {
		w.t.Fatal(err)
	}
	w.client.PurgeTopicsFromClient(topic)
	for deadline := time.Now().Add(10 * time.Second); ; {
		err := w.client.ProduceSync(w.t.Context(), record(0, "q", `{"a":0}`, 2100)).FirstErr()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatal(err)
		}
		w.client.ForceMetadataRefresh()
	}
}

func changed(t *testing.T, err error, text string) {
	t.Helper()
	var stop *core.StopError
	if fails(t, err, text); !errors.As(err, &stop) || stop.Cause != core.CauseLogChanged {
		t.Errorf("%v is not of a log that changed", err)
	}
}

// Offsets of a topic that was created again mean other records than those that the live connector wrote: neither a plan, a dry
// run nor a run that was begun takes them, however many records the new topic holds.
func TestTopicCreatedAgain(t *testing.T) {
	for _, more := range []int{0, 9} {
		for _, begun := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d more records, begun %v", more, begun), func(t *testing.T) {
				w := newWorld(t, 1, "t")
				old, anew := w.options(mapped("s:t", "old")), w.options(mapped("s:t", "new"))
				w.init(old)
				w.produce(record(0, "x", `{"a":1}`, 2000), record(0, "y", `{"a":1}`, 2000), record(0, "z", `{"a":1}`, 2000))
				w.once(old)
				req := Request{ID: "a", Window: Window{1900, 3000}}
				if begun {
					if _, err := w.runner(anew).open(t.Context(), req); err != nil {
						t.Fatal(err)
					}
				}
				w.recreate("t")
				for range more {
					w.produce(record(0, "q", `{"a":1}`, 2100))
				}
				_, err := w.runner(anew).Run(t.Context(), req)
				changed(t, err, "t/0: the topic was created again (its id is")
				_, err = w.runner(anew).DryRun(t.Context(), req, 10)
				changed(t, err, "t/0: the topic was created again")
				w.shows("s:t", "x d:a=old1", "y d:a=old1", "z d:a=old1")
			})
		}
	}
}

// Brokers that give no ids show by the log's end that it is another; a fetch shows it where it is made anew in between.
func TestLogsOfOthersAreNotRead(t *testing.T) {
	w := newWorld(t, 1, "t")
	w.services(w.options(mapped("s:t", "")))
	w.produce(record(0, "x", `{"a":1}`, 2000), record(0, "y", `{"a":1}`, 2000))
	log := &Log{w.reader}
	changed(t, log.same(t.Context(), []Part{{Topic: "t", Until: 3}}), "t/0: the log ends at offset 2, below 3")
	if err := log.same(t.Context(), []Part{{Topic: "t", Until: 2}}); err != nil {
		t.Error(err)
	}
	err := log.Each(t.Context(), &Part{Topic: "t", TopicID: kafka.TopicID{1}}, 0, 2, func(decode.Record) error { return nil })
	changed(t, err, "reading t/0 from offset 0: t/0: the topic was created again")
}

// What does not come is not waited for without end.
func TestReadingIsBounded(t *testing.T) {
	w := newWorld(t, 1, "t")
	w.services(w.options(mapped("s:t", "")))
	w.produce(record(0, "x", `{"a":1}`, 2000))
	was := readLimit
	defer func() { readLimit = was }()
	readLimit = 300 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	read := 0
	err := (&Log{w.reader}).Each(ctx, &Part{Topic: "t"}, 0, 2, func(decode.Record) error { read++; return nil })
	if fails(t, err, "reading t/0 from offset 1 up to 2: nothing came within 300ms"); read != 1 {
		t.Errorf("%d records were read, want the 1 that there is", read)
	}
}
