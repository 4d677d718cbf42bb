package hbase

import "slices"

// piece is the part of a group that goes into one call.
type piece struct {
	region *Region
	idx    []int
	shared int // the first rows, which share a RegionAction; only in ModeBatch
	bytes  int // of its rows, about
}

// send starts the calls for the groups, one goroutine each.
func (w *writer) send(groups []group) {
	if w.mode == ModeRegion {
		for _, g := range groups {
			for _, p := range w.cutRegion(g) {
				w.start(func() { w.sendRegion(p) })
			}
		}
		return
	}
	byServer := map[string][]group{}
	var order []string
	for _, g := range groups {
		if byServer[g.region.Addr] == nil {
			order = append(order, g.region.Addr)
		}
		byServer[g.region.Addr] = append(byServer[g.region.Addr], g)
	}
	for _, addr := range order {
		for _, call := range w.cutServer(byServer[addr]) {
			w.start(func() { w.sendRows(addr, call) })
		}
	}
}

func (w *writer) start(call func()) {
	w.wg.Add(1)
	go func() {
		defer w.wg.Done()
		call()
	}()
}

// cutRegion cuts one region's rows into calls.
func (w *writer) cutRegion(g group) []piece {
	var out []piece
	from, size := 0, 0
	for i, x := range g.idx {
		n := writeSize(&w.rows[x])
		if i > from && (size+n > w.c.cfg.MaxCallBytes || i-from >= w.c.cfg.MaxRegionCallRows) {
			out = append(out, piece{region: g.region, idx: g.idx[from:i], bytes: size})
			from, size = i, 0
		}
		size += n
	}
	return append(out, piece{region: g.region, idx: g.idx[from:], bytes: size})
}

// batchRegions is how many regions the rows of a call of ModeBatch are of at most: the server syncs its WAL once for each,
// one after another, while other calls could share those syncs.
const batchRegions = 16

// cutServer cuts the rows of one server's regions into calls that may span regions. Rows that share a RegionAction
// come before the others of their region, and count by a limit of their own.
func (w *writer) cutServer(groups []group) [][]piece {
	var out [][]piece
	var call []piece
	count, size := [2]int{}, 0 // of the call; of rows that go alone, and of those that share
	limit := [2]int{w.c.cfg.MaxCallRows, w.c.cfg.MaxRegionCallRows}
	for _, g := range groups {
		if w.mode == ModeBatch && len(call) >= batchRegions {
			out = append(out, call)
			call, count, size = nil, [2]int{}, 0
		}
		shared := w.shareFirst(g.idx)
		from, before := 0, size
		add := func(to int) {
			p := piece{region: g.region, idx: g.idx[from:to], bytes: size - before}
			p.shared = max(0, min(to, shared)-from)
			call = append(call, p)
		}
		for i, x := range g.idx {
			n := writeSize(&w.rows[x])
			if count[0]+count[1] > 0 && (size+n > w.c.cfg.MaxCallBytes || count[0] >= limit[0] || count[1] >= limit[1]) {
				if i > from {
					add(i)
				}
				out = append(out, call)
				call, from, before, count, size = nil, i, 0, [2]int{}, 0
			}
			if i < shared {
				count[1]++
			} else {
				count[0]++
			}
			size += n
		}
		add(len(g.idx))
	}
	return append(out, call)
}

// shareFirst moves the rows that may share a RegionAction to the front, each part in its order, and counts them.
func (w *writer) shareFirst(idx []int) int {
	if w.mode != ModeBatch {
		return 0
	}
	shares := func(x int) bool { return shares(&w.rows[x]) }
	n := 0
	for n < len(idx) && shares(idx[n]) {
		n++
	}
	if !slices.ContainsFunc(idx[n:], shares) {
		return n // nearly always
	}
	var alone []int
	for _, x := range idx[n:] {
		if shares(x) {
			idx[n] = x
			n++
		} else {
			alone = append(alone, x)
		}
	}
	copy(idx[n:], alone)
	return n
}

// shares says whether a row may be written beside others and still be all or nothing by itself: as one put or delete
// without a condition.
func shares(row *RowWrite) bool {
	return row.Condition == nil && len(row.Mutations) == 1 && (row.Mutations[0].Kind == KindPut || row.Mutations[0].Kind == KindDelete)
}

// size is about how many bytes a call of these pieces takes.
func (w *writer) size(call ...piece) int {
	n := 128
	for _, p := range call {
		n += p.bytes + (1+len(p.idx)-p.shared)*(8+len(p.region.Name))
	}
	return n
}
