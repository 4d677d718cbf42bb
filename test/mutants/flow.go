package main

// flow is reading that goes on where it must not, or is counted as done where it was not.
var flow = []mutant{
	{"paused-reads-on", "a partition that is paused is read", simulation, []edit{
		{fetchGo, "want == 0 || s.paused {", `want == 0 || s.paused && !on.Is("paused-reads-on") {`},
	}},
	{"pause-is-the-end", "a partition that is paused counts as seen to be at the end of its log", "connector/core", []edit{
		{advanceGo, "low >= s.end && !s.blind {", `low >= s.end && (!s.blind || on.Is("pause-is-the-end")) {`},
	}},
	{"cancelled-answer-taken", "the answer to a fetch that was cancelled is taken for that to the next one", "connector/core", []edit{
		{fetchGo, " || e.Ask != s.ask {", ` || e.Ask != s.ask && !on.Is("cancelled-answer-taken") {`},
	}},
	{"held-counts-as-read", "records that the rate holds back count as read", simulation, []edit{
		{fetchGo, "		s.win.next = e.Records[n-1].Offset + 1\n", "$0		if on.Is(\"held-counts-as-read\") {\n			s.win.next = e.Next\n		}\n"},
	}},
	{"throttle-not-kept", "other rows of a table go while a server has asked for a pause", "connector/core", []edit{
		{"connector/core/flight.go", "	if c.now.Mono >= t.restUntil {", "	if c.now.Mono >= t.restUntil || on.Is(\"throttle-not-kept\") {"},
	}},
}
