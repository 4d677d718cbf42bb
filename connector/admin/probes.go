package admin

import (
	"fmt"
	"net/http"
	"time"

	"rowmark/connector/status"
)

// stillFor is how long a snapshot may stand before the connector counts as stuck: it makes one each second.
const stillFor = 30 * time.Second

// verdict is the answer to a probe.
type verdict struct {
	OK  bool     `json:"ok"`
	Why []string `json:"why,omitempty"` // it is not
}

// Health answers 503 when the connector is stuck, so that a restart would help. Services that are away and partitions that
// failed are not helped by one.
func Health(now func() *status.Snapshot) http.Handler {
	return probe(func(at time.Time) []string { return stuck(now(), at) })
}

// Ready answers 200 when both sides answer and every partition is taken, or waits for the lease of another owner. Partitions
// that failed, or that another connector took, do not count: the others go on. Where all are tried again, none does.
func Ready(now func() *status.Snapshot) http.Handler {
	return probe(func(at time.Time) []string {
		s := now()
		return append(stuck(s, at), unready(s)...)
	})
}

func probe(why func(time.Time) []string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		v := verdict{Why: why(time.Now())}
		v.OK = len(v.Why) == 0
		code := http.StatusOK
		if !v.OK {
			code = http.StatusServiceUnavailable
		}
		answer(w, code, v)
	})
}

func stuck(s *status.Snapshot, at time.Time) []string {
	if still := at.Sub(s.At); s.Phase != status.Connecting && still > stillFor {
		return []string{fmt.Sprintf("the connector has not moved for %s", still.Round(time.Second))}
	}
	return nil
}

// begins are the states of a partition on its way to be taken.
var begins = map[string]bool{"reading": true, "taking": true, "checking log": true, "checking witness": true}

func unready(s *status.Snapshot) []string {
	var why []string
	if s.Phase != status.Running {
		why = append(why, string(s.Phase))
	}
	// The errors may name what is not for all: the snapshot has them.
	if s.Kafka.Error != "" {
		why = append(why, "kafka does not answer since "+s.Kafka.Since.UTC().Format(time.RFC3339))
	}
	if s.HBase.Error != "" {
		why = append(why, "hbase does not answer since "+s.HBase.Since.UTC().Format(time.RFC3339))
	}
	n, failing := 0, 0
	for i := range s.Sources {
		switch state := s.Sources[i].State; {
		case begins[state]:
			n++
		case state == "retrying":
			failing++
		}
	}
	if n > 0 {
		why = append(why, fmt.Sprintf("%d of %d partitions are not taken yet", n, len(s.Sources)))
	}
	if failing > 0 && failing == len(s.Sources) {
		why = append(why, fmt.Sprintf("none of %d partitions can be worked on, and each is tried again", failing))
	}
	return why
}
