package main

// rowWrites are rows folded wrongly, or stamped wrongly.
var rowWrites = []mutant{
	{"increments-not-summed", "two increments of one write are not summed", simulation, []edit{
		{foldGo, "			c.delta += op.Delta\n", "$0			if on.Is(\"increments-not-summed\") {\n				c.delta = op.Delta\n			}\n"},
	}},
	{"mappings-not-folded", "the parts of one record that name one row become two writes", simulation, []edit{
		{letterGo, "if n := len(r.pend); n > 0 && r.pend[n-1].rec == p.rec {", `if n := len(r.pend); n > 0 && r.pend[n-1].rec == p.rec && !on.Is("mappings-not-folded") {`},
	}},
	{"delete-hides-put", "a put after a delete carries the delete's millisecond", simulation, []edit{
		{settleGo, "	return gone, gone + 1\n", "	if on.Is(\"delete-hides-put\") {\n		return gone, gone\n	}\n$0"},
	}},
	{"no-floor", "a late record keeps its own time and hides behind older ones", simulation, []edit{
		{settleGo, "	at = max(at, floor)\n	if o.Delete == nil {", "	at = max(at, on.Pick(\"no-floor\", at, floor))\n	if o.Delete == nil {"},
	}},
	{"server-timestamps", "puts carry the server's time", simulation, []edit{
		{foldGo, "		if kind != mapping.CellPut {\n", "		if kind != mapping.CellPut || on.Is(\"server-timestamps\") {\n"},
	}},
	{"floor-not-looked-up", "the floor of a row not remembered is taken for 0", simulation, []edit{
		{tableGo, "|| ops.Time > r.src.bound {", `|| ops.Time > r.src.bound || on.Is("floor-not-looked-up") {`},
	}},
	{"newest-dropped", "the checkpoint does not say how new the rows' cells are", simulation, []edit{
		{advanceGo, "		put.Newest = max(put.Newest, s.allow())\n", "		put.Newest = max(put.Newest, on.Pick(\"newest-dropped\", 0, s.allow()))\n"},
		{writeGo, "floor <= s.ck.Newest {", `floor <= s.ck.Newest || on.Is("newest-dropped") || on.Is("newest-after-rows") {`},
	}},
	{"newest-after-rows", "the checkpoint says how new the rows' cells are after they were written, not before", "connector/core", []edit{
		{advanceGo, "	top := max(s.newest, s.newestDue)\n", "$0	if on.Is(\"newest-after-rows\") {\n		return s.newest\n	}\n"},
	}},
	{"bound-dropped", "a row that is forgotten leaves no bound on its floor", simulation, []edit{
		{rowsGo, "		s.bound = max(s.bound, old.floor)\n", "		s.bound = max(s.bound, on.Pick(\"bound-dropped\", 0, old.floor))\n"},
	}},
	{"floor-of-stale-look", "a write whose floor comes from a look may land on a later mark than that look showed", simulation, []edit{
		{writeGo, "	if g.row.exact {\n", "	if g.row.exact && !on.Is(\"floor-of-stale-look\") {\n"},
	}},
	{"older-not-doubted", "a partition stops for good at the first read that shows its table older", simulation, []edit{
		{doubtGo, "return *times <= doubts", "$0 && !on.Is(\"older-not-doubted\")"},
	}},
	{"two-in-flight", "a row is sent again while a write of it is in flight", simulation, []edit{
		{tableGo, "	if r.state != rowIdle || len(r.pend) == 0 {\n", "	if r.state != rowIdle && (r.state != rowFly || !on.Is(\"two-in-flight\")) || len(r.pend) == 0 {\n"},
	}},
	{"row-twice-in-a-call", "a row that two partitions write goes twice into one call", simulation, []edit{
		{writeGo, "		if t.batch.find(t, r.key, r.hash) != nil {\n", "		if t.batch.find(t, r.key, r.hash) != nil && !on.Is(\"row-twice-in-a-call\") {\n"},
	}},
	{"count-joins-put", "an increment joins the write of a put or delete of its column", "connector/core", []edit{
		{foldGo, "			if c := &f.columns[i]; c.live && counts(c.kind) && bytes.Equal(c.Family, family) {\n", "			if c := &f.columns[i]; c.live && counts(c.kind) && bytes.Equal(c.Family, family) && !on.Is(\"count-joins-put\") {\n"},
	}},
}
