package connector

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
	"rowmark/kafka"
)

func newStore(t *testing.T) *Store {
	t.Helper()
	cluster, err := hbasetest.Start(hbasetest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cluster.Close() })
	client, err := hbase.Open(t.Context(), cluster.Config())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	admin := client.Admin()
	err = admin.CreateTable(t.Context(), hbase.TableSchema{Name: "rowmark", Families: []hbase.FamilySchema{{Name: CheckpointFamily}}})
	if err != nil {
		t.Fatal(err)
	}
	return &Store{Client: client, Table: "rowmark", Sink: "s"}
}

// The owner of before must not write the checkpoint any more, whenever its write comes, and must be able to tell that it
// was fenced: by another epoch and another owner.
func TestSetOffsetFences(t *testing.T) {
	store := newStore(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tp := kafka.TopicPartition{Topic: "t"}
	owned := core.Checkpoint{
		Position: core.Position{Offset: 50, Epoch: 3, Owner: core.Owner{7}, Ceiling: 100, Beat: 4}, LeaderEpoch: 2, EpochOffset: 45, Newest: 9000,
		Mapping: []byte("m"), MappingHash: "h", Witness: []core.Witness{{Table: "x", Row: []byte("r"), Name: "s/t/0", Mark: 50}},
	}
	if res := store.Swap(ctx, tp, nil, owned); res.Outcome != hbase.Applied {
		t.Fatalf("first checkpoint: %+v", res)
	}
	beat := func(c core.Checkpoint) hbase.WriteResult {
		put := c
		put.Beat++
		put.Offset += 10
		return store.Swap(ctx, tp, c.Encode(), put)
	}

	// A live owner is not fenced without force: it beats while its lease is waited out.
	go func() {
		time.Sleep(100 * time.Millisecond)
		beat(owned)
	}()
	if _, err := store.SetOffset(ctx, tp, Place{Offset: 20}, 500*time.Millisecond, false); !errors.Is(err, ErrOwnerAlive) {
		t.Fatalf("set under a live owner: %v", err)
	}
	live, err := store.Read(ctx, tp)
	if err != nil {
		t.Fatal(err)
	}
	if live.Offset != 60 {
		t.Fatalf("the owner's offset is %d, want 60", live.Offset)
	}

	was, err := store.SetOffset(ctx, tp, Place{Offset: 20}, time.Hour, true)
	if err != nil || was != 60 {
		t.Fatalf("was %d, %v", was, err)
	}
	set, err := store.Read(ctx, tp)
	if err != nil {
		t.Fatal(err)
	}
	if set.Offset != 20 || set.Epoch <= live.Epoch || set.Owner != (core.Owner{}) {
		t.Fatalf("set to %+v", set.Position)
	}
	if set.Ceiling != 100 || set.Newest != 9000 || string(set.Mapping) != "m" {
		t.Fatalf("what was sent is forgotten: %+v", set)
	}
	if set.LeaderEpoch != 2 || set.EpochOffset != 45 || len(set.Witness) != 0 {
		t.Fatalf("the log's epoch is forgotten, or a witness stays: %+v", set)
	}
	if res := beat(*live); res.Outcome != hbase.Refused || res.Err != nil {
		t.Fatalf("the fenced owner's write: %+v", res)
	}
	if now, err := store.Read(ctx, tp); err != nil || now.Position != set.Position {
		t.Fatalf("the fenced owner moved it to %+v, %v", now, err)
	}
}

// A place in another log begins an incarnation there: nothing was sent of it, and its rows may hold cells as new as any that
// was sent before.
func TestSetOffsetOpensAnIncarnation(t *testing.T) {
	store := newStore(t)
	tp, first, second := kafka.TopicPartition{Topic: "t"}, kafka.TopicID{1}, kafka.TopicID{2}
	witness := []core.Witness{{Table: "x", Row: []byte("r"), Name: "s/t/0", Mark: 50}}
	held := core.Checkpoint{
		Position: core.Position{Offset: 50, Epoch: 3, Ceiling: 100, Beat: 4}, TopicID: first, LeaderEpoch: 2, EpochOffset: 45, Newest: 9000,
		Witness: witness,
	}
	if res := store.Swap(t.Context(), tp, nil, held); res.Outcome != hbase.Applied {
		t.Fatalf("first checkpoint: %+v", res)
	}
	if was, err := store.SetOffset(t.Context(), tp, Place{Offset: 7, Incarnation: 1, TopicID: second}, 0, false); err != nil || was != 50 {
		t.Fatalf("was %d, %v", was, err)
	}
	got, err := store.Read(t.Context(), tp)
	if err != nil {
		t.Fatal(err)
	}
	want := held
	want.Position = core.Position{Offset: 7, Epoch: 4, Ceiling: 7, Beat: 1}
	want.TopicID, want.LeaderEpoch, want.EpochOffset = second, -1, 7
	want.Segments = []core.Segment{{Incarnation: 1, Start: 7, TopicID: second, Floor: 9000, Anew: true}}
	want.Who, want.AdvancedAt = got.Who, got.AdvancedAt
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("got  %+v\nwant %+v", *got, want)
	}
	// Further back it reaches as far as its topic does.
	if _, err := store.SetOffset(t.Context(), tp, Place{Offset: 2, Incarnation: 1, TopicID: second}, 0, false); err != nil {
		t.Fatal(err)
	}
	if got, err = store.Read(t.Context(), tp); err != nil || got.Offset != 2 || got.Ceiling != 7 || len(got.Segments) != 1 || got.Segments[0].Start != 2 {
		t.Errorf("got %+v, %v", got, err)
	}
}
