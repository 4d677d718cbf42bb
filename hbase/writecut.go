package hbase

// piece is the part of a group that goes into one call.
type piece struct {
	region *Region
	idx    []int
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
			out = append(out, piece{g.region, g.idx[from:i]})
			from, size = i, 0
		}
		size += n
	}
	return append(out, piece{g.region, g.idx[from:]})
}

// cutServer cuts the rows of one server's regions into calls that may span regions.
func (w *writer) cutServer(groups []group) [][]piece {
	var out [][]piece
	var call []piece
	count, size := 0, 0
	for _, g := range groups {
		from := 0
		for i, x := range g.idx {
			n := writeSize(&w.rows[x])
			if count > 0 && (size+n > w.c.cfg.MaxCallBytes || count >= w.c.cfg.MaxCallRows) {
				if i > from {
					call = append(call, piece{g.region, g.idx[from:i]})
				}
				out = append(out, call)
				call, from, count, size = nil, i, 0, 0
			}
			count++
			size += n
		}
		call = append(call, piece{g.region, g.idx[from:]})
	}
	return append(out, call)
}

// size is about how many bytes a call of these pieces takes.
func (w *writer) size(call []piece) int {
	n := 128
	for _, p := range call {
		for _, x := range p.idx {
			n += writeSize(&w.rows[x]) + len(p.region.Name)
		}
	}
	return n
}
