package core

import (
	"errors"
	"testing"
	"time"

	"rowmark/connector/mapping"
	"rowmark/hbase"
)

func (r *rig) status() Status { return r.core.Statuses()[0] }

// aged is a record of its own time.
func (r *rig) aged(offset int64, row string, age time.Duration) Mapped {
	m := put(offset, row)
	m.Time = r.now.Wall - age.Milliseconds()
	return m
}

// The age of the oldest record that is not resolved, through what a partition goes through.
func TestAgeOfTheOldestRecord(t *testing.T) {
	r := newRig(t, nil)
	wants := func(when string, age time.Duration) {
		t.Helper()
		if got := r.status().Age; got != age {
			t.Errorf("%s: %v, want %v", when, got, age)
		}
	}
	r.step(Assigned{TopicPartition: rigTP})
	wants("before the checkpoint is read", -1)
	r = newRig(t, func(c *Config) { c.AtLeastOnce = true }) // no witnesses to ask first
	r.start(Checkpoint{}, LogInfo{LogEnd: 4, End: 4})
	wants("behind, and nothing read", -1)
	r.fetched(2, 4, r.aged(0, "a", time.Hour), r.aged(1, "b", time.Minute))
	wants("read, and not written", time.Hour)
	r.pass(time.Second)
	wants("a second later", time.Hour+time.Second)
	r.wrote(applied)
	wants("written, of what follows at most as old as the last", time.Minute+time.Second)
	r.fetched(4, 4, r.aged(2, "c", 40*time.Second), r.aged(3, "d", 50*time.Second))
	wants("a record younger than the one after it", 40*time.Second)
	r.wrote(applied)
	wants("at the end", 0)
	r.pass(10 * time.Second)
	wants("still at the end", 0)
	// Meanwhile nothing came; now more comes than one answer holds.
	r.fetched(5, 9, r.aged(4, "e", 24*time.Hour))
	wants("a record that says to be old", 24*time.Hour)
	r.wrote(applied)
	r.pass(3 * time.Second)
	wants("the rest is at most as old as the last moment at the end", 3*time.Second)
	r.fetched(9, 9, r.aged(8, "f", -time.Minute))
	wants("a record of the future", 0)
	r.wrote(applied)
	r.fetched(10, 11, put(9, "g"))
	wants("a record without a time", -1)
}

func TestCountsOutliveALife(t *testing.T) {
	r := newRig(t, nil)
	r.start(Checkpoint{}, LogInfo{LogEnd: 100, End: 100})
	bad := Mapped{Offset: 1, Result: mapping.Result{Err: errors.New("x"), OnError: mapping.OnErrorSkip}}
	a := want[Fetch](r)
	r.step(Fetched{TopicPartition: rigTP, Inst: a.Inst, Ask: a.Ask, Next: 3, End: 100, LeaderEpoch: -1, Read: 70, Records: []Mapped{put(0, "a"), bad, {Offset: 2}}})
	r.swap(applied)
	r.wrote(applied)
	counts := Counts{Read: 70, Records: 3, Skipped: 1}
	if got := r.status().Counts; got != counts {
		t.Errorf("%+v, want %+v", got, counts)
	}
	r.fetched(4, 100, put(3, "a"))
	r.wrote(hbase.WriteResult{Outcome: hbase.Refused, Err: &hbase.Error{Fault: hbase.FaultTable, Err: errors.New("disabled")}})
	r.swap(applied) // released
	if got := r.status(); got.State != "retrying" || got.Counts != counts {
		t.Errorf("%+v, want it to be tried again, and %+v", got, counts)
	}
	r.pass(2 * time.Second)
	if got := r.status(); got.State != "reading" || got.Counts != counts {
		t.Errorf("in the next life %+v, want %+v", got, counts)
	}
	if got := r.core.TableStatuses(); len(got) != 1 || got[0].TableCounts != (TableCounts{Rows: 1}) || got[0].InFlight != 0 {
		t.Errorf("tables %+v", got)
	}
}

// Each failure of a write is counted under its cause, once.
func TestRetriesAreCountedByCause(t *testing.T) {
	fault := func(f hbase.Fault) hbase.WriteResult {
		return hbase.WriteResult{Outcome: hbase.Refused, Err: &hbase.Error{Fault: f, Err: errors.New("x")}}
	}
	for _, c := range []struct {
		cause  string
		result hbase.WriteResult
	}{
		{"unreached", fault(hbase.FaultConnect)},
		{"moved", fault(hbase.FaultRelocate)},
		{"busy", fault(hbase.FaultBusy)},
		{"unknown", hbase.WriteResult{Outcome: hbase.Unknown, Err: errors.New("x")}},
		{"other", fault(hbase.FaultAmbiguous)},
		{"", applied},
		{"", hbase.WriteResult{Outcome: hbase.Refused}},
	} {
		r := newRig(t, nil)
		r.start(Checkpoint{}, LogInfo{LogEnd: 1, End: 1})
		r.fetched(1, 1, put(0, "a"))
		r.wrote(c.result)
		for cause, n := range r.core.Retries() {
			if (n == 1) != (cause == c.cause) || n > 1 {
				t.Errorf("%+v: %s is counted %d times", c.result, cause, n)
			}
		}
	}
	r := newRig(t, nil)
	r.step(Assigned{TopicPartition: rigTP})
	a := want[ReadCheckpoint](r)
	r.step(CheckpointRead{TopicPartition: rigTP, Inst: a.Inst, Err: errors.New("x")})
	if n := r.core.Retries()["checkpoint"]; n != 1 {
		t.Errorf("a checkpoint that can't be read is counted %d times", n)
	}
	if n := len(r.core.Retries()); n != int(retryEnd) {
		t.Errorf("%d causes are told, want all %d", n, retryEnd)
	}
}

// What reading and writing waited for is told in time.
func TestWaitingIsMeasured(t *testing.T) {
	r := newRig(t, func(c *Config) { c.WindowBytes, c.FetchBytes = minFetch, minFetch })
	r.start(Checkpoint{}, LogInfo{LogEnd: 10, End: 10})
	large := put(0, "a")
	large.Bytes = minFetch
	r.fetched(1, 10, large)
	r.pass(2 * time.Second)
	if got := r.status().Waited; got != 2*time.Second {
		t.Errorf("with a full window reading waited %v, want 2s", got)
	}
	r.wrote(hbase.WriteResult{Outcome: hbase.Refused, Err: &hbase.Error{Fault: hbase.FaultBusy, Wait: 3 * time.Second, Err: errors.New("x")}})
	r.pass(time.Second)
	if got := r.core.TableStatuses()[0].Waited; got != time.Second {
		t.Errorf("with its only row resting the table waited %v, want 1s", got)
	}
	r.pass(2 * time.Second)
	r.wrote(applied)
	r.pass(time.Second)
	if got := r.core.TableStatuses()[0].Waited; got != 3*time.Second {
		t.Errorf("the table waited %v, want 3s", got)
	}
	if got := r.status().Waited; got != 5*time.Second {
		t.Errorf("reading waited %v, want 5s", got)
	}
}
