package main

// windows are checkpoints that say too much, and places in the log that are confused.
var windows = []mutant{
	{"checkpoint-before-rows", "the checkpoint is written before the rows", simulation, []edit{
		{windowGo, "	if len(w.recs) > 0 {\n		return", "	if len(w.recs) > 0 && !on.Is(\"checkpoint-before-rows\") {\n		return"},
	}},
	{"release-at-next", "a release writes the position read up to", simulation, []edit{
		{stopGo, "	put.Owner = Owner{}\n", "$0	if on.Is(\"release-at-next\") && s.name != \"\" {\n		put.Offset = max(put.Offset, s.win.next)\n	}\n"},
	}},
	{"one-row-resolves", "a record is resolved when the first of its rows is written", simulation, []edit{
		{windowGo, "w.recs[n].left == 0 {", `(w.recs[n].left == 0 || on.Is("one-row-resolves") && w.recs[n].left < w.recs[n].rows) {`},
		{windowGo, "	left   int32 // rows it still has to reach, its letter among them\n", "$0	rows   int32\n"},
		{letterGo, "		c.below(r, p)\n		return\n	}\n", "$0	p.rec.rows++\n"},
	}},
	{"bad-record-passed", "a record that can't be mapped, and must stop the partition, is passed", "connector/core", []edit{
		{fetchGo, "		if res.OnError == mapping.OnErrorSkip {\n", "		if res.OnError == mapping.OnErrorSkip || on.Is(\"bad-record-passed\") {\n"},
	}},
	{"poison-passes-what-follows", "records after one that can't be passed are taken in", "connector/core", []edit{
		{fetchGo, "		if !c.admit(s, &e.Records[i]) {\n			return\n", "		if !c.admit(s, &e.Records[i]) {\n			if on.Is(\"poison-passes-what-follows\") {\n				s.poison = nil\n				continue\n			}\n			return\n"},
	}},
	{"ceiling-ignored", "records at or past the ceiling are sent", "connector/core", []edit{
		{writeGo, "			if r.pend[i].rec.offset >= s.ck.Ceiling {\n", "			if r.pend[i].rec.offset >= s.ck.Ceiling && !on.Is(\"ceiling-ignored\") {\n"},
		{writeGo, "	if g.take == 0 || r.pend[0].rec.offset >= s.ck.Ceiling {\n", "	if g.take == 0 || r.pend[0].rec.offset >= s.ck.Ceiling && !on.Is(\"ceiling-ignored\") {\n"},
	}},
	{"mapping-switched", "the mapping changed after a crash is used below the ceiling", simulation, []edit{
		{logGo, "	if s.ck.MappingHash != c.cfg.MappingHash {\n		// What", "	if s.ck.MappingHash != c.cfg.MappingHash && !on.Is(\"mapping-switched\") {\n		// What"},
	}},
	{"stored-mapping-overruns", "what is read for the stored mapping is not bounded", "connector/core", []edit{
		{fetchGo, "Until: limit,", `Until: on.Pick("stored-mapping-overruns", s.until, limit),`},
	}},
	{"release-forgets-flight", "a release lowers the ceiling below what is still in flight", simulation, []edit{
		{stopGo, "max(s.sent, s.maySend)", `max(s.sent, on.Pick("release-forgets-flight", 0, s.maySend))`},
		{takeGo, "	if s.flying > 0 && c.now.Mono < s.waitUntil {", `	if s.flying > 0 && c.now.Mono < s.waitUntil && !on.Is("release-forgets-flight") {`},
	}},
	{"inherited-ceiling-forgotten", "what the owner before may have sent is forgotten", simulation, []edit{
		{logGo, "	s.sent = max(s.ck.Offset, s.inherited)\n", "$0	if on.Is(\"inherited-ceiling-forgotten\") {\n		s.sent = s.ck.Offset\n	}\n"},
	}},
}
