package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"rowmark/connector"
	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"

	"github.com/twmb/franz-go/pkg/kgo"
)

func TestRebuildRefusesFlags(t *testing.T) {
	file := offline(t)
	for _, c := range []struct{ args, reason string }{
		{"--from earliest -o yaml", "use text or json"},
		{"--from earliest -o json", "give --yes or --dry-run"},
		{"--from earliest", "there is no terminal to ask on"},
		{"--from soon --yes", `--from "soon"`},
		{"--from earliest --incarnation 1@0", "--incarnation: it needs --partition or --topic"},
		{"--from earliest --topic orders --incarnation 1", `--incarnation "1"`},
	} {
		command("", append(strings.Fields("offsets rebuild "+c.args), "-c", file)...).wants(t, connector.ExitConfig, "", c.reason)
	}
	if got := command("", "offsets", "rebuild", "-c", file); !strings.Contains(got.errors, `"from" not set`) {
		t.Errorf("without --from: %+v", got)
	}
}

// lossy is a sink on embedded services whose checkpoints are taken away.
type lossy struct {
	t        *testing.T
	file     string
	producer *kgo.Client
	hbase    *hbase.Client
}

// newLossy adds some lines to the mapping.
func newLossy(t *testing.T, more string) *lossy {
	t.Helper()
	file, producer := startServices(t)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	l := &lossy{t: t, file: writeFile(t, "rowmark.yaml", string(text)+more+"checkpoint: {interval: 100ms, lease: 300ms}\n"), producer: producer}
	_, zookeeper, _ := strings.Cut(string(text), `hbase: {zookeeper: ["`)
	zookeeper, _, _ = strings.Cut(zookeeper, `"`)
	if l.hbase, err = hbase.Open(t.Context(), hbase.Config{ZooKeeper: []string{zookeeper}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.hbase.Close)
	l.command("init").wants(t, 0, "", "")
	return l
}

func (l *lossy) command(args ...string) result { return command("", append(args, "-c", l.file)...) }

// send writes one record for each key, whose status is given, at a time given in seconds.
func (l *lossy) send(status string, at int64, keys ...string) {
	l.t.Helper()
	for _, key := range keys {
		r := &kgo.Record{Topic: "orders", Key: []byte(key), Value: fmt.Appendf(nil, `{"status":%q}`, status), Timestamp: time.Unix(1_764_400_000+at, 0)}
		if err := l.producer.ProduceSync(l.t.Context(), r).FirstErr(); err != nil {
			l.t.Fatal(err)
		}
	}
}

// rows gives "key status count" of each row.
func (l *lossy) rows() string {
	l.t.Helper()
	var out []string
	err := l.hbase.Scan(l.t.Context(), "shop:orders", hbase.Scan{Columns: []hbase.Column{{Family: []byte("c")}, {Family: []byte("d")}}}, func(r hbase.Row) error {
		out = append(out, fmt.Sprintf("%s %s %d", r.Row, r.Cells[1].Value, binary.BigEndian.Uint64(r.Cells[0].Value)))
		return nil
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return strings.Join(out, ", ")
}

func (l *lossy) wants(rows string) {
	l.t.Helper()
	if got := l.rows(); got != rows {
		l.t.Fatalf("the rows are\n%s, want\n%s", got, rows)
	}
}

func (l *lossy) drop(table string) {
	l.t.Helper()
	admin := l.hbase.Admin()
	if err := admin.DisableTable(l.t.Context(), table); err != nil {
		l.t.Fatal(err)
	}
	if err := admin.DeleteTable(l.t.Context(), table); err != nil {
		l.t.Fatal(err)
	}
}

// The table of checkpoints is lost with records waiting, and all that is known is in the marks.
func TestRebuildAfterTheTableIsLost(t *testing.T) {
	l := newLossy(t, "")
	l.send("first", 100, "a", "b", "c")
	l.command("run", "--once").wants(t, 0, "", "")
	l.command("offsets", "rebuild", "--from", "earliest", "--yes").wants(t, connector.ExitOther, "", "sink s has 2 checkpoints")
	l.command("offsets", "rebuild", "--from", "earliest", "--yes", "--partition", "orders/0").wants(t, connector.ExitOther, "", "orders/0 has a checkpoint, at offset 3")
	l.command("offsets", "rebuild", "--from", "earliest", "--yes", "--partition", "orders").wants(t, connector.ExitConfig, "", "write topic/partition")
	l.command("offsets", "rebuild", "--from", "earliest", "--yes", "--partition", "other/0").wants(t, connector.ExitConfig, "", "none that the file has read")
	l.drop("rowmark")
	l.send("late", 50, "b")
	l.send("second", 200, "c", "d")
	l.command("run", "--once").wants(t, connector.ExitTable, "", "rowmark")
	l.command("offsets", "rebuild", "--from", "earliest", "--yes").wants(t, connector.ExitTable, "", "rowmark init makes")
	l.command("init").wants(t, 0, "", "")

	dry := l.command("offsets", "rebuild", "--from", "earliest", "--dry-run", "-o", "json")
	var lines []rebuilt
	if err := json.Unmarshal([]byte(dry.out), &lines); err != nil {
		t.Fatalf("%v in %+v", err, dry)
	}
	if len(lines) != 2 || lines[0].Marks != 3 || lines[0].Reach != 3 || lines[0].ReadAgain != 3 || lines[0].LogEnd != 6 || lines[1].Marks != 0 {
		t.Errorf("got %+v", lines)
	}
	if got := l.command("offsets", "show", "-o", "json"); got.code != 0 || strings.Count(got.out, `"checkpoint": null`) != 2 {
		t.Errorf("a dry run left %+v", got)
	}

	// From past the first records: no record of b is read that would tell of its newer cell.
	l.command("offsets", "rebuild", "--from", "3", "--partition", "orders/0", "--yes").wants(t, 0, "orders  0          3           6        0            3      3      0\n", "table shop:orders: 3 marks")
	l.command("offsets", "rebuild", "--from", "0", "--topic", "orders", "--yes").wants(t, 0, "orders  1", "1 checkpoint written")
	l.command("run", "--once").wants(t, 0, "", "")
	l.wants("a first 1, b late 2, c second 2, d second 1")
	l.command("offsets", "set", "--to", "earliest", "--yes").wants(t, 0, "", "")
	l.command("run", "--once").wants(t, 0, "", "")
	l.wants("a first 1, b late 2, c second 2, d second 1")
}

// What the runbook warns of: a start past a row's first records, which retention may have taken, does not know how new its
// cells are, and writes a late record's cell below them. From a checkpoint that was rebuilt it is seen.
func TestLateRecordWithoutItsCheckpoint(t *testing.T) {
	for name, want := range map[string]string{"started": "a first 2", "rebuilt": "a late 2"} {
		t.Run(name, func(t *testing.T) {
			l := newLossy(t, "")
			l.send("first", 100, "a")
			l.command("run", "--once").wants(t, 0, "", "")
			l.drop("rowmark")
			l.command("init").wants(t, 0, "", "")
			l.send("late", 50, "a")
			if name == "rebuilt" {
				l.command("offsets", "rebuild", "--from", "1", "--partition", "orders/0", "--yes").wants(t, 0, "", "")
			}
			l.command("run", "--once", "--set=kafka.start=offset:1").wants(t, 0, "", "")
			l.wants(want)
		})
	}
}

// A connector that makes checkpoints while the operator does is told apart from one that died.
func TestRebuildIsRefusedBesideAConnector(t *testing.T) {
	l := newLossy(t, "")
	l.send("first", 100, "a")
	store := &connector.Store{Client: l.hbase, Table: "rowmark", Sink: "s"}
	live := core.Checkpoint{Position: core.Position{Epoch: 1, Owner: core.Owner{7}}, Who: "another host"}
	tp := kafka.TopicPartition{Topic: "orders", Partition: 1}
	if err := store.Create(t.Context(), tp, live); err != nil {
		t.Fatal(err)
	}
	if err := store.Create(t.Context(), tp, core.Checkpoint{Who: "a third"}); connector.ExitCode(err) != connector.ExitFenced {
		t.Errorf("a checkpoint was made twice: %v", err)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			was := live
			live.Beat++
			store.Swap(t.Context(), tp, was.Position.Encode(), live)
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	args := []string{"offsets", "rebuild", "--from", "earliest", "--partition", "orders/0", "--yes"}
	l.command(args...).wants(t, connector.ExitFenced, "", "another host; stop it first")
	close(stop)
	<-stopped
	l.command(args...).wants(t, 0, "", "1 checkpoint written")
}

// Where marks expire, a replay may not go back to those that are gone.
func TestRebuildKnowsHowLongMarksLive(t *testing.T) {
	l := newLossy(t, "")
	hours := func(n int) string { return time.Now().Add(-time.Duration(n) * time.Hour).UTC().Format(time.RFC3339) }
	ttl := "--set=marks.ttl=10h"
	for _, from := range []string{"earliest", "0", hours(6)} {
		l.command("offsets", "rebuild", "--dry-run", "--from", from, ttl).wants(t, connector.ExitConfig, "", "name a time within the last 5h")
	}
	l.command("offsets", "rebuild", "--dry-run", "--from", hours(4), ttl).wants(t, 0, "orders  0", "")
}

// A sink that takes another name goes on where the first stopped: its checkpoint is made under the new one.
func TestSinkTakesAnotherName(t *testing.T) {
	l := newLossy(t, "")
	l.send("first", 100, "a", "b")
	l.command("run", "--once").wants(t, 0, "", "")
	l.send("second", 200, "b", "c")
	renamed := "--set=sink=renamed"
	l.command("offsets", "rebuild", renamed, "--partition", "orders/0", "--from", "2", "--yes").wants(t, 0, "none; 2 offsets that no row tells of are passed by", "1 checkpoint written")
	l.command("run", "--once", renamed).wants(t, 0, "", "")
	l.wants("a first 1, b second 2, c second 1")
}

// A record that became a dead letter has its mark there alone: read again, it gets no second one, and its rows stay unwritten.
func TestRebuildKnowsDeadLetters(t *testing.T) {
	l := newLossy(t, "    on_error: dead-letter\n")
	l.send("first", 100, "a")
	bad := &kgo.Record{Topic: "orders", Key: []byte("b"), Value: []byte("{")}
	if err := l.producer.ProduceSync(t.Context(), bad).FirstErr(); err != nil {
		t.Fatal(err)
	}
	l.command("run", "--once").wants(t, 0, "", "")
	l.drop("rowmark")
	l.command("init").wants(t, 0, "", "")
	l.command("offsets", "rebuild", "--from", "earliest", "--yes").wants(t, 0, "orders  0          0           2        0            2      2      2\n", "table default:rowmark_dead_letters: 1 marks\n")
	l.command("run", "--once").wants(t, 0, "", "")
	l.command("dead-letters", "list", "--resolved", "-o", "json").wants(t, 0, `"orders/0/1"`, "")
	if got := l.command("dead-letters", "list", "--resolved", "-o", "json"); strings.Count(got.out, `"letter"`) != 1 {
		t.Errorf("the letters are %s", got.out)
	}
	l.wants("a first 1")
}
