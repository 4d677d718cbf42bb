package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"rowmark/connector/config"

	"go.yaml.in/yaml/v3"
)

// wrong is what no setting allows that does not allow any text.
const wrong = "no such word"

// smallest leaves out all that can be left out; the mapping's defaults are read from what is made of it.
const smallest = `{"sink": "s", "kafka": {"brokers": ["k:1"]}, "hbase": {"zookeeper": ["z"]}, "tables": [
  {"topics": ["t"], "table": "t", "row_key": [{"field": "key"}], "columns": [{"field": "value", "to": "d:v"}]}]}`

// probe asks the program what it allows and what it takes where nothing is said, so that no list of it can age.
type probe struct {
	example  []byte         // docs/config.example.yaml as JSON, which is YAML too
	defaults map[string]any // of the tables' settings
}

func newProbe(root string) (*probe, error) {
	path := filepath.Join(root, "docs/config.example.yaml")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the example: %w", err)
	}
	var tree any
	if err := yaml.Unmarshal(data, &tree); err != nil {
		return nil, fmt.Errorf("reading the example %s: %w", path, err)
	}
	p := &probe{}
	if p.example, err = json.Marshal(tree); err != nil {
		return nil, fmt.Errorf("reading the example %s: %w", path, err)
	}
	c, err := config.Parse("smallest", []byte(smallest))
	if err != nil {
		return nil, err
	}
	return p, json.Unmarshal(c.Mappings.Canonical(), &p.defaults)
}

// ask fills in the words allowed for a setting, and its default if no tag says it.
func (p *probe) ask(s *setting) {
	leaf := s
	if s.kind == list {
		leaf = s.item
	}
	if leaf.kind == text {
		s.words = p.allowed(s)
	}
	if s.byDefault == "" && strings.HasPrefix(s.path, "tables[].") && !strings.Contains(smallest, `"`+s.key+`"`) {
		s.byDefault = p.written(s)
	}
}

// written is the word that the program writes out where the key was left out.
func (p *probe) written(s *setting) string {
	parent := strings.TrimSuffix(s.path, "."+s.key)
	for _, object := range sections(p.defaults, "", parent) {
		word, _ := object[s.key].(string)
		return word
	}
	return ""
}

// companions are settings without which another has nothing to say.
var companions = map[string]member{
	"tables[].timestamp_unit": {"timestamp", "value.updated_at"},
	"tables[].key.framing":    {"format", "avro"},
	"tables[].value.framing":  {"format", "avro"},
}

// allowed sets the key to a wrong word wherever the example has its section, and gives the words that the program
// names then.
func (p *probe) allowed(s *setting) []string {
	var tree any
	if err := json.Unmarshal(p.example, &tree); err != nil {
		panic(err) // it was written by Marshal
	}
	parent := strings.TrimSuffix(strings.TrimSuffix(s.path, s.key), ".")
	found := sections(tree, "", parent)
	for _, at := range slices.Sorted(maps.Keys(found)) {
		object := found[at]
		was, had := object[s.key]
		if with, ok := companions[s.path]; ok {
			object[with.key] = with.value
		}
		object[s.key] = any(wrong)
		if s.kind == list {
			object[s.key] = []any{wrong}
		}
		if allowed := words(answer(tree, join(at, s.key))); allowed != nil {
			return allowed
		}
		if object[s.key] = was; !had {
			delete(object, s.key)
		}
	}
	return nil
}

// sections finds the objects that a path such as tables[].columns[] leads to, each with its own path.
func sections(at any, path, rest string) map[string]map[string]any {
	out := map[string]map[string]any{}
	add := func(next any, step, rest string) {
		maps.Copy(out, sections(next, path+step, rest))
	}
	object, _ := at.(map[string]any)
	items, _ := at.([]any)
	switch key, after, _ := strings.Cut(rest, "."); {
	case rest == "" && object != nil:
		out[path] = object
	case strings.HasPrefix(rest, "[]"):
		for i, item := range items {
			add(item, fmt.Sprintf("[%d]", i), strings.TrimPrefix(rest[2:], "."))
		}
	case object != nil:
		name, isList := strings.CutSuffix(key, "[]")
		if isList {
			after = strings.TrimSuffix("[]."+after, ".")
		} else if object[name] == nil {
			object[name] = map[string]any{}
		}
		step := name
		if path != "" {
			step = "." + name
		}
		add(object[name], step, after)
	}
	return out
}

// answer is what the program says to the wrong word at the key.
func answer(tree any, key string) string {
	data, err := json.Marshal(tree)
	if err != nil {
		panic(err) // it came from JSON
	}
	_, err = config.Parse("probe", data)
	var problems config.Problems
	if !errors.As(err, &problems) {
		return ""
	}
	for _, p := range problems {
		if (p.Key == key || p.Key == key+"[0]") && p.Value == wrong {
			return p.Text
		}
	}
	return ""
}

var (
	lists = regexp.MustCompile(`^(?:one of|known \w+ are) ([\w.-]+(?:, [\w.-]+)*)$`)
	pairs = regexp.MustCompile(`^([\w.-]+) or ([\w.-]+)$`)
)

// words gives the words of a text that lists all that are allowed.
func words(text string) []string {
	if m := lists.FindStringSubmatch(text); m != nil {
		return strings.Split(m[1], ", ")
	}
	if m := pairs.FindStringSubmatch(text); m != nil {
		return m[1:]
	}
	return nil
}
