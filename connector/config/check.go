package config

import (
	"fmt"
	"net"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"rowmark/connector/mapping"
)

var (
	sinkRE  = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
	znodeRE = regexp.MustCompile(`^/[^/]+(/[^/]+)*$`)
)

// at reports a fault of a key, unless one was reported there already.
func (d *decoder) at(key, value, text string, args ...any) {
	for _, p := range d.problems {
		if p.Key == key {
			return
		}
	}
	d.bad(d.find(key), key, value, text, args...)
}

// check holds the rules that a type alone can't tell.
func (d *decoder) check(c *Config) {
	d.needed("", reflect.ValueOf(c).Elem())
	if c.Sink != "" && !sinkRE.MatchString(c.Sink) {
		d.at("sink", c.Sink, "letters, digits and . _ -, at most 64 of them")
	}
	d.kafka(&c.Kafka)
	d.hbase(&c.HBase)
	d.flow(&c.Flow)
	d.registry(&c.SchemaRegistry)
	d.admin(&c.Admin)
	positive(d, "batch.rows", c.Batch.Rows)
	positive(d, "batch.bytes", c.Batch.Bytes)
	positive(d, "memory.window", c.Memory.Window)
	positive(d, "memory.in_flight", c.Memory.InFlight)
	positive(d, "memory.rows", c.Memory.Rows)
	positive(d, "checkpoint.interval", c.Checkpoint.Interval)
	positive(d, "checkpoint.ceiling", c.Checkpoint.Ceiling)
	positive(d, "shutdown_timeout", c.ShutdownTimeout)
	positive(d, "kafka.fetch.max_bytes", c.Kafka.Fetch.MaxBytes)
	positive(d, "kafka.fetch.max_wait", c.Kafka.Fetch.MaxWait)
	positive(d, "hbase.max_call_bytes", c.HBase.MaxCallBytes)
	positive(d, "hbase.max_cell_bytes", c.HBase.MaxCellBytes)
	positive(d, "hbase.server_calls", c.HBase.ServerCalls)
	positive(d, "hbase.call_timeout", c.HBase.CallTimeout)
	if c.Checkpoint.Lease < 3*c.Checkpoint.Interval {
		d.at("checkpoint.lease", c.Checkpoint.Lease.String(), "at least three times checkpoint.interval, %s, or a live owner loses its partitions", 3*c.Checkpoint.Interval)
	}
	if ttl := c.Marks.TTL; ttl > 0 && ttl < 4*c.Checkpoint.Lease {
		d.at("marks.ttl", ttl.String(), "0, or at least four times checkpoint.lease, %s: no replay may outlive the marks", 4*c.Checkpoint.Lease)
	}
	if c.Kafka.Fetch.MaxBytes > c.Memory.Window {
		d.at("memory.window", c.Memory.Window.String(), "at least kafka.fetch.max_bytes, %s", c.Kafka.Fetch.MaxBytes)
	}
	if len(c.Tables) > 0 {
		d.compile(c)
		d.tables(c)
	}
}

// positive refuses nought, which would stop everything in silence.
func positive[T ~int | ~int64](d *decoder, key string, v T) {
	if v <= 0 {
		d.at(key, fmt.Sprint(v), "it must be more than 0")
	}
}

// needed looks for keys without which nothing can be done.
func (d *decoder) needed(path string, v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		key := join(path, f.Tag.Get("yaml"))
		switch {
		case f.Tag.Get("need") != "" && (v.Field(i).IsZero() || f.Type.Kind() == reflect.Slice && v.Field(i).Len() == 0):
			d.at(key, "", "this key is needed")
		case f.Type.Kind() == reflect.Struct:
			d.needed(key, v.Field(i))
		}
	}
}

func (d *decoder) kafka(k *Kafka) {
	for i, b := range k.Brokers {
		d.address(fmt.Sprintf("kafka.brokers[%d]", i), b, true)
	}
	group := k.Assignment == "group"
	switch {
	case group && k.GroupID == "":
		d.at("kafka.group_id", "", "assignment: group needs it")
	case group && k.Partitions != nil:
		d.at("kafka.partitions", "", "it belongs to assignment: static")
	case k.MirrorPositions && k.GroupID == "":
		d.at("kafka.group_id", "", "mirror_positions: true needs it")
	case !group && k.GroupID != "" && !k.MirrorPositions:
		d.at("kafka.group_id", k.GroupID, "it belongs to assignment: group, or to mirror_positions: true")
	}
	for topic, list := range k.Partitions {
		for i, p := range list {
			if p < 0 {
				d.at(fmt.Sprintf("kafka.partitions.%s[%d]", topic, i), fmt.Sprint(p), "partitions count from 0")
			}
		}
	}
	t := &k.TLS
	if !t.Enabled && (t.CA != "" || t.Cert != "" || t.Key != "" || t.ServerName != "") {
		d.at("kafka.tls.enabled", "", "settings of TLS stand here, and it is not enabled: set enabled: true")
	}
	if (t.Cert == "") != (t.Key == "") {
		d.at("kafka.tls.cert", "", "a client certificate needs both cert and key")
	}
	d.sasl(&k.SASL)
	d.proxy(k.Through())
}

func (d *decoder) sasl(s *SASL) {
	if *s == (SASL{}) {
		return
	}
	switch {
	case s.Mechanism == "":
		d.at("kafka.sasl.mechanism", "", "a login needs it: one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512")
	case (s.Username == "") == (s.UsernameFile == ""):
		d.at("kafka.sasl.username", "", "a login needs exactly one of username and username_file")
	case (s.PasswordFile == "") == (s.PasswordEnv == ""):
		d.at("kafka.sasl.password_file", "", "a login needs exactly one of password_file and password_env")
	}
}

func (d *decoder) hbase(h *HBase) {
	for i, z := range h.ZooKeeper {
		d.address(fmt.Sprintf("hbase.zookeeper[%d]", i), z, false)
	}
	if !znodeRE.MatchString(h.ZNode) {
		d.at("hbase.znode", h.ZNode, "a path such as /hbase")
	}
	if _, err := mapping.TableName(h.CheckpointTable); err != nil {
		d.at("hbase.checkpoint_table", h.CheckpointTable, "%v", err)
	}
	if err := mapping.CheckFamily(h.MarkFamily); err != nil {
		d.at("hbase.mark_family", h.MarkFamily, "%v", err)
	}
	if h.StartTimeout < time.Second {
		d.at("hbase.start_timeout", h.StartTimeout.String(), "at least 1s")
	}
	d.proxy(h.Through())
}

func (d *decoder) address(key, s string, needPort bool) {
	host, port, err := net.SplitHostPort(s)
	if err != nil && !needPort && s != "" && !strings.ContainsAny(s, ":/ ") {
		return
	}
	n, perr := strconv.ParseUint(port, 10, 16)
	if err != nil || host == "" || perr != nil || n == 0 {
		d.at(key, s, "an address is host:port")
	}
}

func (d *decoder) tables(c *Config) {
	for topic := range c.Kafka.Partitions {
		if c.Mappings != nil && !c.Mappings.Matches(topic) {
			d.at("kafka.partitions."+topic, "", "no mapping takes this topic")
		}
	}
	own, err := mapping.TableName(c.HBase.CheckpointTable)
	letters, err2 := mapping.TableName(c.DeadLetters.Table)
	switch {
	case err2 != nil:
		d.at("dead_letters.table", c.DeadLetters.Table, "%v", err2)
	case err == nil && letters == own:
		d.at("dead_letters.table", c.DeadLetters.Table, "this is the checkpoint table (hbase.checkpoint_table)")
	}
	d.letterTopic(c)
	if c.HBase.MarkFamily == mapping.LetterFamily && c.Mappings != nil && c.Mappings.Letters() != "" {
		d.at("hbase.mark_family", c.HBase.MarkFamily, "the table of dead letters has its data in this family")
	}
	for i, t := range c.Tables {
		for k, text := range append([]string{t.Table}, t.Tables...) {
			key := fmt.Sprintf("tables[%d].table", i)
			if k > 0 {
				key = fmt.Sprintf("tables[%d].tables[%d]", i, k-1)
			}
			if name, err2 := mapping.TableName(text); err == nil && err2 == nil && name == own {
				d.at(key, text, "this is the checkpoint table, which holds no data")
			}
		}
	}
}

// letterTopic refuses a topic of dead letters that can't be, and one whose letters would be read again.
func (d *decoder) letterTopic(c *Config) {
	const key = "dead_letters.topic"
	topic := c.DeadLetters.Topic
	if topic == "" {
		return
	}
	if err := mapping.CheckTopicName(topic); err != nil {
		d.at(key, topic, "%v", err)
	}
	for i, t := range c.Tables {
		for j, entry := range t.Topics {
			if mapping.TopicMatches(entry, topic) {
				d.at(key, topic, "tables[%d].topics[%d] takes this topic, so that a letter would be read again: name another one", i, j)
			}
		}
	}
}
