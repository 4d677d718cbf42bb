package reprocess

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"rowmark/connector"
	"rowmark/connector/core"

	"github.com/twmb/franz-go/pkg/kadm"
)

// said demands that one of the lines told holds a text.
func (w *world) said(text string) {
	w.t.Helper()
	if !slices.ContainsFunc(w.told, func(line string) bool { return strings.Contains(line, text) }) {
		w.t.Errorf("nothing said of %q among\n%s", text, strings.Join(w.told, "\n"))
	}
}

// fails demands an error that holds a text.
func fails(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want one with %q", err, text)
	}
}

// A window that retention has cut is refused, and with Partial what is left of it is written.
func TestRetentionCut(t *testing.T) {
	w := newWorld(t, 1, "t")
	for i := range int64(8) {
		w.produce(record(0, fmt.Sprint(i), fmt.Sprintf(`{"a":%d}`, i), 1000+1000*i))
	}
	old, anew := w.options(mapped("s:t", "old")), w.options(mapped("s:t", "new"))
	w.init(old)
	w.once(old)
	gone := kadm.Offsets{}
	gone.Add(kadm.Offset{Topic: "t", Partition: 0, At: 4})
	if _, err := kadm.NewClient(w.client).DeleteRecords(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	req := Request{Window: Window{3000, 7000}}
	_, err := w.runner(anew).Run(t.Context(), req)
	var stop *core.StopError
	if !errors.As(err, &stop) || stop.Cause != core.CauseHole {
		t.Errorf("error %v, want one of a hole", err)
	}
	fails(t, err, "t/0 begins at offset 4 with a record of 1970-01-01T00:00:05Z, so that records from 1970-01-01T00:00:03Z on may be missing")
	if runs, err := w.runner(anew).runs().List(t.Context()); err != nil || len(runs) > 0 {
		t.Errorf("a run that was refused is written down: %+v, %v", runs, err)
	}
	if rep := w.run(anew, Request{Window: Window{6000, 7000}}); rep.InWindow() != 1 {
		t.Errorf("of a window that is whole %d records were written, want 1", rep.InWindow())
	}
	req.Partial = true
	if rep := w.run(anew, req); rep.InWindow() != 2 || len(rep.Notes) != 1 {
		t.Errorf("%d records, notes %q", rep.InWindow(), rep.Notes)
	}
	w.shows("s:t", "0 d:a=old0", "1 d:a=old1", "2 d:a=old2", "3 d:a=old3", "4 d:a=new4", "5 d:a=new5", "6 d:a=old6", "7 d:a=old7")
}

// Of a partition that the live connector has not written there is nothing to do; and of none at all, no run.
func TestPartitionsAdded(t *testing.T) {
	w := newWorld(t, 1, "t")
	old, anew := w.options(mapped("s:t", "old")), w.options(mapped("s:t", "new"))
	w.init(old)
	w.produce(record(0, "x", `{"a":1}`, 1000))
	req := Request{Window: Window{500, 5000}}
	_, err := w.runner(anew).Run(t.Context(), req)
	fails(t, err, "sink live has no checkpoint")
	w.once(old)
	if _, err := kadm.NewClient(w.client).CreatePartitions(t.Context(), 1, "t"); err != nil {
		t.Fatal(err)
	}
	w.client.ForceMetadataRefresh()
	deadline := time.Now().Add(10 * time.Second)
	for w.client.ProduceSync(t.Context(), record(1, "y", `{"a":2}`, 1000)).FirstErr() != nil && time.Now().Before(deadline) {
		w.client.ForceMetadataRefresh()
	}
	rep := w.run(anew, req)
	w.said("t/1 has no checkpoint")
	if len(rep.Parts) != 1 {
		t.Errorf("parts %+v", rep.Parts)
	}
	w.shows("s:t", "x d:a=new1")
}

// What counts is refused, and counts once in a table of its own, however often the run is killed.
func TestCountsGoElsewhere(t *testing.T) {
	const counting = `  - topics: [t]
    table: s:sums
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {field: value.a, to: "c:sum", op: increment}
      - {literal: "x", to: "c:list", op: append}
    on_tombstone: ignore
`
	w := newWorld(t, 2, "t")
	opts := w.options(counting)
	w.init(opts)
	for i := range int64(60) {
		w.produce(record(int32(i%2), fmt.Sprint(i%2), `{"a":1}`, 1000+i))
	}
	w.once(opts)
	req := Request{Window: Window{1010, 1050}}
	_, err := w.runner(opts).Run(t.Context(), req)
	fails(t, err, "increment of column c:sum in table s:sums, append of column c:list in table s:sums")
	req.Into = map[string]string{"s:sums": "s:again"}
	if opts.Mappings, err = opts.Mappings.Into(req.Into, nil); err != nil {
		t.Fatal(err)
	}
	w.init(opts)
	for i := range 4 {
		w.killed(opts, req, time.Duration(10*i)*time.Millisecond)
	}
	w.run(opts, req)
	sum := string(binary.BigEndian.AppendUint64(nil, 20))
	list := strings.Repeat("x", 20)
	w.shows("s:again", "0 c:list="+list+" c:sum="+sum, "1 c:list="+list+" c:sum="+sum)
	sum, list = string(binary.BigEndian.AppendUint64(nil, 30)), strings.Repeat("x", 30)
	w.shows("s:sums", "0 c:list="+list+" c:sum="+sum, "1 c:list="+list+" c:sum="+sum)

	before := w.seen("s:again")
	if rep := w.run(opts, req); !rep.Already {
		t.Errorf("the same run once more: %+v", rep)
	}
	req.Window.To++
	_, err = w.runner(opts).Run(t.Context(), req)
	fails(t, err, "table s:again holds rows already, and the mapping counts: increment of column c:sum")
	_, err = w.runner(opts).DryRun(t.Context(), req, 1)
	fails(t, err, "table s:again holds rows already")
	w.shows("s:again", before...)
}

// A range with more rows than may be remembered stops, and says where and what to do.
func TestRowsAreBounded(t *testing.T) {
	w := newWorld(t, 1, "t")
	old, anew := w.options(mapped("s:t", "old")), w.options(mapped("s:t", "new"))
	w.init(old)
	for i := range int64(20) {
		w.produce(record(0, fmt.Sprint(i), `{"a":1}`, 1000+i))
	}
	w.once(old)
	r := w.runner(anew)
	r.MaxRows = 10
	_, err := r.Run(t.Context(), Request{Window: Window{1000, 2000}})
	fails(t, err, "t/0: offset 10: the rows that the range writes are more than 10 (--reprocess-rows)")
}

// An id stands for one window, one mapping and the same tables; what is left of a run that was half removed is not taken for
// a new one's.
func TestIDsAreForOneThing(t *testing.T) {
	w := newWorld(t, 1, "t")
	old, anew := w.options(mapped("s:t", "old")), w.options(mapped("s:t", "new"))
	w.init(old)
	w.produce(record(0, "x", `{"a":1}`, 1000))
	w.once(old)
	req := Request{ID: "one", Window: Window{500, 5000}}
	w.run(anew, req)
	_, err := w.runner(old).Run(t.Context(), req)
	fails(t, err, "id one was made for another mapping")
	_, err = w.runner(anew).Run(t.Context(), Request{ID: "one", Window: Window{500, 5001}})
	fails(t, err, "id one was made for the window 1970-01-01T00:00:00.5Z/1970-01-01T00:00:05Z")

	runs := w.runner(anew).runs()
	e, err := runs.read(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	if err := runs.remove(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	_, err = w.runner(anew).Run(t.Context(), req)
	fails(t, err, "checkpoints of an earlier run one are left")
}

// A topic of a pattern that was deleted is named, and left out with Partial, while the rest is written.
func TestTopicsThatAreGone(t *testing.T) {
	w := newWorld(t, 1, "t", "t2")
	all := func(prefix string) string {
		return strings.Replace(mapped("s:t", prefix), "topics: [t]", `topics: ["/t.*/"]`, 1) + "    on_tombstone: ignore\n"
	}
	old, anew := w.options(all("old")), w.options(all("new"))
	w.init(old)
	gone := record(0, "y", `{"a":1}`, 2000)
	gone.Topic = "t2"
	w.produce(record(0, "x", `{"a":1}`, 2000), gone)
	w.once(old)
	if _, err := kadm.NewClient(w.client).DeleteTopics(t.Context(), "t2"); err != nil {
		t.Fatal(err)
	}
	req := Request{Window: Window{1900, 3000}}
	_, err := w.runner(anew).Run(t.Context(), req)
	fails(t, err, "t2/0: the brokers know no such topic or partition any more, of which the live connector has a checkpoint; --partial goes on without it")
	if code := connector.ExitCode(err); code != connector.ExitTopic {
		t.Errorf("exit code %d, want that of a topic", code)
	}
	req.Partial = true
	if rep := w.run(anew, req); rep.InWindow() != 1 || rep.State != Done {
		t.Errorf("%+v", rep)
	}
	w.said("t2/0 is left out")
	w.shows("s:t", "x d:a=new1", "y d:a=old1")
}
