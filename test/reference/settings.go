package main

import (
	"encoding"
	"fmt"
	"reflect"
	"time"

	"rowmark/connector/config"
)

// kind is what stands for a setting in the file.
type kind uint8

const (
	text kind = iota
	boolean
	integer
	span // of time
	size // of bytes
	section
	list   // of items
	lookup // names, each with an item
)

// setting is one key, or what a list or lookup holds.
type setting struct {
	path, key string // of the key, as in tables[].row_key[].as; an item has that of its list
	kind      kind
	item      *setting // of a list or lookup
	within    []*setting
	needed    bool
	byDefault string
	words     []string // that are allowed; nil: others too
	about     string   // the comment, with keys in place of the struct's names
}

// readSettings walks the config struct. The words allowed and the defaults of the tables are asked of the program, the
// comments are read from its source.
func readSettings(root string) (*setting, error) {
	w := &walker{comments: comments{root: root, packages: map[string]map[string]typeComment{}}}
	var err error
	if w.probe, err = newProbe(root); err != nil {
		return nil, err
	}
	top := &setting{}
	err = w.fill(top, reflect.TypeFor[config.Config]())
	return top, err
}

type walker struct {
	comments comments
	probe    *probe
}

// fill says what a value of type t looks like in the file.
func (w *walker) fill(s *setting, t reflect.Type) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if _, ok := reflect.New(t).Interface().(encoding.TextUnmarshaler); ok {
		s.kind = text
		if t == reflect.TypeFor[config.Size]() {
			s.kind = size
		}
		return nil
	}
	if t == reflect.TypeFor[time.Duration]() {
		s.kind = span
		return nil
	}
	switch t.Kind() {
	case reflect.String:
		s.kind = text
	case reflect.Bool:
		s.kind = boolean
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s.kind = integer
	case reflect.Struct:
		s.kind = section
		return w.fields(s, t)
	case reflect.Slice:
		s.kind, s.item = list, &setting{path: s.path + "[]"}
		return w.fill(s.item, t.Elem())
	case reflect.Map:
		s.kind, s.item = lookup, &setting{path: s.path + ".*"}
		return w.fill(s.item, t.Elem())
	default:
		return fmt.Errorf("describing %s: nothing is known of type %s", s.path, t)
	}
	return nil
}

// fields adds the keys of a section.
func (w *walker) fields(s *setting, t reflect.Type) error {
	about, err := w.comments.of(t)
	if err != nil {
		return err
	}
	for i := range t.NumField() {
		f := t.Field(i)
		key := f.Tag.Get("yaml")
		if key == "-" {
			continue
		}
		x := &setting{path: join(s.path, key), key: key, needed: f.Tag.Get("need") != "", byDefault: f.Tag.Get("default"), about: about[f.Name]}
		if err := w.fill(x, f.Type); err != nil {
			return err
		}
		if x.about == "" && x.kind == section {
			if x.about, err = w.comments.section(key, f.Type); err != nil {
				return err
			}
		}
		w.probe.ask(x)
		s.within = append(s.within, x)
	}
	return nil
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
