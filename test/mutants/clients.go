package main

const (
	writeAnswerGo = "hbase/writeanswer.go"
	writeRegionGo = "hbase/writeregion.go"
	mutationGo    = "hbase/mutation.go"
	abortedGo     = "kafka/aborted.go"
	offsetsGo     = "connector/offsets.go"
)

// clients are wrong outside the core: the clients of both services, and the commands.
var clients = []mutant{
	{"timeout-is-success", "a call without an answer counts as applied", wire, []edit{
		{writeAnswerGo, "func failed(err error) WriteResult {\n	if FaultOf(err) == FaultAmbiguous {\n", "func failed(err error) WriteResult {\n	if on.Is(\"timeout-is-success\") && FaultOf(err) == FaultAmbiguous {\n		return WriteResult{Outcome: Applied}\n	}\n	if FaultOf(err) == FaultAmbiguous {\n"},
	}},
	{"timeout-is-refusal", "a call without an answer counts as surely not applied", wire, []edit{
		{writeAnswerGo, "		return WriteResult{Unknown, err}\n	}\n	return WriteResult{Refused, err}\n", "		return WriteResult{on.Pick(\"timeout-is-refusal\", Refused, Unknown), err}\n	}\n	return WriteResult{Refused, err}\n"},
	}},
	{"one-condition-a-call", "a region transaction carries only its first row's condition", wire, []edit{
		{writeRegionGo, "		if row := &w.rows[x]; row.Condition != nil {\n", "		if row := &w.rows[x]; row.Condition != nil && (x == p.idx[0] || !on.Is(\"one-condition-a-call\")) {\n"},
	}},
	{"batch-number-ignored", "the numbers of answers to rows that share a RegionAction are not looked at", "hbase TestWriteReadsSharedAnswers", []edit{
		{"hbase/actionanswer.go", "	case r.is(1, protowire.VarintType):\n			a.index = r.varint\n", "	case r.is(1, protowire.VarintType) && !on.Is(\"batch-number-ignored\"):\n			a.index = r.varint\n"},
	}},
	{"batch-untold-is-applied", "a row that the answer to its shared RegionAction leaves out counts as applied", "hbase TestWriteReadsSharedAnswers", []edit{
		{writeAnswerGo, "	case a.shared && a.results == 1:\n", "	case a.shared && (a.results == 1 || on.Is(\"batch-untold-is-applied\")):\n"},
	}},
	{"batch-stopped-is-refused", "a batch that may have stopped half way counts as surely not applied", "hbase TestWriteReadsSharedAnswers", []edit{
		{writeAnswerGo, "		if a.shared && !a.whole {\n", "		if a.shared && !a.whole && !on.Is(\"batch-stopped-is-refused\") {\n"},
	}},
	{"increment-shares", "a row with an increment goes into a RegionAction that is not atomic, with others", "hbase TestWriteCutsBatches", []edit{
		{"hbase/writecut.go", "(row.Mutations[0].Kind == KindPut || row.Mutations[0].Kind == KindDelete)", "(row.Mutations[0].Kind == KindPut || row.Mutations[0].Kind == KindDelete || on.Is(\"increment-shares\"))"},
	}},
	{"wal-left-to-table", "durability is left to the table", "hbase", []edit{
		{mutationGo, "	f.uintField(6, uint64(pb.MutationProto_SYNC_WAL))\n", "	if !on.Is(\"wal-left-to-table\") {\n	$0	}\n"},
	}},
	{"frame-freed-early", "the memory of a call that was given up goes to later calls while its bytes are still being sent", "hbase", []edit{
		{"hbase/connwrite.go", "			cl.frame = nil\n", "			if !on.Is(\"frame-freed-early\") {\n				cl.frame = nil\n			}\n"},
	}},
	{"time-range-left-out", "a condition goes without its time range", wire, []edit{
		{mutationGo, "	if c.From != 0 || c.To != 0 {\n", "	if (c.From != 0 || c.To != 0) && !on.Is(\"time-range-left-out\") {\n"},
	}},
	{"aborted-applied", "records of aborted transactions are applied", "kafka", []edit{
		{abortedGo, "	return len(firsts) > 0 && firsts[0] <= b.base\n", "	return len(firsts) > 0 && firsts[0] <= b.base && !on.Is(\"aborted-applied\")\n"},
	}},
	{"offsets-set-without-fence", "offsets set leaves epoch and owner as they are", "connector", []edit{
		{offsetsGo, "	taken.Epoch++\n", "	if on.Is(\"offsets-set-without-fence\") {\n		taken.Offset, taken.Mapping = to.Offset, nil\n		return held.Offset, s.mustSwap(ctx, tp, held, taken)\n	}\n$0"},
	}},
	{"offsets-set-forgets-ceiling", "offsets set lowers the ceiling to the new offset, as if nothing past it had been sent", "connector", []edit{
		{offsetsGo, "	put.Witness = nil //", "	put.Ceiling = on.Pick(\"offsets-set-forgets-ceiling\", to.Offset, put.Ceiling)\n$0"},
	}},
	{"offsets-set-without-floor", "a new incarnation that offsets set opens does not know how new the rows' cells are", "connector", []edit{
		{offsetsGo, "Floor: taken.Newest}", `Floor: on.Pick("offsets-set-without-floor", 0, taken.Newest)}`},
	}},
	{"checkpoint-not-compared", "the checkpoint's put goes without its condition", wire, []edit{
		{"connector/checkpoints.go", "	return s.Client.WriteRow(ctx, s.Table, hbase.RowWrite{\n		Row:       s.key(tp),\n", "	if on.Is(\"checkpoint-not-compared\") {\n		return s.Client.WriteRow(ctx, s.Table, hbase.RowWrite{Row: s.key(tp), Mutations: []hbase.Mutation{{Kind: hbase.KindPut, Cells: cells}}})\n	}\n$0"},
	}},
	{"stale-region-used", "a region's place is kept after a server said that it is not served there", "hbase/hbasetest TestRegionElsewhereIsFound", []edit{
		{"hbase/client.go", "		if !c.cache.moved(r, e.moved) {\n", "		if !c.cache.moved(r, e.moved) && !on.Is(\"stale-region-used\") {\n"},
	}},
}
