package audit_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"rowmark/connector/audit"
	"rowmark/connector/config"
	"rowmark/connector/core"
	"rowmark/connector/mapping"
	"rowmark/hbase"
	"rowmark/kafka"

	"github.com/twmb/franz-go/pkg/kadm"
)

const randomMappings = `tables:
  - topics: [t]
    table: x
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns:
      - {field: value.a, to: "d:a"}
      - {field: value.b, to: "d:b"}
      - {field: value.n, to: "c:n", op: increment}
      - {field: value.l, to: "l:l", op: append}
      - {fields: "value.w.*", to_family: w}
    on_null: delete
    on_tombstone: delete-row
    on_error: %s
  - topics: [t]
    table: y
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns: [{fields: "value.w.*", to_family: w}]
    replace: true
    on_tombstone: delete-row
    on_error: %[1]s
  - topics: [t]
    table: z
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns: [{field: value.a, to: "d:a"}, {field: value.b, to: "d:b"}]
    on_null: delete
    on_tombstone: delete-row
    order: time
    on_error: %[1]s
`

// randomLog writes records of few rows: late ones, many of one millisecond, deletes, nulls, and some that are no records.
func (w *world) randomLog(random *rand.Rand, partitions int32, n int) {
	w.t.Helper()
	for range n {
		key := fmt.Sprint("k", random.IntN(12))
		at := 1_764_400_000_000 + random.Int64N(6)
		value := ""
		switch random.IntN(8) {
		case 0:
		case 1:
			value = "{"
		case 2:
			value = `{"a":null,"b":1}`
		case 3:
			value = fmt.Sprintf(`{"a":%d,"n":%d,"w":{"x":%d}}`, random.IntN(3), random.IntN(5), random.IntN(9))
		case 4:
			value = fmt.Sprintf(`{"l":"%c"}`, 'a'+rune(random.IntN(26)))
		case 5:
			value = fmt.Sprintf(`{"w":{"y%d":1,"x":null}}`, random.IntN(40))
		default:
			value = fmt.Sprintf(`{"a":%d,"b":%d,"n":1,"l":"z"}`, random.IntN(4), random.IntN(4))
		}
		w.produce(random.Int32N(partitions), at, key, value)
	}
}

// totals adds up what was found of all sources.
func totals(r *audit.Report) audit.SourceReport {
	var sum audit.SourceReport
	for _, s := range r.Sources {
		sum.Records += s.Records
		sum.Letters += s.Letters
		sum.Skipped += s.Skipped
		sum.Rows += s.Rows
		sum.Right += s.Right
		sum.Lost += s.Lost
		sum.Doubled += s.Doubled
		sum.Stale += s.Stale
		sum.Unexplained += s.Unexplained
		sum.NotJudged += s.NotJudged
	}
	return sum
}

// What a connector wrote is never found wrong, whatever the log, and from wherever it is read.
func TestCleanRunsAreRight(t *testing.T) {
	for _, c := range []struct {
		partitions int32
		onError    string
	}{{1, "dead-letter"}, {3, "skip"}, {1, "skip"}, {2, "dead-letter"}} {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%d partitions, %s, seed %d", c.partitions, c.onError, seed), func(t *testing.T) {
				w := newWorld(t, c.partitions, fmt.Sprintf(randomMappings, c.onError))
				random := rand.New(rand.NewPCG(seed, 1))
				w.randomLog(random, c.partitions, 60)
				w.run()
				w.randomLog(random, c.partitions, 60)
				w.run()
				whole := w.verify(w.auditor())
				sum := totals(whole)
				if whole.Found > 0 || sum.Right+sum.NotJudged != sum.Rows || sum.Records != 120 || sum.Letters+sum.Skipped == 0 {
					t.Errorf("%+v\n%+v", sum, whole.Findings)
				}
				if sum.Right == 0 || c.partitions == 1 && sum.NotJudged > sum.Rows/2 {
					t.Errorf("too little was judged: %+v", whole.Sources)
				}
				for _, bounds := range [][2]audit.Bound{{audit.At(20)}, {{}, audit.At(30)}, {audit.At(10), audit.At(25)}, {audit.Since(kafka.AtTime(1_764_400_000_004))}, {audit.Earliest, audit.Checkpoint}} {
					v := w.auditor()
					v.From, v.To = bounds[0], bounds[1]
					if r := w.verify(v); r.Found > 0 {
						t.Errorf("%v: %+v", bounds, r.Findings)
					}
				}
				// Held in small parts, the same is found.
				v := w.auditor()
				v.Held = 20
				if small := w.verify(v); !reflect.DeepEqual(small.Sources, whole.Sources) {
					t.Errorf("in parts %+v, at once %+v", small.Sources, whole.Sources)
				}
			})
		}
	}
}

// Verify writes nothing, and less of the rows may be judged.
func TestVerifyOnlyReads(t *testing.T) {
	w := newWorld(t, 1, fmt.Sprintf(randomMappings, "dead-letter"))
	w.randomLog(rand.New(rand.NewPCG(7, 7)), 1, 50)
	w.run()
	w.write("x", "k1", hbase.KindDelete, cell(hbase.CellDeleteFamily, "d", "", 1_900_000_000_000, ""))
	dump := func() (out [][]hbase.Row) {
		for _, name := range []string{"x", "y", "z", "rowmark", "rowmark_dead_letters"} {
			rows, err := w.base.DumpRaw(name)
			must(t, err)
			out = append(out, rows)
		}
		return out
	}
	before, writes := dump(), w.writes.Load()
	all := totals(w.verify(w.auditor()))
	few := w.auditor()
	few.Rows = 6
	if got := totals(w.verify(few)); got.Rows == 0 || got.Rows > 6 || got.Records != all.Records {
		t.Errorf("of 6 rows: %+v", got)
	}
	share := w.auditor()
	share.Share = 0.5
	if got := totals(w.verify(share)); got.Rows >= all.Rows || got.Records != all.Records {
		t.Errorf("of half the rows %d, of all %d", got.Rows, all.Rows)
	}
	if w.writes.Load() != writes || !reflect.DeepEqual(before, dump()) {
		t.Errorf("verify wrote")
	}
}

// Of a compacted topic a record may be gone that raised its row's floor: what it left is not found wrong.
func TestCompactedRecordsAreNotMissed(t *testing.T) {
	const text = `tables:
  - topics: [t]
    table: x
    key: {format: string}
    value: {format: json}
    row_key: [{field: key}]
    columns: [{field: value.a, to: "d:a"}, {field: value.b, to: "d:b"}]
    on_tombstone: ignore
`
	for _, policy := range []string{"delete", "compact"} {
		w := newWorld(t, 1, text)
		alter := []kadm.AlterConfig{{Op: kadm.SetConfig, Name: "cleanup.policy", Value: &policy}}
		_, err := kadm.NewClient(w.producer).AlterTopicConfigs(t.Context(), alter, "t")
		must(t, err)
		w.produce(0, noon+100, "k", `{"a":"gone","b":"1"}`)
		w.produce(0, noon, "k", `{"a":"late"}`)
		w.run()
		// The mapping leaves out what compaction would have taken.
		c, err := config.Parse("x.yaml", []byte("sink: s\nkafka: {brokers: [\"b:1\"]}\nhbase: {zookeeper: [z]}\n"+text+"    filter: value.a != \"gone\"\n"))
		must(t, err)
		v := w.auditor()
		v.Mapping = func(kafka.TopicPartition, *core.Checkpoint) (*mapping.Set, []string, error) {
			return c.Mappings, nil, nil
		}
		r := w.verify(v)
		if found := r.Found > 0; found != (policy == "delete") || r.Sources[0].Rows != 1 {
			t.Errorf("%s: %+v, %+v", policy, r.Findings, r.Sources)
		}
	}
}
