package demo

import (
	"context"
	"strconv"
	"strings"
)

// stay leaves the embedded services up until ctx is cancelled.
func (s *session) stay(ctx context.Context, failed error) {
	if failed != nil {
		s.out.say("")
		s.out.say("%v", failed)
	}
	s.explainServices("Kafka and HBase stay up until Ctrl-C:")
	s.explainTry("From this folder, in another terminal:")
	<-ctx.Done()
	s.out.say("")
	s.out.say("Stopped; Kafka, HBase and all files are gone.")
}

// explainKept is the end of a demo whose real services are kept.
func (s *session) explainKept() {
	s.explainServices("Kafka and HBase stay up:")
	s.explainTry("Look around with:")
	var pids []string
	for _, p := range s.services.pids() {
		pids = append(pids, strconv.Itoa(p))
	}
	s.out.say("")
	s.out.say("Stop them and remove all with:")
	s.out.say("  kill -9 %s; rm -r %s", strings.Join(pids, " "), s.dir)
}

func (s *session) explainServices(head string) {
	s.out.say("")
	s.out.say("%s", head)
	s.out.say("  Kafka          %s (topic %s)", strings.Join(s.services.brokers(), ","), topic)
	s.out.say("  ZooKeeper      %s (tables %s, %s)", strings.Join(s.services.zooKeeper(), ","), ordersTable, customersTable)
	s.out.say("  configuration  %s", s.configFile())
}

// explainTry proposes commands. A demo's log has been read to its end, so that run has something to do only when the
// checkpoints go back: then it shows that nothing is doubled by it.
func (s *session) explainTry(head string) {
	s.out.say("")
	s.out.say("%s", head)
	for _, c := range [][2]string{
		{"offsets show", "where the checkpoints stand"},
		{"init --dry-run", "what init would do: nothing is missing"},
		{"offsets set --to earliest --yes", "send the connector back to the beginning"},
		{"run --once", "read all again: no row is written, as the last line says, for each holds its records already"},
	} {
		s.out.say("  # %s", c[1])
		s.out.say("  %s %s -c %s", s.opts.Command, c[0], s.configFile())
	}
	s.out.say("The configuration in the README fits these orders too, with the two addresses above.")
}

// starter is a configuration to begin with.
const starter = `sink: orders                     # pinned name, part of every mark: never change it
kafka:
  brokers: [localhost:9092]
hbase:
  zookeeper: [localhost:2181]
tables:
  - topics: [orders]
    table: shop:orders
    key: {format: string}
    value: {format: json}
    row_key: [{salt: 16, of: [key]}, {field: key}]
    columns:
      - {field: value.status, to: "d:status"}
      - {field: value.items, to: "c:items", op: increment}
    on_tombstone: delete-row     # of family d; counters stay
`

// explainNext is the end of a demo that leaves nothing.
func (s *session) explainNext() {
	s.out.say("")
	s.out.say("Next:")
	s.out.say("  %s demo --keep   the same, with Kafka and HBase left up to try the other commands on", s.opts.Command)
	if !s.opts.Real {
		s.out.say("  %s demo --real   the same on a real Kafka and a real HBase (needs a JDK and Maven)", s.opts.Command)
	}
	s.out.say("")
	s.out.say("For records of your own begin with a rowmark.yaml like this one, then `%[1]s init` and `%[1]s run`:", s.opts.Command)
	s.out.say("")
	for line := range strings.Lines(starter) {
		s.out.say("%s", strings.TrimRight(line, "\n"))
	}
}
