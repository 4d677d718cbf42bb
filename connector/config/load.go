package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"rowmark/connector/mapping"
	"rowmark/connector/registry"
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
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data, overrides...)
}

// Validate is Load, and looks at the files and environment variables that the settings name too.
func Validate(path string, overrides ...Override) (*Config, error) {
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	return parse(path, data, overrides, true)
}

func read(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading configuration: there is no file %s", path)
	}
	if err != nil {
		return nil, fmt.Errorf("reading configuration: %w", err)
	}
	return data, nil
}

// Parse is Load for text in memory; name stands for the file in errors.
func Parse(name string, data []byte, overrides ...Override) (*Config, error) {
	return parse(name, data, overrides, false)
}

func parse(name string, data []byte, overrides []Override, sources bool) (*Config, error) {
	r := &reader{file: name, anchors: map[string]*node{}}
	root := r.read(data)
	if root == nil {
		return nil, r.problems
	}
	d := &decoder{places: places{file: name, set: map[string]place{}}, problems: r.problems}
	for _, o := range overrides {
		d.lay(root, o)
	}
	c := &Config{}
	d.defaults("", reflect.ValueOf(c).Elem())
	d.section("", root, place{}, reflect.ValueOf(c).Elem())
	d.check(c)
	if sources {
		d.sources(c)
	}
	if len(d.problems) == 0 {
		c.places = d.places
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
			delete(d.set, key)
		} else if f.Type.Kind() == reflect.Struct {
			d.defaults(key, v.Field(i))
		}
	}
}

// compile checks the tables and lays their problems on the lines they come from.
func (d *decoder) compile(c *Config) {
	d.schemaFiles(c.Tables)
	opt := mapping.Options{MarkFamily: c.HBase.MarkFamily, AtLeastOnce: c.AtLeastOnce(), Letters: c.DeadLetters.Table}
	if len(c.SchemaRegistry.URLs) > 0 {
		c.Schemas = new(registry.Client)
		opt.Schemas = c.Schemas
	}
	set, problems := mapping.Compile(c.Tables, opt)
	for _, p := range problems {
		key := "tables" + p.Path
		d.bad(d.find(key), key, p.Value, "%s", p.Text)
	}
	c.Mappings = set
}
