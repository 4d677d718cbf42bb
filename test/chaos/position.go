package main

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"rowmark/test/cluster"
)

// position is what a checkpoint row says, read as the README's byte table has it.
type position struct {
	sink string
	source
	offset, epoch, ceiling int64
	beat                   uint64
	owner                  string // hex, empty when released
	raw                    string // the cell's value
}

func (p *position) name() string { return p.sink + "/" + p.source.name() }

// seat names the checkpoint row, whatever the incarnation.
func (p *position) seat() string {
	return p.sink + "/" + p.topic + "/" + strconv.Itoa(int(p.partition))
}

// parsePositions reads the dump of a checkpoint table, by row.
func parsePositions(cells []cluster.Cell) (map[string]*position, error) {
	out := map[string]*position{}
	lives := map[string]int{}
	for _, c := range cells {
		if strings.HasPrefix(c.Row, "@") {
			continue // the sink's own row
		}
		switch c.Qualifier {
		case "position":
			p, err := parsePosition(c.Row, c.Value)
			if err != nil {
				return nil, err
			}
			out[c.Row] = p
		case "segments":
			var segments []struct{ Incarnation int }
			if err := json.Unmarshal(c.Value, &segments); err != nil {
				return nil, fmt.Errorf("reading the log segments of checkpoint %s: %w", c.Row, err)
			}
			if n := len(segments); n > 0 {
				lives[c.Row] = segments[n-1].Incarnation
			}
		}
	}
	for row, p := range out {
		p.incarnation = lives[row]
	}
	return out, nil
}

func parsePosition(row string, b []byte) (*position, error) {
	if len(b) != 49 || b[0] != 1 {
		return nil, fmt.Errorf("reading checkpoint %s: %d bytes, want 49 of version 1", row, len(b))
	}
	sink, s, err := parseMark(row)
	if err != nil {
		return nil, err
	}
	p := &position{
		sink: sink, source: s, offset: int64(binary.BigEndian.Uint64(b[1:])), epoch: int64(binary.BigEndian.Uint64(b[9:])),
		ceiling: int64(binary.BigEndian.Uint64(b[33:])), beat: binary.BigEndian.Uint64(b[41:]), raw: string(b),
	}
	if owner := hex.EncodeToString(b[17:33]); owner != strings.Repeat("0", 32) {
		p.owner = owner
	}
	return p, nil
}

// follow says what is wrong with two looks at a checkpoint, one after the other.
func follow(old, now *position) []finding {
	var out []finding
	if now.ceiling < now.offset {
		out = append(out, found(ahead, "checkpoint %s: offset %d is past its ceiling %d", now.name(), now.offset, now.ceiling))
	}
	if old == nil {
		return out
	}
	where := fmt.Sprintf("checkpoint %s: ", now.name())
	switch {
	case now.incarnation < old.incarnation:
		out = append(out, found(unfenced, "%sincarnation %d after %d", where, now.incarnation, old.incarnation))
	case now.incarnation == old.incarnation && now.offset < old.offset:
		out = append(out, found(unfenced, "%soffset %d after %d", where, now.offset, old.offset))
	}
	switch {
	case now.epoch < old.epoch:
		out = append(out, found(unfenced, "%sepoch %d after %d", where, now.epoch, old.epoch))
	case now.epoch == old.epoch && now.owner != "" && old.owner != now.owner:
		out = append(out, found(unfenced, "%sowner %s after %q in the same epoch %d", where, now.owner, old.owner, now.epoch))
	case now.epoch == old.epoch && now.owner == old.owner && now.beat < old.beat:
		out = append(out, found(unfenced, "%sbeat %d after %d", where, now.beat, old.beat))
	}
	return out
}
