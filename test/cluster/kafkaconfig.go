package cluster

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

const log4j2 = `rootLogger.level = INFO
rootLogger.appenderRef.out.ref = out
appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d{ISO8601} %-5p %c{1}: %m%n
`

// properties are the settings of node i, before the caller's own.
func (k *Kafka) properties(i int) map[string]string {
	p := k.ports[i]
	listeners := []string{"PLAINTEXT://" + addr(p.plain)}
	if k.opts.SASL {
		listeners = append(listeners, "SASL://"+addr(p.sasl))
	}
	if k.opts.TLS {
		listeners = append(listeners, "TLS://"+addr(p.tls))
	}
	var voters []string
	for j, q := range k.ports {
		voters = append(voters, fmt.Sprintf("%d@%s", j+1, addr(q.controller)))
	}
	replicas := strconv.Itoa(min(3, len(k.ports)))
	minISR := strconv.Itoa(min(2, len(k.ports)))
	m := map[string]string{
		"process.roles":                            "broker,controller",
		"node.id":                                  strconv.Itoa(i + 1),
		"controller.quorum.voters":                 strings.Join(voters, ","),
		"controller.listener.names":                "CONTROLLER",
		"inter.broker.listener.name":               "PLAINTEXT",
		"listeners":                                strings.Join(append(slices.Clone(listeners), "CONTROLLER://"+addr(p.controller)), ","),
		"advertised.listeners":                     strings.Join(listeners, ","),
		"listener.security.protocol.map":           "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL:SASL_PLAINTEXT,TLS:SSL",
		"log.dirs":                                 k.file(i, "data"),
		"broker.rack":                              "rack" + strconv.Itoa(i+1),
		"offsets.topic.num.partitions":             "4",
		"offsets.topic.replication.factor":         replicas,
		"transaction.state.log.num.partitions":     "4",
		"transaction.state.log.replication.factor": replicas,
		"transaction.state.log.min.isr":            minISR,
		"default.replication.factor":               "1",
		"min.insync.replicas":                      "1",
		"group.initial.rebalance.delay.ms":         "0",
		"auto.create.topics.enable":                "false",
		"num.network.threads":                      "2",
		"num.io.threads":                           "4",
		// The test of a leader change should not wait for the usual 9 s.
		"broker.session.timeout.ms":      "6000",
		"broker.heartbeat.interval.ms":   "500",
		"log.cleaner.dedupe.buffer.size": "2097152",
	}
	if k.opts.SASL {
		m["sasl.enabled.mechanisms"] = "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512"
		m["listener.name.sasl.plain.sasl.jaas.config"] = fmt.Sprintf(
			"org.apache.kafka.common.security.plain.PlainLoginModule required user_%s=\"%s\";", SASLUser, SASLPassword)
		for _, mech := range []string{"scram-sha-256", "scram-sha-512"} {
			m["listener.name.sasl."+mech+".sasl.jaas.config"] = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
		}
	}
	return m
}

// writeProperties writes a Java properties file.
func writeProperties(path string, props map[string]string) error {
	var b strings.Builder
	escape := strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	for _, k := range slices.Sorted(maps.Keys(props)) {
		fmt.Fprintf(&b, "%s=%s\n", k, escape.Replace(props[k]))
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
