package main

const (
	foldGo    = "connector/core/fold.go"
	settleGo  = "connector/core/settle.go"
	writeGo   = "connector/core/write.go"
	resultGo  = "connector/core/result.go"
	lookGo    = "connector/core/look.go"
	fetchGo   = "connector/core/fetch.go"
	windowGo  = "connector/core/window.go"
	takeGo    = "connector/core/take.go"
	advanceGo = "connector/core/advance.go"
	stopGo    = "connector/core/stop.go"
	logGo     = "connector/core/log.go"
	tableGo   = "connector/core/table.go"
	witnessGo = "connector/core/witness.go"
	doubtGo   = "connector/core/doubt.go"
	markGo    = "connector/core/mark.go"
	rowsGo    = "connector/core/rows.go"
	coreGo    = "connector/core/core.go"
	letterGo  = "connector/core/letter.go"
)

// beforeMark is where a group's write is complete but for its mark.
const beforeMark = "	muts := g.Write.Mutations\n"

// marks are wrong guards, and outcomes taken for what they are not.
var marks = []mutant{
	{"no-condition", "rows are written without the condition on their mark", simulation, []edit{
		{writeGo, beforeMark, "	if on.Is(\"no-condition\") {\n		g.Write.Condition = nil\n	}\n$0"},
	}},
	{"increments-unguarded", "a write with increments goes without the condition", simulation, []edit{
		{writeGo, beforeMark, "	for _, m := range g.Write.Mutations {\n		if on.Is(\"increments-unguarded\") && m.Kind == hbase.KindIncrement {\n			g.Write.Condition = nil\n		}\n	}\n$0"},
	}},
	{"guard-by-last", "a group is guarded by its last offset instead of its first", simulation, []edit{
		{writeGo, "from := g.First + 1\n", "from := on.Pick(\"guard-by-last\", g.Next, g.First+1)\n"},
	}},
	{"guard-one-late", "the condition begins one offset too high", simulation, []edit{
		{writeGo, "Family: c.cfg.MarkFamily, Qualifier: g.src.column.Qualifier, Op: hbase.CompareEqual,", "$0\n		To: on.Pick(\"guard-one-late\", g.Next, 0),"},
	}},
	{"mark-one-low", "the mark says the last offset, not the next", simulation, []edit{
		{writeGo, "	floor := g.floor\n", "	if on.Is(\"mark-one-low\") {\n		g.Next--\n		defer func() { g.Next++ }()\n	}\n$0"},
	}},
	{"delete-takes-mark", "a row delete takes the mark too", simulation, []edit{
		{writeGo, beforeMark, "	for i := range g.Write.Mutations {\n		if m := &g.Write.Mutations[i]; on.Is(\"delete-takes-mark\") && m.Kind == hbase.KindDelete {\n			m.Cells = append(m.Cells, hbase.MutationCell{Column: &hbase.Column{Family: c.cfg.MarkFamily}, Timestamp: g.floor, Type: hbase.CellDeleteFamily})\n		}\n	}\n$0"},
	}},
	{"sink-not-in-mark", "the sink's name is missing from the mark's qualifier", simulation, []edit{
		{markGo, `s := sink + "/" +`, `s := on.Pick("sink-not-in-mark", "", sink+"/") +`},
	}},
	{"partition-not-in-mark", "the partition is missing from the mark's qualifier", simulation, []edit{
		{markGo, "strconv.Itoa(int(partition))", `strconv.Itoa(on.Pick("partition-not-in-mark", 0, int(partition)))`},
	}},
	{"unknown-is-applied", "a write whose answer was lost counts as applied", simulation, []edit{
		{resultGo, "		case res.Outcome == hbase.Applied:\n", "		case res.Outcome == hbase.Applied || on.Is(\"unknown-is-applied\") && res.Outcome == hbase.Unknown:\n"},
	}},
	{"refused-is-applied", "a write refused by its condition counts as applied", simulation, []edit{
		{resultGo, "		case res.Outcome == hbase.Refused && res.Err == nil:\n", "		case on.Is(\"refused-is-applied\") && res.Outcome == hbase.Refused && res.Err == nil:\n			c.applied(g)\n$0"},
	}},
	{"first-failed-only", "of several writes that failed together only the first is tried again", simulation, []edit{
		{resultGo, "		case res.Outcome == hbase.Refused:\n", "		case on.Is(\"first-failed-only\") && i > 0 && res.Outcome == hbase.Refused && hbase.FaultOf(res.Err) == hbase.FaultBusy:\n			c.applied(g)\n$0"},
	}},
	{"batch-blames-all", "one row too large makes all rows of its batch count as wrong", "connector/core TestBadRowOfABatchIsSoughtByRows", []edit{
		{resultGo, "		case g.mode != hbase.ModeRow:\n", "		case g.mode != hbase.ModeRow && !on.Is(\"batch-blames-all\"):\n"},
	}},
	{"absent-mark-is-applied", "a look that finds no mark takes the records for applied", simulation, []edit{
		{lookGo, "	n := 0\n	for n < len(r.pend) &&", "	if on.Is(\"absent-mark-is-applied\") && m.Next == 0 && len(r.pend) > 0 {\n		m.Next = r.pend[len(r.pend)-1].rec.offset + 1\n	}\n$0"},
	}},
	{"failed-look-is-absent", "a look that failed counts as no mark", simulation, []edit{
		{lookGo, "		if err := e.Errs[i]; err != nil {", "		if err := e.Errs[i]; err != nil && !on.Is(\"failed-look-is-absent\") {"},
	}},
	{"off-by-one", "the record at the mark counts as applied", simulation, []edit{
		{lookGo, "r.pend[n].rec.offset < m.Next", `r.pend[n].rec.offset < m.Next+on.Pick[int64]("off-by-one", 1, 0)`},
	}},
	{"skip-without-bar", "a record that was sent is skipped without a mark that bars it", "connector/core", []edit{
		{resultGo, "	case !c.cfg.AtLeastOnce:\n", "	case !c.cfg.AtLeastOnce && !on.Is(\"skip-without-bar\"):\n"},
	}},
	{"mark-little-endian", "the mark's offset is written little-endian", "connector/core", []edit{
		{markGo, "	binary.BigEndian.PutUint64(b[9:], uint64(m.Floor))\n	binary", "	if on.Is(\"mark-little-endian\") {\n		binary.LittleEndian.PutUint64(b[1:], uint64(m.Next))\n	}\n$0"},
	}},
}
