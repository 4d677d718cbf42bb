package core

import (
	"strconv"
	"strings"

	"rowmark/kafka"
)

// ParseSourceName is SourceName backwards. False: the name is not of a partition that the sink reads; a retry of dead
// letters has marks of its own, and so have other sinks.
func ParseSourceName(sink, name string) (tp kafka.TopicPartition, incarnation int, ok bool) {
	rest, ok := strings.CutPrefix(name, sink+"/")
	topic, rest, both := strings.Cut(rest, "/")
	if !ok || !both || topic == "" {
		return tp, 0, false
	}
	number, times, _ := strings.Cut(rest, "#")
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil || n < 0 {
		return tp, 0, false
	}
	if times != "" {
		if incarnation, err = strconv.Atoi(times); err != nil {
			return tp, 0, false
		}
	}
	tp = kafka.TopicPartition{Topic: topic, Partition: int32(n)}
	// Another way to write a number is not ours.
	return tp, incarnation, SourceName(sink, topic, tp.Partition, incarnation) == name
}
