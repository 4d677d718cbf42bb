package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"rowmark/connector/mapping"
)

// Override is a setting laid over the file, from the environment or a flag.
type Override struct {
	Path   string // one of Keys
	Value  string // a list is separated by commas
	Origin string // named in errors, as in ROWMARK_KAFKA_BROKERS or --kafka.brokers
}

// Load reads a file, lays the overrides over it, the later ones over the earlier, and checks the whole. Faults
// come as Problems, all at once.
func Load(path string, overrides ...Override) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reading configuration: there is no file %s", path)
		}
		return nil, fmt.Errorf("reading configuration: %w", err)
	}
	return Parse(path, data, overrides...)
}

// Parse is Load for text in memory; name stands for the file in errors.
func Parse(name string, data []byte, overrides ...Override) (*Config, error) {
	r := &reader{file: name, anchors: map[string]*node{}}
	root := r.read(data)
	if root == nil {
		return nil, r.problems
	}
	d := &decoder{file: name, problems: r.problems, places: map[string]place{}}
	for _, o := range overrides {
		d.lay(root, o)
	}
	c := &Config{}
	d.defaults("", reflect.ValueOf(c).Elem())
	d.section("", root, place{}, reflect.ValueOf(c).Elem())
	d.check(c)
	if len(d.problems) == 0 {
		return c, nil
	}
	d.problems.sort()
	return nil, d.problems
}

// lay puts an override into the tree.
func (d *decoder) lay(root *node, o Override) {
	at := place{origin: o.Origin}
	known := false
	for _, k := range Keys() {
		known = known || k.Path == o.Path
	}
	if !known {
		d.bad(at, o.Path, "", "there is no such setting to lay over the file")
		return
	}
	steps := strings.Split(o.Path, ".")
	n := root
	for _, step := range steps[:len(steps)-1] {
		next := n.get(step)
		if next == nil || next.kind == nullNode {
			next = &node{kind: mapNode, line: n.line}
			n.set(step, next)
		}
		if next.kind != mapNode {
			return // the section is no section: said when it is decoded
		}
		n = next
	}
	n.set(steps[len(steps)-1], &node{text: o.Value, origin: o.Origin})
}

func (n *node) set(key string, val *node) {
	for i := range n.entries {
		if n.entries[i].key == key {
			n.entries[i].val = val
			return
		}
	}
	n.entries = append(n.entries, entry{key: key, val: val})
}

// defaults fills in what the tags say.
func (d *decoder) defaults(path string, v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		key := join(path, f.Tag.Get("yaml"))
		if text, ok := f.Tag.Lookup("default"); ok {
			n := &node{text: text, boolean: f.Type.Kind() == reflect.Bool}
			d.value(key, n, v.Field(i), f.Tag)
			delete(d.places, key)
		} else if f.Type.Kind() == reflect.Struct {
			d.defaults(key, v.Field(i))
		}
	}
}

// compile checks the tables and lays their problems on the lines they come from.
func (d *decoder) compile(c *Config) {
	set, problems := mapping.Compile(c.Tables, mapping.Options{MarkFamily: c.HBase.MarkFamily, AtLeastOnce: c.AtLeastOnce()})
	for _, p := range problems {
		key := "tables" + p.Path
		d.bad(d.find(key), key, p.Value, "%s", p.Text)
	}
	c.Mappings = set
}

// find gives the place of a key, or of the nearest thing around it.
func (d *decoder) find(key string) place {
	for key != "" {
		if p, ok := d.places[key]; ok {
			return p
		}
		key = key[:max(0, strings.LastIndexAny(key, ".["))]
	}
	return place{}
}
