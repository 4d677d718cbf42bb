package deploy

import (
	"bytes"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

func TestDockerfiles(t *testing.T) {
	for _, name := range []string{"docker/Dockerfile", "docker/hbase.Dockerfile"} {
		t.Run(name, func(t *testing.T) {
			parsed, err := parser.Parse(bytes.NewReader(read(t, name)))
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range parsed.Warnings {
				t.Errorf("line %d: %s", w.Location.Start.Line, w.Short)
			}
			lint := linter.New(&linter.Config{Warn: func(rule, _, _, text string, at []parser.Range) {
				t.Errorf("line %d: %s: %s", at[0].Start.Line, rule, text)
			}})
			stages, _, err := instructions.Parse(parsed.AST, lint)
			if err != nil {
				t.Fatal(err)
			}
			last := stages[len(stages)-1]
			user := ""
			for _, c := range last.Commands {
				if u, ok := c.(*instructions.UserCommand); ok {
					user = u.User
				}
			}
			if user == "" || user == "root" || user[0] == '0' {
				t.Errorf("it runs as user %q", user)
			}
		})
	}
}
