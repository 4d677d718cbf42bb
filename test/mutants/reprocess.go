package main

const (
	followGo = "connector/reprocess/follow.go"
	replayGo = "connector/reprocess/pass.go"
)

// histories are the random logs that are reprocessed.
const histories = "connector/reprocess TestHistories"

// reprocessing is what a window is written anew by.
var reprocessing = []mutant{
	{"replay-without-floor", "a record of a reprocessed window does not get the timestamp that its row had", histories, []edit{
		{followGo, "max(t.live, t.run, s.base))", `max(on.Pick("replay-without-floor", 0, t.live), t.run, s.base))`},
	}},
	{"replay-without-deletes", "deletes behind a reprocessed window are not sent again", histories, []edit{
		{followGo, "	default:\n		out = s.deletes(out, s.settled)\n", "	case on.Is(\"replay-without-deletes\"):\n$0"},
	}},
	{"replay-without-followers", "records of the timestamp of a reprocessed one are not sent again", histories, []edit{
		{followGo, "		out = s.whole(out, s.settled)\n", "		if !on.Is(\"replay-without-followers\") {\n	$0		}\n"},
	}},
	{"replay-without-tail", "what the connector wrote beside a reprocessing is not followed", histories, []edit{
		{replayGo, "tail > p.Tail {", `tail > p.Tail && !on.Is("replay-without-tail") {`},
	}},
}
