package main

// audits are ways in which verify would not see what is wrong, or would see it where all is right.
var audits = []mutant{
	{"verify-passes-marks", "verify takes a row's records for written whatever its mark says", "connector/audit TestPlantedFaultsAreFound", []edit{
		{"connector/audit/judge.go", "	case next <= v.last:\n", "	case next <= v.last && !on.Is(\"verify-passes-marks\"):\n"},
	}},
	{"verify-passes-missing", "verify takes a cell that is not there for deleted", "connector/audit TestPlantedFaultsAreFound", []edit{
		{"connector/audit/cells.go", "	case cell == nil && !c.live:\n", "	case cell == nil && (!c.live || on.Is(\"verify-passes-missing\")):\n"},
	}},
	{"verify-forgets-floor", "verify judges a late record by its own time, and not by its row's floor", "connector/audit TestCleanRunsAreRight", []edit{
		{"connector/audit/fold.go", "	p.source.settled, p.floor = settled, floor\n", "	p.source.settled, p.floor = settled, on.Pick(\"verify-forgets-floor\", 0, floor)\n"},
	}},
}
