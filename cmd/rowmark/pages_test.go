package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Commands of the pages that people copy from, in blocks of shell and within sentences.
var (
	shellBlock    = regexp.MustCompile("(?s)```sh\n(.*?)```")
	commandLine   = regexp.MustCompile(`(?m)^(?:bin/)?rowmark (.*)$`)
	commandInText = regexp.MustCompile("`rowmark ([^`]*)`")
	commentBehind = regexp.MustCompile(`\s+#.*$`)
)

// Who copies a command on a bad night must not learn that the flag has another name.
func TestCommandsOfPagesAreThere(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		check := func(line string, whole bool) {
			if strings.Contains(line, "…") {
				return // a way to write many
			}
			seen++
			if err := understood(strings.Fields(commentBehind.ReplaceAllString(line, "")), whole); err != nil {
				t.Errorf("%s: rowmark %s: %v", filepath.Base(page), line, err)
			}
		}
		for _, block := range shellBlock.FindAllString(string(text), -1) {
			for _, m := range commandLine.FindAllStringSubmatch(block, -1) {
				check(m[1], true)
			}
		}
		for _, m := range commandInText.FindAllStringSubmatch(string(text), -1) {
			check(m[1], false)
		}
	}
	if seen < 50 {
		t.Errorf("only %d commands were found", seen)
	}
}

// understood says whether the program has the command and its flags, and of a whole one whether its arguments are enough.
func understood(args []string, whole bool) error {
	cmd, rest, err := newRoot().Find(args)
	if err != nil {
		return err
	}
	err = cmd.ParseFlags(rest)
	if err != nil && !whole && strings.HasPrefix(err.Error(), "flag needs an argument") {
		return nil // a sentence that names the flag
	}
	if err != nil || !whole {
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}
