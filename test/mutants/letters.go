package main

// letters are dead letters that get lost, or that are written for what is applied.
var letters = []mutant{
	{"letter-dropped", "a record that the server refuses is barred and passed without its letter", simulation, []edit{
		{letterGo, "	if !f.lettered {\n", "	if !f.lettered && !on.Is(\"letter-dropped\") {\n"},
	}},
	{"bar-without-letter", "a bar that is met again, after a crash, counts as a record that was applied", simulation, []edit{
		{letterGo, "	if p.policy == mapping.OnErrorDeadLetter {\n", "	if p.policy == mapping.OnErrorDeadLetter && !on.Is(\"bar-without-letter\") {\n"},
	}},
	{"row-hides-bar", "a row goes on behind a bar before the letter stands", "connector/core TestRefusedRecordBecomesALetter", []edit{
		{letterGo, "rec.bytes)\n		return\n", "rec.bytes)\n		if !on.Is(\"row-hides-bar\") {\n			return\n		}\n"},
	}},
	{"letter-before-rows", "the letter is made before all rows of its record are known to be done or barred", "connector/core TestLetterNamesAllRefusedRows", []edit{
		{letterGo, "int(rec.left) != len(f.barred) {", `int(rec.left) != len(f.barred) && !on.Is("letter-before-rows") {`},
	}},
	{"letter-unanswered", "a letter whose write got no answer, or did not come through, counts as written", simulation, []edit{
		{resultGo, "			c.stats.Unknown++\n", "			if on.Is(\"letter-unanswered\") && t.name == \"letters\" {\n				c.applied(g)\n				continue\n			}\n$0"},
		{resultGo, "	case hbase.FaultConnect, hbase.FaultRelocate:\n		t.suspect = true\n", "	case hbase.FaultConnect, hbase.FaultRelocate:\n		if on.Is(\"letter-unanswered\") && t.name == \"letters\" {\n			c.applied(g)\n			return\n		}\n		t.suspect = true\n"},
	}},
	{"letter-of-first", "a letter of several in a chunk holds the first one's record", wire, []edit{
		{"connector/letters.go", "	raw := &m.raws[len(m.raws)-1]\n", "	raw := &m.raws[on.Pick(\"letter-of-first\", 0, len(m.raws)-1)]\n"},
	}},
	{"bar-looks-applied", "the mark of a bar does not say that it is one", simulation, []edit{
		{writeGo, "		mark.Barred = barText(g.row.fence)\n", "		if !on.Is(\"bar-looks-applied\") {\n			mark.Barred = barText(g.row.fence)\n		}\n"},
	}},
}
