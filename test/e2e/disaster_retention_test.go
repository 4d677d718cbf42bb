package e2e

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
)

// TestRetentionOverran deletes records that were not read: the connector stops, says which, and passes them when it is told to.
func TestRetentionOverran(t *testing.T) {
	s := newStruck(t, 1)
	s.send(300, time.Hour)
	s.once(s.config)
	want := s.foldMixed(s.committed(s.topic))
	s.send(400, 0)
	at := kadm.Offsets{}
	at.AddOffset(s.topic, 0, 500, -1)
	if _, err := s.admin.DeleteRecords(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	s.start(s.config).ends(9, "the records of [300, 500) are gone", "200 offsets", "kafka.out_of_range")
	s.offsets("show").ends(0, "200 gone")
	s.once(s.config, "--set", "kafka.out_of_range=earliest").ends(0, "200 offsets")
	s.foldMixedInto(want, "", s.committed(s.topic))
	s.judge(want)
	s.send(50, 0)
	s.once(s.config)
}
