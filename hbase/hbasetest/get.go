package hbasetest

import (
	"google.golang.org/protobuf/proto"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

// want is what a get or scan asks of a row.
type want struct {
	columns  []*pb.Column
	from, to int64
	versions int
}

func (s *server) get(k *call, r *pb.GetRequest) (proto.Message, []byte, *exception) {
	cells, x := s.getOne(k, r.GetRegion(), r.GetGet())
	if x != nil {
		return nil, nil, x
	}
	res, block := k.getResult(r.Get, cells, nil)
	return &pb.GetResponse{Result: res}, block, nil
}

// getResult answers a get, which may have asked only whether there is anything.
func (k *call) getResult(g *pb.Get, cells []hbase.Cell, block []byte) (*pb.Result, []byte) {
	if unknownVarint(g, 10) != 0 {
		return &pb.Result{Exists: proto.Bool(len(cells) > 0)}, block
	}
	return k.conn.result(cells, block)
}

func (s *server) getOne(k *call, spec *pb.RegionSpecifier, g *pb.Get) ([]hbase.Cell, *exception) {
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if b := k.recall(spec); b != nil {
		return s.getLocked(b, g)
	}
	if string(spec.GetValue()) == metaName && c.metaServer == s && k.alive() == nil {
		w := wanted(g)
		for _, row := range c.metaRows() {
			if string(row.Row) == string(g.Row) {
				return w.pick(row.Cells), nil
			}
		}
		return nil, nil
	}
	b, x := s.batchOn(k, spec)
	if x != nil {
		return nil, x
	}
	return s.getLocked(b, g)
}

// wanted is what a get asks for.
func wanted(g *pb.Get) want {
	w := want{columns: g.Column, versions: max(int(g.GetMaxVersions()), 1)}
	w.from, w.to = bounds(g.GetTimeRange())
	return w
}

func (t *table) checkColumns(r *region, columns []*pb.Column) *exception {
	for _, col := range columns {
		if t.families[string(col.Family)] == nil {
			return t.noFamily(r, col.Family)
		}
	}
	return nil
}

// readRow gives the visible cells of a row. Called under mu.
func (t *table) readRow(key []byte, w want, now int64) []hbase.Cell {
	data := t.rows[string(key)]
	var out []hbase.Cell
	for _, name := range t.familyNames() {
		s := data[name]
		asked, qualifiers := w.family(name)
		if s == nil || !asked {
			continue
		}
		v := view{from: w.from, to: w.to, versions: w.versions, now: now, qualifiers: qualifiers}
		for _, c := range t.families[name].read(s.cells, v) {
			out = append(out, c.wire(key, name))
		}
	}
	return out
}

// family says whether a family is asked for, and which of its qualifiers; nil is all.
func (w *want) family(name string) (bool, map[string]bool) {
	if len(w.columns) == 0 {
		return true, nil
	}
	asked := false
	qualifiers := map[string]bool{}
	for _, col := range w.columns {
		if string(col.Family) != name {
			continue
		}
		asked = true
		if len(col.Qualifier) == 0 {
			return true, nil
		}
		for _, q := range col.Qualifier {
			qualifiers[string(q)] = true
		}
	}
	return asked, qualifiers
}

// pick gives those of ready-made cells that are asked for.
func (w *want) pick(cells []hbase.Cell) []hbase.Cell {
	var out []hbase.Cell
	for _, c := range cells {
		if asked, q := w.family(string(c.Family)); asked && (q == nil || q[string(c.Qualifier)]) && c.Timestamp >= w.from && c.Timestamp < w.to {
			out = append(out, c)
		}
	}
	return out
}

// describe names a region for an error's text.
func (r *region) describe() string { return string(r.name) }
