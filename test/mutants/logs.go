package main

// logs are logs that are not what they were.
var logs = []mutant{
	{"hole-passed", "records that retention took are passed in silence", "connector/core", []edit{
		{logGo, "		if c.cfg.OutOfRange == RangeFail {\n", "		if c.cfg.OutOfRange == RangeFail && !on.Is(\"hole-passed\") {\n"},
	}},
	{"recreated-ignored", "a topic that was created again counts as the old one", simulation, []edit{
		{logGo, "	case recreated:\n", "	case recreated && !on.Is(\"recreated-ignored\"):\n"},
	}},
	{"truncated-ignored", "a log that was truncated counts as whole", simulation, []edit{
		{logGo, "	case truncated:\n", "	case truncated && !on.Is(\"truncated-ignored\"):\n"},
	}},
	{"segment-without-number", "a new incarnation of the log is opened without its number", simulation, []edit{
		{"connector/core/checkpoint.go", "c.Incarnation()+1, next", `c.Incarnation()+on.Pick("segment-without-number", 0, 1), next`},
	}},
	{"segment-without-floor", "a new incarnation does not know how new the rows' cells are", simulation, []edit{
		{logGo, "Floor: s.ck.Newest}", `Floor: on.Pick("segment-without-floor", 0, s.ck.Newest)}`},
	}},
	{"epoch-not-compared", "a record that took the offset of one cut off counts as the one that the row holds", simulation, []edit{
		{markGo, "return epoch >= 0 && markEpoch >= 0 && epoch > markEpoch }", `return !on.Is("epoch-not-compared") && epoch >= 0 && markEpoch >= 0 && epoch > markEpoch }`},
	}},
	{"epoch-of-elsewhere", "a fetch names an epoch that ended before its offset, as after a change of leaders and a kill", "connector/core", []edit{
		{fetchGo, "	if s.epochAt == s.win.next {\n", "	if s.epochAt == s.win.next || on.Is(\"epoch-of-elsewhere\") {\n"},
	}},
	{"marks-expired", "a source whose marks may have expired goes on", simulation, []edit{
		{logGo, "half > 0 && age > half {", `half > 0 && age > half && !on.Is("marks-expired") {`},
		{advanceGo, "	if half == 0 || moved", `	if on.Is("marks-expired") || half == 0 || moved`},
	}},
	{"log-not-doubted", "one look that shows another log is enough", simulation, []edit{
		{logGo, "	if doubted(&s.logDoubts) {\n", "	if doubted(&s.logDoubts) && !on.Is(\"log-not-doubted\") {\n"},
	}},
	{"end-believed-at-once", "what an owner before may have sent ends where one look shows the log to end", "connector/core", []edit{
		{logGo, "s.inherited > info.LogEnd && c.now.Mono < s.sureAt {\n", "s.inherited > info.LogEnd && c.now.Mono < s.sureAt && !on.Is(\"end-believed-at-once\") {\n"},
		{doubtGo, "	if s.sure || c.now.Mono < s.sureAt {\n", "	if s.sure || c.now.Mono < s.sureAt && !on.Is(\"end-believed-at-once\") {\n"},
	}},
}
