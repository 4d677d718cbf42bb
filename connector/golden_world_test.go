package connector_test

import (
	"fmt"
	"strings"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

// The one partition, table and mark family of the histories.
const tableName = "tab"

var (
	markFamily = []byte("_k")
	partition  = kafka.TopicPartition{Topic: "orders"}
)

// The clocks at 0s of a script. Times of records are far below, so that nobody mistakes one for the other.
const (
	monoStart = time.Hour
	wallStart = int64(1_000_000)
)

// world plays a script: processes with the real core, and models of Kafka and HBase that hold it to what can be.
type world struct {
	now     time.Duration
	procs   map[string]*process
	started []*process
	actions map[string]*asked
	counts  map[byte]int
	hbase   store
	kafka   topic
	out     []string
}

type process struct {
	name    string
	core    *core.Core
	crashed bool
}

// asked is an action that was given a handle.
type asked struct {
	proc     *process
	action   core.Action
	answered bool
	landed   bool // of a swap: it reached HBase
	refused  bool // and its condition did not hold there
	rows     []*flight
}

// flight is a group of a write.
type flight struct {
	group           *core.Group
	answered        bool
	landed, refused bool
}

// replay gives the script with all answers as they are now; with an error, up to the line that can't be played.
func replay(lines []string) ([]string, error) {
	w := &world{procs: map[string]*process{}, actions: map[string]*asked{}, counts: map[byte]int{}, hbase: store{rows: map[string][]hbase.Cell{}}}
	for i, line := range lines {
		if strings.HasPrefix(line, outIndent) {
			continue
		}
		w.out = append(w.out, line)
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		if err := w.line(line); err != nil {
			return w.out, fmt.Errorf("line %d: %s: %w", i+1, line, err)
		}
	}
	return w.out, nil
}

func (w *world) say(format string, args ...any) {
	w.out = append(w.out, outIndent+fmt.Sprintf(format, args...))
}

// line plays one line of a script that is neither comment nor answer.
func (w *world) line(line string) error {
	f := strings.Fields(line)
	switch f[0] {
	case "topic":
		if len(f) != 2 || len(f[1]) != 1 {
			return fmt.Errorf("want topic and a digit")
		}
		w.kafka = topic{id: kafka.TopicID{f[1][0] - '0'}}
		return nil
	case "record":
		ops, err := parseRecord(strings.TrimSpace(strings.TrimPrefix(line, "record")))
		w.kafka.records = append(w.kafka.records, ops)
		return err
	case "retention":
		_, err := fmt.Sscan(strings.Join(f[1:], " "), &w.kafka.start)
		return err
	case "state":
		w.state()
		return nil
	case "expect":
		return w.expect(f[1:])
	}
	at, err := time.ParseDuration(strings.TrimPrefix(f[0], "@"))
	if err != nil || !strings.HasPrefix(f[0], "@") || len(f) < 3 {
		return fmt.Errorf("no such line")
	}
	if at < w.now {
		return fmt.Errorf("time goes back: it is %s", w.now)
	}
	w.now = at
	switch f[1] {
	case "start":
		return w.start(f[2], f[3:])
	case "lands":
		return w.lands(f[2], f[3:])
	case "crash":
		p, err := w.running(f[2])
		if err == nil {
			p.crashed = true
		}
		return err
	}
	p, err := w.running(f[1])
	if err != nil {
		return err
	}
	ev, err := w.event(p, f[2], f[3:])
	if err != nil {
		return err
	}
	for _, a := range p.core.Step(core.Now{Mono: monoStart + w.now, Wall: w.wall()}, ev) {
		w.tell(p, a)
	}
	return nil
}

func (w *world) wall() int64 { return wallStart + w.now.Milliseconds() }

func (w *world) running(name string) (*process, error) {
	p := w.procs[name]
	if p == nil || p.crashed {
		return nil, fmt.Errorf("%s is not running", name)
	}
	return p, nil
}

// start makes a process. Its settings are the defaults of the program where they matter, and what the line says.
func (w *world) start(name string, settings []string) error {
	if w.procs[name] != nil || len(name) != 1 {
		return fmt.Errorf("process %s: want one letter that was not used before", name)
	}
	cfg := core.Config{
		Sink: "s", Owner: core.Owner{name[0]}, Who: name, MarkFamily: markFamily, Lease: 30 * time.Second, CheckpointEvery: time.Second,
		CeilingStep: 1000, BatchRows: 100, BatchBytes: 1 << 20, FlightBytes: 1 << 20, FetchBytes: 1 << 20, WindowBytes: 1 << 20,
		RowMemory: 1000, Mapping: []byte("m"), MappingHash: "m",
	}
	for _, s := range settings {
		switch s {
		case "out_of_range=earliest":
			cfg.OutOfRange = core.RangeEarliest
		case "log_changed=new-incarnation":
			cfg.LogChanged = core.LogIncarnation
		default:
			return fmt.Errorf("setting %q: no such setting, or it is not one of the histories'; the lease is 30s for all", s)
		}
	}
	p := &process{name: name, core: core.New(cfg)}
	w.procs[name] = p
	w.started = append(w.started, p)
	return nil
}

// tell writes an action down, and gives it a handle if it will be answered: a letter for its kind, and a number.
func (w *world) tell(p *process, a core.Action) {
	var kind byte
	switch a.(type) {
	case core.ReadCheckpoint:
		kind = 'r'
	case core.SwapCheckpoint:
		kind = 's'
	case core.ReadLog:
		kind = 'g'
	case core.Fetch:
		kind = 'f'
	case core.Write:
		kind = 'w'
	case core.Look:
		kind = 'l'
	case *core.CheckWitness:
		kind = 'v'
	}
	lines := w.show(a)
	head := p.name + ": "
	if kind != 0 {
		w.counts[kind]++
		handle := fmt.Sprintf("%c%d", kind, w.counts[kind])
		q := &asked{proc: p, action: a}
		if write, ok := a.(core.Write); ok {
			for _, g := range write.Groups {
				q.rows = append(q.rows, &flight{group: g})
			}
		}
		w.actions[handle] = q
		head += handle + " "
	}
	w.say("%s%s", head, lines[0])
	for _, l := range lines[1:] {
		w.say("%s", l)
	}
}
