package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rowmark/connector"
	"rowmark/connector/admin"
	"rowmark/connector/audit"
	"rowmark/connector/preview"
	"rowmark/connector/status"

	"github.com/spf13/cobra"
)

// answers are what the commands print with -o json, each in an example of its type. docs/json.md names every field.
var answers = map[string]any{
	"init":               initialized{},
	"validate":           validationJSON{},
	"preview":            preview.Record{},
	"offsets show":       []position{},
	"offsets set":        plan{},
	"offsets rebuild":    []*rebuilt{},
	"dead-letters list":  []letterLine{},
	"dead-letters show":  letterWhole{},
	"dead-letters retry": retried{},
	"verify":             audit.Report{},
	"inspect row":        audit.RowView{},
	"inspect record":     audit.Fate{},
	"pause":              admin.FlowAnswer{},
	"resume":             admin.FlowAnswer{},
	"reprocess list":     []runLine{},
	"reprocess clean":    cleaned{},
	"version":            build{},
}

// silent are the commands without -o, each with its reason.
var silent = map[string]string{
	"run":    "its log is JSON by --log-format json",
	"schema": "what it prints is JSON",
	"demo":   "it shows people something",
}

// needed is what some commands must be given.
var needed = map[string][]string{
	"preview":            {"--stdin"},
	"offsets set":        {"--to", "1"},
	"offsets rebuild":    {"--from", "earliest"},
	"inspect row":        {"key"},
	"inspect record":     {"orders/0/1"},
	"dead-letters show":  {"orders/0/1"},
	"dead-letters retry": {"--all"},
	"reprocess clean":    {"fix-42"},
}

// commands gives all that can be run, by their names behind rowmark.
func commands(cmd *cobra.Command, path string) map[string]*cobra.Command {
	out := map[string]*cobra.Command{}
	for _, sub := range cmd.Commands() {
		name := strings.TrimSpace(path + " " + sub.Name())
		if sub.Name() == "help" || sub.Name() == "completion" {
			continue // cobra's own
		}
		if sub.Runnable() {
			out[name] = sub
		}
		for deeper, c := range commands(sub, name) {
			out[deeper] = c
		}
	}
	return out
}

// Whatever prints for people prints for programs too, asked in the same way everywhere.
func TestEveryCommandAnswersInJSON(t *testing.T) {
	file := offline(t)
	all := commands(newRoot(), "")
	for name, cmd := range all {
		f := cmd.Flags().Lookup("output")
		if silent[name] != "" {
			if f != nil {
				t.Errorf("rowmark %s has -o, though it needs none: %s", name, silent[name])
			}
			continue
		}
		if f == nil || f.Shorthand != "o" || f.DefValue != "text" {
			t.Errorf("rowmark %s has no -o text|json: give it one by addOutput, and describe the answer in docs/json.md", name)
			continue
		}
		if answers[name] == nil {
			t.Errorf("rowmark %s: its answer is not among those of this test", name)
		}
		args := append(strings.Fields(name), needed[name]...)
		command("", append(args, "-o", "yaml", "-c", file)...).wants(t, connector.ExitConfig, "", "use text or json")
	}
	for name := range answers {
		if all[name] == nil {
			t.Errorf("there is no rowmark %s any more", name)
		}
	}
}

var documented = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

// The page names each field of each answer, and no other.
func TestEveryFieldIsDocumented(t *testing.T) {
	page := sections(t, "../../docs/json.md")
	for name, answer := range answers {
		documents(t, page["rowmark "+name], "docs/json.md, `rowmark "+name+"`,", fields(t, reflect.TypeOf(answer), ""))
	}
}

// The sources are those that pause answers, which docs/json.md describes.
func TestEveryFieldOfTheStatusIsDocumented(t *testing.T) {
	all := fields(t, reflect.TypeFor[status.Snapshot](), "")
	want := slices.DeleteFunc(all, func(f string) bool { return strings.HasPrefix(f, "sources[].") })
	documents(t, sections(t, "../../docs/observe.md")["/status.json"], "docs/observe.md, /status.json,", want)
}

// sections gives the text of a page below each of its titles.
func sections(t *testing.T, file string) map[string]string {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, part := range strings.Split(string(page), "\n## ")[1:] {
		title, text, _ := strings.Cut(part, "\n")
		out[strings.Trim(title, "`")] = text
	}
	return out
}

// documents compares the fields in a text's table with those that are there.
func documents(t *testing.T, text, where string, want []string) {
	t.Helper()
	var have []string
	for _, m := range documented.FindAllStringSubmatch(text, -1) {
		have = append(have, m[1])
	}
	for _, f := range want {
		if !slices.Contains(have, f) {
			t.Errorf("%s lacks the field %s", where, f)
		}
	}
	for _, f := range have {
		if !slices.Contains(want, f) {
			t.Errorf("%s names the field %s, which is not there", where, f)
		}
	}
}

var snake = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// fields gives the paths of a type's fields in JSON, whose names must all be of one form.
func fields(t *testing.T, of reflect.Type, path string) []string {
	switch {
	case of.Kind() == reflect.Pointer:
		return fields(t, of.Elem(), path)
	case of.Kind() == reflect.Slice && of.Elem().Kind() != reflect.Uint8 && path == "":
		return fields(t, of.Elem(), "")
	case of.Kind() == reflect.Slice && of.Elem().Kind() != reflect.Uint8:
		return fields(t, of.Elem(), path+"[]")
	case of.Kind() != reflect.Struct || of == reflect.TypeFor[time.Time]():
		return []string{path}
	}
	var out []string
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			// told of where it is an answer of its own.
		case !f.IsExported() || name == "-":
		case !snake.MatchString(name):
			t.Errorf("%s.%s is called %q in JSON: names are small, with _ between words", of, f.Name, name)
		default:
			out = append(out, fields(t, f.Type, strings.TrimPrefix(fmt.Sprintf("%s.%s", path, name), "."))...)
		}
	}
	return out
}

// What init would do, what it did, and what it found done.
func TestInitAnswers(t *testing.T) {
	file, _ := startServices(t)
	for _, c := range []struct {
		args, state string
		commits     int
	}{{"--dry-run", "todo", 0}, {"", "done", 1}, {"", "ok", 1}} {
		got := command("", append([]string{"init", "-o", "json", "-c", file}, strings.Fields(c.args)...)...)
		var did initialized
		if err := json.Unmarshal([]byte(got.out), &did); err != nil || got.code != 0 {
			t.Fatalf("got %+v, %v", got, err)
		}
		if len(did.Steps) < 2 || len(did.Commits) != c.commits || did.Error != "" {
			t.Errorf("%s: %s", c.state, got.out)
		}
		for _, s := range did.Steps {
			if s.State != c.state || s.Table == "" || s.Text == "" {
				t.Errorf("%s: got %+v", c.state, s)
			}
		}
		for _, m := range did.Commits {
			if m != (initCommit{Table: "shop:orders", Commit: "region transactions"}) {
				t.Errorf("got %+v", m)
			}
		}
	}
	command("", "init", "-c", file, "--set", "hbase.commit=row").wants(t, 0, "table shop:orders commits row by row (hbase.commit is row)\n", "")
	command("", "init", "-c", file).wants(t, 0, "table shop:orders commits by region transactions\n", "")
	got := command("", "init", "-o", "json", "-c", file, "--set", "hbase.commit=row")
	if !strings.Contains(got.out, `"because": "hbase.commit is row"`) {
		t.Errorf("got %s", got.out)
	}
}

func TestVersionAnswers(t *testing.T) {
	var b build
	got := command("", "version", "-o", "json")
	if err := json.Unmarshal([]byte(got.out), &b); err != nil || b != thisBuild() || b.Go == "" {
		t.Errorf("got %+v, %v", got, err)
	}
	command("", "version").wants(t, 0, "rowmark dev (", "")
}
