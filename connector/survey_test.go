package connector

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"rowmark/connector/config"
	"rowmark/hbase"
	"rowmark/hbase/hbasetest"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// live are embedded services, and a client of each that prepares them.
type live struct {
	t     *testing.T
	kafka *kfake.Cluster
	base  *hbasetest.Cluster
	admin *hbase.Admin
}

func newLive(t *testing.T) *live {
	t.Helper()
	l := &live{t: t}
	var err error
	if l.kafka, err = kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(3, "orders"), kfake.SeedTopics(2, "orders-eu"), kfake.SeedTopics(1, "orders-us")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.kafka.Close)
	if l.base, err = hbasetest.Start(hbasetest.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.base.Close() })
	client, err := hbase.Open(t.Context(), l.base.Config())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	l.admin = client.Admin()
	return l
}

func (l *live) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *live) table(name string, change func(*hbase.TableSchema)) {
	l.t.Helper()
	s := goodTable()
	s.Name = name
	s.AddCoprocessor(MultiRowEndpoint)
	if change != nil {
		change(&s)
	}
	l.must(l.admin.CreateTable(l.t.Context(), s))
}

// checkpoints makes the checkpoint table.
func (l *live) checkpoints(change func(*hbase.TableSchema)) {
	l.table("rowmark", func(s *hbase.TableSchema) {
		s.Families = []hbase.FamilySchema{{Name: CheckpointFamily, Attributes: map[string]string{}}}
		if change != nil {
			change(s)
		}
	})
}

func (l *live) compacted(topic string) {
	l.t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(l.kafka.ListenAddrs()...))
	l.must(err)
	defer client.Close()
	compact := "compact"
	_, err = kadm.NewClient(client).CreateTopic(l.t.Context(), 1, 1, map[string]*string{"cleanup.policy": &compact}, topic)
	l.must(err)
}

// head is a configuration without tables, six lines long.
func (l *live) head() string {
	return fmt.Sprintf("sink: s\nkafka:\n  brokers: [\"%s\"]\nhbase:\n  zookeeper: [\"%s\"]\ntables:\n", l.kafka.ListenAddrs()[0], l.base.ZooKeeper())
}

// mappingText is one mapping, of five lines.
func mappingText(topics, table, column string) string {
	return fmt.Sprintf("  - topics: [%s]\n    table: %s\n    row_key: [{field: key}]\n    columns: [%s]\n    on_tombstone: ignore\n", topics, table, column)
}

const putValue = "{field: value, to: \"d:v\"}"

func (l *live) survey(text string, over ...config.Override) *Survey {
	l.t.Helper()
	c, err := config.Parse("x.yaml", []byte(text), over...)
	l.must(err)
	s, err := NewSurvey(l.t.Context(), c, zerolog.Nop())
	l.must(err)
	return s
}

// wantFaults compares the faults with their codes and beginnings.
func wantFaults(t *testing.T, s *Survey, want ...string) {
	t.Helper()
	for i, f := range s.Faults {
		got := fmt.Sprintf("%d %s", f.Code, f.Error())
		if i >= len(want) || !strings.HasPrefix(got, want[i]) {
			t.Errorf("got  %s", got)
			if i < len(want) {
				t.Errorf("want %s", want[i])
			}
		}
	}
	if len(s.Faults) < len(want) {
		t.Errorf("%d faults, want %d, the last %s", len(s.Faults), len(want), want[len(want)-1])
	}
}

func TestSurveyOfWhatIsRight(t *testing.T) {
	l := newLive(t)
	l.checkpoints(nil)
	l.table("good", nil)
	l.table("plain", func(s *hbase.TableSchema) { s.Attributes = nil })
	l.must(l.admin.CreateTable(t.Context(), hbase.TableSchema{Name: "bare", Families: []hbase.FamilySchema{
		{Name: "d"}, {Name: "_k", Attributes: MarkFamilySettings(0).Attributes()},
	}}, []byte("m")))
	s := l.survey(l.head() + mappingText("orders", "good", putValue) + mappingText(`"/orders-.*/", "/nothing.*/"`, "bare", putValue))
	wantFaults(t, s)
	topics := fmt.Sprintf("%+v", s.Topics)
	if want := "[{Name:orders Partitions:3 Patterns:[]} {Name:orders-eu Partitions:2 Patterns:[/orders-.*/]} {Name:orders-us Partitions:1 Patterns:[/orders-.*/]}]"; topics != want {
		t.Errorf("topics %s, want %s", topics, want)
	}
	if len(s.Tables) != 2 || s.Tables[0].Name != "default:bare" || s.Tables[0].Regions != 2 || s.Tables[0].Commit != "row by row" ||
		!strings.Contains(s.Tables[0].Because, "coprocessor missing") || s.Tables[1] != (TableFound{"default:good", 1, "region transactions", ""}) {
		t.Errorf("tables %+v", s.Tables)
	}
	rows, err := l.base.Dump("rowmark")
	if err != nil || len(rows) != 0 {
		t.Errorf("the survey left %d rows in the checkpoint table (%v)", len(rows), err)
	}
	wantFaults(t, l.survey(l.head()+"# at least once\n"+mappingText("orders", "plain", putValue)+"delivery: at-least-once\n"))
}

// One survey finds what is wrong with topics and tables of every kind.
func TestSurveyFindsAllAtOnce(t *testing.T) {
	l := newLive(t)
	l.checkpoints(nil)
	l.compacted("totals")
	family := func(name, key, value string) func(*hbase.TableSchema) {
		return func(s *hbase.TableSchema) { s.Family(name).Attributes[key] = value }
	}
	attribute := func(key, value string) func(*hbase.TableSchema) {
		return func(s *hbase.TableSchema) { s.Attributes[key] = value }
	}
	l.table("good", nil)
	l.table("expires", family("_k", "TTL", "60"))
	l.table("weak", attribute("DURABILITY", "SKIP_WAL"))
	l.table("away", nil)
	l.must(l.admin.DisableTable(t.Context(), "away"))
	l.table("empty", func(s *hbase.TableSchema) {
		s.Families = []hbase.FamilySchema{{Name: "x"}}
		s.Attributes["READONLY"] = "true"
	})
	text := l.head()
	for _, m := range [][]string{
		{"orders", "good", putValue},
		{"ordesr", "missing", putValue},
		{"orders", "expires", putValue},
		{"orders", "weak", putValue},
		{"orders", "away", putValue},
		{"orders", "empty", `{field: value, to: "d:v"}, {field: value, to: "e:v"}`},
		{"totals", "good", `{literal: "1", to: "d:n", op: increment}`},
		{`"/orders-e.*/"`, "good", `{field: value, to: "d:w"}`},
		{`"/.*-eu/"`, "good", `{field: value, to: "d:w"}`},
	} {
		text += mappingText(m[0], m[1], m[2])
	}
	text = strings.Replace(text, "hbase:\n", "  partitions: {orders: [0, 3]}\nhbase:\n", 1)
	s := l.survey(text)
	wantFaults(t, s,
		`6 x.yaml:4: kafka.partitions.orders[1]: "3": topic orders has 3 partitions, from 0 on`,
		`4 x.yaml:8: tables: "orders-eu": two mappings match this topic and may write the same column of table default:good`,
		`6 x.yaml:8: tables: "totals": topic totals is compacted, and its mapping increments`,
		`6 x.yaml:13: tables[1].topics[0]: "ordesr": the brokers know no such topic: create it, or correct its name`,
		`7 x.yaml:14: tables[1].table: "missing": describing table default:missing: there is no such table; run rowmark init`,
		`7 x.yaml:19: tables[2].table: "expires": mark family _k of table expires must have TTL => 'FOREVER'`,
		`7 x.yaml:24: tables[3].table: "weak": table weak has DURABILITY SKIP_WAL`,
		`7 x.yaml:29: tables[4].table: "away": table default:away is disabled; enable it`,
		`7 x.yaml:34: tables[5].table: "empty": table empty is read-only; alter it with READONLY => 'false'; and table empty has no column family d; run rowmark init; and table empty has no column family e; run rowmark init; and table empty has no mark family _k; run rowmark init`,
	)
	if len(s.Topics) != 3 || len(s.Tables) != 1 || s.Tables[0].Name != "default:good" {
		t.Errorf("what is right: %+v %+v", s.Topics, s.Tables)
	}
}

func TestSurveyOfTheTopicOfLetters(t *testing.T) {
	l := newLive(t)
	l.checkpoints(nil)
	l.table("good", nil)
	l.compacted("totals")
	text := l.head() + mappingText("orders", "good", putValue)
	for topic, want := range map[string][]string{
		"orders-us": nil,
		"none":      {`6 x.yaml:12: dead_letters.topic: "none": topic none can't take dead letters (dead_letters.topic): the brokers know no such topic`},
		"totals":    {`6 x.yaml:12: dead_letters.topic: "totals": topic totals can't take dead letters (dead_letters.topic): it is compacted`},
	} {
		wantFaults(t, l.survey(text+"dead_letters: {topic: "+topic+"}\n"), want...)
	}
}

func TestSurveyOfTheCheckpointTable(t *testing.T) {
	l := newLive(t)
	l.table("good", nil)
	text := l.head() + mappingText("orders", "good", putValue)
	wantFaults(t, l.survey(text), `7 x.yaml:5: hbase.checkpoint_table: "rowmark": the checkpoint table rowmark can't be used; run rowmark init`)

	l.checkpoints(func(s *hbase.TableSchema) { s.Family(CheckpointFamily).Attributes["TTL"] = "60" })
	wantFaults(t, l.survey(text), `1 x.yaml:5: hbase.checkpoint_table: "rowmark": family c of the checkpoint table rowmark has a TTL of 60 s`)

	l.must(l.admin.SetFamilyAttributes(t.Context(), "rowmark", CheckpointFamily, map[string]string{"TTL": "2147483647"}))
	wantFaults(t, l.survey(text))
	client, err := hbase.Open(t.Context(), l.base.Config())
	l.must(err)
	defer client.Close()
	l.must((&Store{Client: client, Table: "rowmark", Sink: "s"}).BindSink(t.Context(), "another"))
	wantFaults(t, l.survey(text), `2 x.yaml:1: sink: "s": sink "s" belongs to the Kafka cluster another`)

	wantFaults(t, l.survey(l.head()+mappingText(`"/nothing.*/"`, "good", putValue)),
		`2 x.yaml:1: sink: "s": sink`, `6 x.yaml:7: tables: no topic matches any of the patterns`)
}

// All services are told of, and the wait ends.
func TestSurveyOfWhatIsAway(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	text := "sink: s\nkafka: {brokers: [\"127.0.0.1:1\"]}\nhbase: {zookeeper: [\"127.0.0.1:1\"], start_timeout: 1s}\nschema_registry: {urls: [\"http://127.0.0.1:1\"]}\ntables:\n" + mappingText("orders", "good", putValue)
	c, err := config.Parse("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSurvey(ctx, c, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	wantFaults(t, s, `3 x.yaml:2: kafka.brokers: "127.0.0.1:1": no broker answers as it should: reaching kafka`, `3 x.yaml:3: hbase.zookeeper: "127.0.0.1:1": HBase is not reached`,
		`3 x.yaml:4: schema_registry.urls: "http://127.0.0.1:1": the schema registry does not answer as it should: `)
	cancel()
	if _, err := NewSurvey(ctx, c, zerolog.Nop()); err == nil {
		t.Error("a survey that was stopped tells of nothing")
	}
}
