package lint

import (
	"strings"
	"testing"
)

func goFile(path, body string) File { return File{Path: path, Text: []byte(body)} }

// TestRulesFind shows each rule what it must find, and what it must let pass.
func TestRulesFind(t *testing.T) {
	in := func(path, imports, body string) File {
		text := "package x\n"
		if imports != "" {
			text += "import (\n" + imports + "\n)\n"
		}
		return goFile(path, text+body+"\n")
	}
	home := "/" + "home/someone/x"
	registry := "proxy" + ".golang.org"
	exit := func(page string) []File {
		return []File{goFile(exitSource, "package x\nconst (\n\tExitOK = 0\n\tExitBad = 7\n)\n"), {Path: exitPage, Text: []byte(page)}}
	}
	casesAre := func(row string) []File {
		return []File{goFile("hbase/a_test.go", "package x\nfunc TestA(){}\nfunc TestB(){}\n"), {Path: casesPage, Text: []byte("| # | input | right answer | tests |\n|---|---|---|---|\n" + row + "\n")}}
	}
	tests := []struct {
		name, rule string
		files      []File
		want       string // empty: nothing found
	}{
		{"clock", "pure core", []File{in("connector/core/a.go", `"time"`, "var _ = time.Now()")}, "time.Now"},
		{"clock under another name", "pure core", []File{in("connector/core/a.go", `clock "time"`, "var _ = clock.Now()")}, "time.Now"},
		{"sleep", "pure core", []File{in("connector/core/a.go", `"time"`, "func f() { time.Sleep(1) }")}, "time.Sleep"},
		{"durations are no clock", "pure core", []File{in("connector/core/a.go", `"time"`, "var _ = time.Second")}, ""},
		{"chance", "pure core", []File{in("connector/core/a.go", `"math/rand"`, "")}, "math/rand"},
		{"newer chance", "pure core", []File{in("connector/core/a.go", `"math/rand/v2"`, "")}, "math/rand/v2"},
		{"socket", "pure core", []File{in("connector/core/a.go", `"net"`, "")}, "imports net"},
		{"file", "pure core", []File{in("connector/core/a.go", `"os"`, "")}, "imports os"},
		{"goroutine", "pure core", []File{in("connector/core/a.go", "", "func f() { go f() }")}, "go statement"},
		{"channel", "pure core", []File{in("connector/core/a.go", "", "var c chan int")}, "a channel"},
		{"tests of the core are free", "pure core", []File{in("connector/core/a_test.go", `"math/rand"`, "func f() { go f() }")}, ""},
		{"other packages are free", "pure core", []File{in("connector/a.go", `"time"`, "var _ = time.Now()")}, ""},

		{"a case with its tests", "cases", casesAre("| L1 | a | b | hbase TestA TestB; hbase TestA |"), ""},
		{"a case whose test is gone", "cases", casesAre("| L1 | a | b | hbase TestA TestC |"), "no test TestC in hbase"},
		{"a case whose test is elsewhere", "cases", casesAre("| L1 | a | b | kafka TestA |"), "no test TestA in kafka"},
		{"a case without a test", "cases", casesAre("| L1 | a | b | hbase |"), "names no test"},

		{"hbase knows a connector", "layers", []File{in("hbase/a.go", `"rowmark/connector/core"`, "")}, "not in hbase"},
		{"a folder below counts", "layers", []File{in("hbase/hbasetest/a.go", `"rowmark/kafka"`, "")}, "not in hbase"},
		{"hbase's own", "layers", []File{in("hbase/a.go", `"rowmark/hbase/pb"`, "")}, ""},
		{"kafka knows hbase", "layers", []File{in("kafka/a.go", `"rowmark/hbase"`, "")}, "not in kafka"},
		{"kafka with kmsg", "layers", []File{in("kafka/a.go", `"github.com/twmb/franz-go/pkg/kmsg"`, "")}, ""},
		{"kafka with kgo", "layers", []File{in("kafka/a.go", `"github.com/twmb/franz-go/pkg/kgo"`, "")}, "pkg/kgo"},
		{"tests with kgo", "layers", []File{in("kafka/a_test.go", `"github.com/twmb/franz-go/pkg/kgo"`, "")}, ""},
		{"row keys know a mapping", "layers", []File{in("rowkey/a.go", `"rowmark/connector/mapping"`, "")}, "not in rowkey"},
		{"the core logs", "layers", []File{in("connector/core/a.go", `"github.com/rs/zerolog"`, "")}, "zerolog"},
		{"the core knows its runtime", "layers", []File{in("connector/core/a.go", `"rowmark/connector"`, "")}, "not in connector/core"},
		{"the core knows the mapping", "layers", []File{in("connector/core/a.go", `"rowmark/connector/mapping"`, "")}, ""},
		{"the connector knows the command", "layers", []File{in("connector/a.go", `"rowmark/cmd/rowmark"`, "")}, "not in connector"},
		{"the demo asks the connector", "layers", []File{in("cmd/rowmark/demo/a.go", `"rowmark/connector/core"`, "")}, "not in cmd/rowmark/demo"},
		{"the demo asks rowmark's client", "layers", []File{in("cmd/rowmark/demo/a.go", `"rowmark/hbase"`, "")}, "not in cmd/rowmark/demo"},
		{"the demo embeds", "layers", []File{in("cmd/rowmark/demo/a.go", `"rowmark/hbase/hbasetest"; "github.com/twmb/franz-go/pkg/kfake"`, "")}, ""},
		{"a tool of the tests embeds", "layers", []File{in("test/wire/a.go", `"rowmark/hbase/hbasetest"`, "")}, ""},
		{"a command embeds an HBase", "layers", []File{in("cmd/rowmark/a.go", `"rowmark/hbase/hbasetest"`, "")}, "only tests and the demo"},
		{"a command embeds a Kafka", "layers", []File{in("cmd/rowmark/a.go", `"github.com/twmb/franz-go/pkg/kfake"`, "")}, "only tests and the demo"},
		{"the client embeds its HBase", "layers", []File{in("hbase/a.go", `"rowmark/hbase/hbasetest"`, "")}, "only tests and the demo"},
		{"another folder embeds", "layers", []File{in("metrics/a.go", `"rowmark/hbase/hbasetest"`, "")}, "only tests and the demo"},

		{"long", "length", []File{goFile("a.go", "package x\n"+strings.Repeat("\n", MaxLines))}, "601 lines"},
		{"long and generated", "length", []File{goFile("a.go", "// Code generated by x. DO NOT EDIT.\n\npackage x\n"+strings.Repeat("\n", MaxLines))}, ""},
		{"not quite generated", "length", []File{goFile("a.go", "package x\n// Code generated by x. DO NOT EDIT.\n"+strings.Repeat("\n", MaxLines))}, "602 lines"},

		{"path of a machine", "foreign", []File{goFile("a.md", "see "+home)}, "path of one machine"},
		{"path in quotes", "foreign", []File{goFile("a.go", `x := "`+home+`"`)}, "path of one machine"},
		{"path of every machine", "foreign", []File{goFile("a.md", "see /usr/share/java, /dev/null and /var/lib/rowmark")}, ""},
		{"route that looks alike", "foreign", []File{goFile("a.md", "test/"+"work/x")}, ""},
		{"registry", "foreign", []File{goFile("a.md", "GOPROXY=https://"+registry)}, "host of a registry"},
		{"image without a host", "foreign", []File{goFile("a.yaml", "image: apache/kafka:4.1.1")}, ""},

		{"no comment", "package comments", []File{goFile("a/doc.go", "package a\n")}, "no package comment"},
		{"comment elsewhere", "package comments", []File{goFile("a/b.go", "// Package a is one.\npackage a\n")}, "in doc.go"},
		{"comment", "package comments", []File{goFile("a/doc.go", "// Package a is one.\npackage a\n")}, ""},
		{"command", "package comments", []File{goFile("a/main.go", "// Command a is one.\npackage main\n")}, ""},
		{"command without", "package comments", []File{goFile("a/main.go", "package main\n")}, "one of its files"},

		{"page right", "exit codes", exit("| 0 | `ExitOK` | x |\n| 7 | `ExitBad` | y |\n"), ""},
		{"code missing", "exit codes", exit("| 0 | `ExitOK` | x |\n"), "ExitBad is 7"},
		{"code wrong", "exit codes", exit("| 0 | `ExitOK` | x |\n| 8 | `ExitBad` | y |\n"), `says "8"`},
		{"code too many", "exit codes", exit("| 0 | `ExitOK` | x |\n| 7 | `ExitBad` | y |\n| 9 | `ExitGone` | z |\n"), "ExitGone is no constant"},
		{"no codes at all", "exit codes", nil, "no Exit constants"},
	}
	for _, tt := range tests {
		t.Run(tt.rule+"/"+tt.name, func(t *testing.T) {
			got := strings.Join(rules[tt.rule](tt.files), "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

func TestFilesWithoutGit(t *testing.T) {
	paths, err := walked(Root)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(paths, "\n")
	for _, want := range []string{"go.mod", "test/lint/doc.go", ".ci/run"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s not found", want)
		}
	}
	if strings.Contains(all, ".git/") {
		t.Error("the folder of git is no part of the project")
	}
}
