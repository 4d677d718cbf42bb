package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"rowmark/connector"
	"rowmark/kafka"
)

func TestTargets(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	at := func(day, hour, minute int) kafka.OffsetSpec {
		return kafka.AtTime(time.Date(2026, 11, day, hour, minute, 0, 0, time.UTC).UnixMilli())
	}
	for text, want := range map[string]target{
		"0":                         {offset: 0},
		"17":                        {offset: 17},
		"offset:17":                 {offset: 17},
		"earliest":                  {offset: -1, spec: kafka.Earliest},
		"first":                     {offset: -1, spec: kafka.Earliest},
		"last":                      {offset: -1, spec: kafka.Latest},
		"now":                       {offset: -1, spec: kafka.Latest},
		"latest":                    {offset: -1, spec: kafka.Latest},
		"2026-11-01T02:00:00+02:00": {offset: -1, spec: at(1, 0, 0)},
		"2026-11-01":                {offset: -1, spec: at(1, 0, 0)},
		"-2h":                       {offset: -1, spec: at(30, 10, 0)},
		"-1h30m":                    {offset: -1, spec: at(30, 10, 30)},
		"-3d":                       {offset: -1, spec: at(27, 12, 0)},
	} {
		want.flag, want.text = "--to", text
		if got, err := parseTarget(text, now); err != nil || got != want {
			t.Errorf("%s is %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "soon", "First", "offset:", "offset:-1", "offset:x", "offset:offset:1", "offset:-2h", "2h", "--2h", "-", "-d", "-1", "-99999d", "1e3", "2026-11-01 12:00", "1960-01-01", "9999999999999999999"} {
		if got, err := parseTarget(text, now); connector.ExitCode(err) == 0 {
			t.Errorf("%q is taken for %+v", text, got)
		}
	}
}

func TestChoose(t *testing.T) {
	for _, c := range []struct{ topics, partitions, want string }{
		{"", "", "[] []"},
		{"orders", "", "[orders] []"},
		{"", "orders/0 b/1", "[] [orders/0 b/1]"},
		{"orders", "0 2", "[] [orders/0 orders/2]"},
		{"orders", "0 b/1", "[] [orders/0 b/1]"},
		{"orders", "b/1", "[orders] [b/1]"},
		{"", "0", "--partition 0: of which topic?"},
		{"orders b", "0", "--partition 0: of which topic?"},
		{"", "x", `--partition "x": write topic/partition`},
		{"orders", "-1", `--partition "-1": write topic/partition`},
		{"orders", "4294967296", "partitions count from 0"},
	} {
		topics, tps, err := choose(strings.Fields(c.topics), strings.Fields(c.partitions))
		got := fmt.Sprint(topics, tps)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("--topic %s --partition %s: %s, want %s", c.topics, c.partitions, got, c.want)
		}
	}
}

func TestConfirm(t *testing.T) {
	for answer, yes := range map[string]bool{"y\n": true, "YES\n": true, " y": true, "n\n": false, "\n": false, "": false, "yep\n": false, "no\ny\n": false} {
		var out strings.Builder
		err := confirm(t.Context(), strings.NewReader(answer), &out, "Really?")
		if (err == nil) != yes || out.String() != "Really? [y/N] " {
			t.Errorf("%q: %v after %q", answer, err, out.String())
		}
	}
	// A signal is a no, though nobody answers.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, silent := io.Pipe()
	defer func() { _ = silent.Close() }()
	if err := confirm(ctx, in, io.Discard, "Really?"); err == nil {
		t.Error("confirmed by nobody")
	}
}

func TestSetRefuses(t *testing.T) {
	file := offline(t)
	for args, reason := range map[string]string{
		"":                                "--to",
		"--to soon":                       "how long ago such as -2h",
		"--to 1":                          "give --yes, or --dry-run",
		"--to 1 -o json":                  "--yes or --dry-run",
		"--to 1 --yes -o yaml":            "use text or json",
		"--to 1 --new-incarnation":        "give --yes, or --dry-run",
		"--to earliest --force -o table":  "use text or json",
		"--to 2026-13-01 --yes --dry-run": "use an offset (1234 or offset:1234), a time",
	} {
		command("", append([]string{"offsets", "set", "-c", file}, strings.Fields(args)...)...).wants(t, connector.ExitConfig, "", strings.TrimPrefix(reason, "--to"))
	}
	m := newMoving(t)
	m.run("offsets", "set", "--yes", "--to", "earliest").wants(t, connector.ExitOther, "", "no checkpoint yet")
	m.produce(0, noon, "a", "b", "c")
	m.once()
	for _, c := range []struct {
		args   string
		code   int
		reason string
	}{
		{"--to 4 --partition in/0", connector.ExitConfig, "rowmark: --to 4 is outside the log of in/0, which is [0, 3]\n"},
		{"--to 1", connector.ExitConfig, "rowmark: --to 1 is outside the log of in/1, which is [0, 0]\n"},
		{"--to 0 --partition in", connector.ExitConfig, "topic/partition"},
		{"--to 0 --partition in/x", connector.ExitConfig, "topic/partition"},
		{"--to 0 --partition in/7", connector.ExitTopic, "in/7"},
		{"--to 0 --topic out", connector.ExitConfig, "no partition of it has a checkpoint"},
	} {
		m.run(append([]string{"offsets", "set", "--yes"}, strings.Fields(c.args)...)...).wants(t, c.code, "", c.reason)
	}
	for _, p := range m.positions() {
		if p.Epoch != 1 {
			t.Errorf("what was refused left %+v", p)
		}
	}
}

// What is told is what is done: of each partition the offsets and the time of the first record among them.
func TestSetTellsWhatItDoes(t *testing.T) {
	m := newMoving(t)
	m.produce(0, time.Now().Add(-3*time.Hour-30*time.Minute-30*time.Second), "a", "b", "c", "d")
	m.produce(1, noon, "p", "q")
	m.once()
	for _, c := range []struct{ args, says string }{
		{"--to 1 --partition in/0", "in/0: 4 -> 1: 3 offsets will be read again, the first of "},
		{"--to 1 --partition in/0", " (3h30m ago); records that their rows hold already are not applied again\n"},
		{"--to -1h --topic in", "in/0: 4 -> 4: unchanged\nin/1: 2 -> 2: unchanged\n"},
		{"--to 2026-11-01T12:00:01Z", "in/0: 4 -> 0: 4 offsets will be read again, the first of "},
		{"--to 2026-11-01T12:00:01Z", "in/1: 2 -> 1: 1 offsets will be read again, the first of 2026-11-01T12:00:01Z ("},
		{"--to earliest --partition in/1 --partition in/0 --partition in/1", "(3h30m ago); records that their rows hold already are not applied again\nin/1: 2 -> 0: 2 offsets"},
	} {
		got := m.run(append([]string{"offsets", "set", "--dry-run"}, strings.Fields(c.args)...)...)
		got.wants(t, 0, c.says, "")
	}
	for _, p := range m.positions() {
		if p.Epoch != 1 {
			t.Errorf("a dry run left %+v", p)
		}
	}
	got := m.run("offsets", "set", "--yes", "--to", "1", "-o", "json")
	got.wants(t, 0, "", "")
	var p plan
	if err := json.Unmarshal([]byte(got.out), &p); err != nil {
		t.Fatal(err)
	}
	if c := p.Changes; len(c) != 2 || !c[0].Done || c[0].ReadAgain != 3 || c[1].ReadAgain != 1 || c[1].Oldest != "2026-11-01T12:00:01Z" {
		t.Errorf("got %s", got.out)
	}
	m.once()
	m.applied("a1 b1 c1 d1 p1 q1") // again, and nothing is doubled
	m.run("offsets", "set", "--yes", "--to", "0").wants(t, 0, "2 checkpoints moved\n", "")
	m.run("offsets", "set", "--yes", "--to", "2", "--partition", "in/0").wants(t, 0, "in/0: 0 -> 2: 2 offsets are skipped for good, the first of ", "")
}

// Letters of records that are read again are counted, and no others.
func TestSetTellsOfLetters(t *testing.T) {
	m := newMoving(t)
	m.file = writeFile(t, "letters.yaml", m.text("    value: {format: json}\n    on_error: dead-letter\n"))
	m.run("init").wants(t, 0, "", "")
	m.produceValues(0, noon, "{", "{}", "{", "{}")
	m.produceValues(1, noon, "{")
	m.once()
	for to, letters := range map[int]int{0: 2, 1: 1, 3: 0} {
		got := m.run("offsets", "set", "--dry-run", "--partition", "in/0", "--to", fmt.Sprint(to))
		got.wants(t, 0, fmt.Sprintf("in/0: 4 -> %d: ", to), "")
		if says := fmt.Sprintf("in/0: %d of them have dead letters", letters); strings.Contains(got.out, says) != (letters > 0) || strings.Contains(got.out, "in/0: 0 of") {
			t.Errorf("to %d: %s", to, got.out)
		}
	}
}

// A connector that runs keeps its partitions, unless it is fenced: then it ends as the table of exit codes says.
func TestSetUnderALiveConnector(t *testing.T) {
	m := newMoving(t)
	m.produce(0, noon, "a", "b", "c")
	ended := make(chan result, 1)
	go func() { ended <- m.run("run") }()
	for len(m.appliedNow()) < 3 {
		time.Sleep(10 * time.Millisecond)
	}
	set := []string{"offsets", "set", "--to", "earliest", "--yes"}
	dry := m.run(append(set, "--dry-run")...)
	dry.wants(t, 0, " holds it: while that runs the move is refused, unless --force fences it\n", "")
	if host, _ := os.Hostname(); !strings.Contains(dry.out, "in/0: "+host) {
		t.Errorf("a dry run names no owner: %s", dry.out)
	}
	m.run(set...).wants(t, connector.ExitFenced, "waiting 1s (checkpoint.lease)", "stop it, or use --force to fence it")
	got := m.run(append(set, "--force")...)
	got.wants(t, 0, " holds it, and is fenced\n", "")
	got.wants(t, 0, "2 checkpoints moved\n", "")
	(<-ended).wants(t, connector.ExitFenced, "", "another connector took the partition")
	m.once()
	m.applied("a1 b1 c1")
}
