package core

import (
	"strconv"
	"strings"
)

// Source is what the name of a mark's source says.
type Source struct {
	Sink        string
	Run         string // of a reprocess run; empty: the sink itself
	Topic       string
	Partition   int32
	Incarnation int
}

// ParseSourceName reads what SourceName wrote; false: it is the name of something else. The sink of a reprocess run is
// that of the sink, ~, and the run's id.
func ParseSourceName(name string) (Source, bool) {
	parts := strings.Split(name, "/")
	if len(parts) != 3 || parts[0] == "" || parts[1] == "" {
		return Source{}, false
	}
	s := Source{Topic: parts[1]}
	s.Sink, s.Run, _ = strings.Cut(parts[0], "~")
	number, incarnation, later := strings.Cut(parts[2], "#")
	partition, err := strconv.ParseInt(number, 10, 32)
	if later && err == nil {
		s.Incarnation, err = strconv.Atoi(incarnation)
	}
	s.Partition = int32(partition)
	return s, err == nil && SourceName(parts[0], s.Topic, s.Partition, s.Incarnation) == name && partition >= 0
}
