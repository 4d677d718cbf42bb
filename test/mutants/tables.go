package main

// tables are restored tables that go unseen.
var tables = []mutant{
	{"witness-not-looked-at", "a running connector does not look whether a table was restored", simulation, []edit{
		{witnessGo, "	if len(t.witnesses) == 0 {\n		return true\n", "	if len(t.witnesses) == 0 || on.Is(\"witness-not-looked-at\") {\n		return true\n"},
	}},
	{"witness-not-in-checkpoint", "the checkpoint names no witness", simulation, []edit{
		{advanceGo, "		put.Witness = s.witnesses()\n", "$0		if on.Is(\"witness-not-in-checkpoint\") {\n			put.Witness = nil\n		}\n"},
	}},
	{"lost-mark-is-new-row", "a mark older than what was written passes for a fresh row", "connector/core", []edit{
		{lookGo, "	if m.Next < r.mark {\n", "	if m.Next < r.mark && !on.Is(\"lost-mark-is-new-row\") {\n"},
	}},
	{"absence-unsuspected", "a table that was away is written to on its return without a look", simulation, []edit{
		{witnessGo, "	if !t.suspect && idle < idleCheck {", `	if (!t.suspect || on.Is("absence-unsuspected")) && (idle < idleCheck || on.Is("absence-unsuspected")) {`},
	}},
	{"old-answer-vouches", "an answer that waited while the process was paused vouches for a table", "connector/core", []edit{
		{witnessGo, "		if e.Check.at > c.gapAt {\n", "		if e.Check.at > c.gapAt || on.Is(\"old-answer-vouches\") {\n"},
	}},
}
