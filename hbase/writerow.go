package hbase

import "slices"

const methodMulti = "Multi"

// sendRows sends one Multi, in which each row stands alone: those of a region that share a RegionAction, which is not
// atomic, and one atomic RegionAction for each other row, under its own condition. The server goes through them in
// order, in one thread.
func (w *writer) sendRows(addr string, call []piece) {
	var all []int
	for _, p := range call {
		all = append(all, p.idx...)
	}
	s := w.c.pool.server(addr)
	if err := s.slotFor(w.ctx); err != nil {
		w.refuse(all, err)
		return
	}
	results := w.exchange(addr, call, len(all))
	s.slotDone()
	w.done(all, results)
}

// encodeMulti writes the MultiRequest and the cell block, and gives the block's length. Conditional rows carry their
// cells inline: a server that fails half way through one of them would lose its place in the cell block.
func (w *writer) encodeMulti(f *frame, call []piece) (cells int) {
	for _, p := range slices.Backward(call) {
		for _, x := range slices.Backward(p.idx) {
			row := &w.rows[x]
			for i := len(row.Mutations) - 1; i >= 0 && row.Condition == nil; i-- {
				f.blockCells(row.Row, &row.Mutations[i])
			}
		}
	}
	cells = f.len()
	for _, p := range slices.Backward(call) {
		for _, x := range slices.Backward(p.idx[p.shared:]) {
			f.regionAction(p.region, &w.rows[x])
		}
		if p.shared > 0 {
			w.sharedAction(f, &p)
		}
	}
	return cells
}

// sharedAction writes the RegionAction of rows that share one. Each is an action by itself, numbered by its place.
func (w *writer) sharedAction(f *frame, p *piece) {
	end := f.len()
	for i := p.shared - 1; i >= 0; i-- {
		row := &w.rows[p.idx[i]]
		action := f.len()
		f.mutation(2, row.Row, &row.Mutations[0], false)
		f.uintField(1, uint64(i))
		f.nest(3, action)
	}
	f.region(1, p.region)
	f.nest(1, end)
}

// regionAction writes one row as an atomic RegionAction.
func (f *frame) regionAction(r *Region, row *RowWrite) {
	end := f.len()
	if row.Condition != nil {
		f.condition(4, row.Row, row.Condition)
	}
	for i := range slices.Backward(row.Mutations) {
		action := f.len()
		f.mutation(2, row.Row, &row.Mutations[i], row.Condition != nil)
		f.uintField(1, uint64(i))
		f.nest(3, action)
	}
	f.uintField(2, 1) // atomic
	f.region(1, r)
	f.nest(1, end)
}
