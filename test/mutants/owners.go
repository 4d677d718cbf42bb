package main

// owners are fences that don't hold.
var owners = []mutant{
	{"checkpoint-without-epoch", "a taker changes neither epoch nor owner, so that nobody is fenced", simulation, []edit{
		{takeGo, "	put.Owner, put.Who, put.Beat = c.cfg.Owner, c.cfg.Who, 0\n", "$0	if on.Is(\"checkpoint-without-epoch\") {\n		put.Epoch, put.Owner, put.Beat = s.ck.Epoch, s.ck.Owner, s.ck.Beat\n	}\n"},
	}},
	{"checkpoint-unconditional", "the checkpoint is put without comparing", simulation, []edit{
		{takeGo, "	s.put, s.putAt = &put, c.now.Mono\n", "$0	if on.Is(\"checkpoint-unconditional\") {\n		defer func() { c.out[len(c.out)-1] = SwapCheckpoint{s.tp, s.inst, []byte(\"any\"), put} }()\n	}\n"},
		{"test/sim/hbase.go", "	was := h.checkpoint(key)\n", "$0	if on.Is(\"checkpoint-unconditional\") && was != nil {\n		expect = was.Encode()\n	}\n"},
	}},
	{"owner-not-compared", "after a lost answer a taker looks at the epoch only, not at the owner", simulation, []edit{
		{takeGo, "	if row != nil && bytes.Equal(row.Encode(), s.put.Encode()) {", `	if row != nil && (bytes.Equal(row.Encode(), s.put.Encode()) || on.Is("owner-not-compared") && row.Epoch == s.put.Epoch) {`},
	}},
	{"lost-swap-is-accepted", "a swap whose answer was lost counts as accepted", "connector/core", []edit{
		{takeGo, "	case e.Result.Outcome == hbase.Applied:\n", "	case e.Result.Outcome == hbase.Applied || on.Is(\"lost-swap-is-accepted\") && e.Result.Outcome == hbase.Unknown:\n"},
	}},
	{"refused-swap-is-accepted", "a refused swap counts as accepted", simulation, []edit{
		{takeGo, "	case e.Result.Outcome == hbase.Refused && e.Result.Err != nil:\n", "	case on.Is(\"refused-swap-is-accepted\") && e.Result.Outcome == hbase.Refused && e.Result.Err == nil:\n		c.accepted(s)\n$0"},
	}},
	{"lease-not-waited", "a source is taken while its owner lives", "connector/core", []edit{
		{takeGo, "	free := e.Row.Owner == Owner{} ||", `	free := on.Is("lease-not-waited") || e.Row.Owner == Owner{} ||`},
		{takeGo, "func (c *Core) leased(s *source) bool { return ", `func (c *Core) leased(s *source) bool { return on.Is("lease-not-waited") || `},
	}},
	{"lease-ignored", "rows are sent after the lease ran out", "connector/core", []edit{
		{takeGo, "c.now.Mono-s.leaseAt < c.cfg.Lease }", `c.now.Mono-s.leaseAt < c.cfg.Lease || on.Is("lease-ignored") }`},
	}},
	{"sight-of-another-beat", "a lease runs from when the checkpoint was first seen, though it has moved since", "connector/core", []edit{
		{takeGo, "s.seen == nil || s.seen.Position != e.Row.Position {", `s.seen == nil || s.seen.Position != e.Row.Position && !on.Is("sight-of-another-beat") {`},
	}},
	{"group-gives-what-is-owned", "the group gives partitions away before their owners have given them up", "kafka TestShare", []edit{
		{"kafka/groupshare.go", "			return owned && at != i\n", "			return owned && at != i && !on.Is(\"group-gives-what-is-owned\")\n"},
	}},
	{"lease-from-answer", "the lease runs from the answer of a swap, not from its sending", "connector/core", []edit{
		{takeGo, "	s.leaseAt = s.putAt\n", "$0	if on.Is(\"lease-from-answer\") {\n		s.leaseAt = c.now.Mono\n	}\n"},
	}},
	{"old-life-counts", "answers to an earlier life of a partition are taken for this one's", "connector/core", []edit{
		{coreGo, "s != nil && s.inst == inst {", `s != nil && (s.inst == inst || on.Is("old-life-counts")) {`},
	}},
	{"fenced-goes-on", "an owner that was fenced takes the source back at once", simulation, []edit{
		{takeGo, "		s.put = nil\n		c.end(s, Report{Kind: ReportFenced, Offset: s.ck.Offset})\n", "		s.put = nil\n		if on.Is(\"fenced-goes-on\") && row != nil {\n			s.ck, s.state = *row, back\n			break\n		}\n		c.end(s, Report{Kind: ReportFenced, Offset: s.ck.Offset})\n"},
	}},
}
