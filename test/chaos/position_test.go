package main

import (
	"encoding/binary"
	"slices"
	"testing"

	"rowmark/test/cluster"
)

func checkpointCells(row string, offset, epoch, ceiling int64, owner byte, beat uint64, segments string) []cluster.Cell {
	b := make([]byte, 49)
	b[0] = 1
	binary.BigEndian.PutUint64(b[1:], uint64(offset))
	binary.BigEndian.PutUint64(b[9:], uint64(epoch))
	b[32] = owner
	binary.BigEndian.PutUint64(b[33:], uint64(ceiling))
	binary.BigEndian.PutUint64(b[41:], beat)
	return []cluster.Cell{{Row: row, Qualifier: "position", Value: b}, {Row: row, Qualifier: "segments", Value: []byte(segments)}}
}

func TestParsePositions(t *testing.T) {
	cells := slices.Concat(
		[]cluster.Cell{{Row: "@main", Qualifier: "kafka_cluster", Value: []byte("x")}},
		checkpointCells("main/chaos_in/3", 7, 2, 9, 1, 5, "null"),
		checkpointCells("edge/chaos_again/0", 8, 3, 9, 0, 6, `[{"Incarnation":1,"Start":0},{"Incarnation":2,"Start":4}]`))
	got, err := parsePositions(cells)
	if err != nil {
		t.Fatal(err)
	}
	if p := got["main/chaos_in/3"]; len(got) != 2 || p.offset != 7 || p.epoch != 2 || p.ceiling != 9 || p.beat != 5 || p.owner == "" || p.partition != 3 || p.incarnation != 0 {
		t.Errorf("got %+v", p)
	}
	if p := got["edge/chaos_again/0"]; p.owner != "" || p.incarnation != 2 || p.name() != "edge/chaos_again/0#2" || p.seat() != "edge/chaos_again/0" {
		t.Errorf("got %+v", p)
	}
	if _, err := parsePositions([]cluster.Cell{{Row: "main/chaos_in/3", Qualifier: "position", Value: []byte{1}}}); err == nil {
		t.Error("a position that is too short was read")
	}
}

// TestFollow lets a checkpoint go each wrong way.
func TestFollow(t *testing.T) {
	src := source{topic: mainTopic}
	old := &position{sink: mainSink, source: src, offset: 10, epoch: 3, ceiling: 20, beat: 5, owner: "a"}
	for _, tt := range []struct {
		name string
		now  position
		want int
	}{
		{"advanced", position{offset: 11, epoch: 3, ceiling: 20, beat: 6, owner: "a"}, 0},
		{"taken", position{offset: 10, epoch: 4, ceiling: 20, beat: 1, owner: "b"}, 0},
		{"released", position{offset: 12, epoch: 3, ceiling: 12, beat: 6}, 0},
		{"a new incarnation", position{source: source{topic: mainTopic, incarnation: 1}, offset: 0, epoch: 3, ceiling: 20, beat: 6, owner: "a"}, 0},
		{"back", position{offset: 9, epoch: 3, ceiling: 20, beat: 6, owner: "a"}, 1},
		{"an old epoch", position{offset: 11, epoch: 2, ceiling: 20, beat: 6, owner: "a"}, 1},
		{"another owner in one epoch", position{offset: 11, epoch: 3, ceiling: 20, beat: 6, owner: "b"}, 1},
		{"an old beat", position{offset: 11, epoch: 3, ceiling: 20, beat: 4, owner: "a"}, 1},
		{"past the ceiling", position{offset: 21, epoch: 3, ceiling: 20, beat: 6, owner: "a"}, 1},
	} {
		now := tt.now
		now.sink = mainSink
		if now.topic == "" {
			now.source = src
		}
		if bad := follow(old, &now); len(bad) != tt.want {
			t.Errorf("%s: %v, want %d", tt.name, bad, tt.want)
		}
	}
	w := &watch{found: &findings{}, reads: newObservations(1)}
	w.take(map[string]*position{"s": old}, false)
	w.take(map[string]*position{}, true)
	if w.found.total() != 0 || w.reads.wakes.left() != 1 {
		t.Error("a look that a woken server may have answered was judged")
	}
	w.take(map[string]*position{}, false)
	if w.found.total() != 1 {
		t.Error("a checkpoint that vanished was not noticed")
	}
}

func TestPastTheStableOffset(t *testing.T) {
	src := source{topic: mainTopic}
	p := map[string]*position{"s": {sink: mainSink, source: src, offset: 10}}
	if bad := past(p, map[source]int64{src: 10}); len(bad) != 0 {
		t.Errorf("at the end: %v", bad)
	}
	if bad := past(p, map[source]int64{src: 9}); len(bad) != 1 || bad[0].fault != ahead {
		t.Errorf("past the end: %v", bad)
	}
	if bad := past(p, nil); len(bad) != 0 {
		t.Errorf("with no answer: %v", bad)
	}
}
