package config

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// decoder lays nodes into the struct, strictly, and goes on after a fault.
type decoder struct {
	places
	problems Problems
}

func (d *decoder) bad(at place, key, value, text string, args ...any) {
	d.problems = append(d.problems, d.problem(at, key, value, text, args...))
}

var durationType = reflect.TypeFor[time.Duration]()

func (d *decoder) value(path string, n *node, v reflect.Value, tag reflect.StructTag) {
	at := place{n.line, n.origin}
	d.set[path] = at
	if n.kind == nullNode {
		d.bad(at, path, "", "there is no value: give one, or leave the key out")
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		d.scalar(path, n, at, func() error { return u.UnmarshalText([]byte(n.text)) })
		return
	}
	if v.Type() == durationType {
		d.scalar(path, n, at, func() error {
			t, err := time.ParseDuration(n.text)
			if err != nil || t < 0 {
				return fmt.Errorf("a time span such as 500ms, 10s or 1h30m")
			}
			v.SetInt(int64(t))
			return nil
		})
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.section(path, n, at, v)
	case reflect.Slice:
		d.list(path, n, at, v)
	case reflect.Map:
		d.table(path, n, at, v)
	default:
		d.scalar(path, n, at, func() error { return basic(n, v, tag) })
	}
}

// scalar wants a single value, and names what is allowed if it is not that.
func (d *decoder) scalar(path string, n *node, at place, set func() error) {
	if n.kind != scalarNode {
		d.bad(at, path, "", "here stands %s where a single value belongs", n.what())
		return
	}
	if err := set(); err != nil {
		d.bad(at, path, n.text, "%v", err)
	}
}

func basic(n *node, v reflect.Value, tag reflect.StructTag) error {
	switch v.Kind() {
	case reflect.String:
		if n.boolean {
			return fmt.Errorf("text belongs here: put it in quotes")
		}
		v.SetString(n.text)
		if one := tag.Get("one"); one != "" && !contains(one, n.text) {
			return fmt.Errorf("one of %s", strings.ReplaceAll(one, ",", ", "))
		}
	case reflect.Bool:
		if n.text != "true" && n.text != "false" || !n.boolean && n.origin == "" {
			return fmt.Errorf("true or false")
		}
		v.SetBool(n.text == "true")
	default:
		i, err := strconv.ParseInt(strings.ReplaceAll(n.text, "_", ""), 10, v.Type().Bits())
		if err != nil {
			return fmt.Errorf("a whole number of at most %d bits", v.Type().Bits())
		}
		v.SetInt(i)
	}
	return nil
}

func contains(list, word string) bool {
	for w := range strings.SplitSeq(list, ",") {
		if w == word {
			return true
		}
	}
	return false
}

func (d *decoder) section(path string, n *node, at place, v reflect.Value) {
	if n.kind != mapNode {
		d.bad(at, path, "", "here stands %s where a section belongs, with the keys %s", n.what(), keyList(v.Type()))
		return
	}
	for i := range n.entries {
		e := &n.entries[i]
		f, ok := fieldOf(v.Type(), e.key)
		if !ok {
			d.unknown(path, e, v.Type())
			continue
		}
		d.value(join(path, e.key), e.val, v.FieldByIndex(f.Index), f.Tag)
	}
}

func (d *decoder) list(path string, n *node, at place, v reflect.Value) {
	if n.kind == scalarNode && n.origin != "" {
		n = splitCommas(n)
	}
	if n.kind != listNode {
		d.bad(at, path, "", "here stands %s where a list belongs, as in [a, b]", n.what())
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.items), len(n.items)))
	for i, item := range n.items {
		d.value(fmt.Sprintf("%s[%d]", path, i), item, v.Index(i), "")
	}
}

// splitCommas reads the list that an environment variable or flag holds.
func splitCommas(n *node) *node {
	out := &node{kind: listNode, origin: n.origin}
	for s := range strings.SplitSeq(n.text, ",") {
		if s = strings.TrimSpace(s); s != "" {
			out.items = append(out.items, &node{text: s, origin: n.origin})
		}
	}
	return out
}

func (d *decoder) table(path string, n *node, at place, v reflect.Value) {
	if n.kind != mapNode {
		d.bad(at, path, "", "here stands %s where names with lists belong, as in {orders: [0, 1]}", n.what())
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for i := range n.entries {
		e := &n.entries[i]
		item := reflect.New(v.Type().Elem()).Elem()
		d.value(join(path, e.key), e.val, item, "")
		v.SetMapIndex(reflect.ValueOf(e.key), item)
	}
}

// unknown refuses a key, and never shows its value: it may be a password.
func (d *decoder) unknown(path string, e *entry, t reflect.Type) {
	at := place{e.line, e.val.origin}
	text := "no such key; known here are " + keyList(t)
	if near := nearest(e.key, keys(t)); near != "" {
		text = fmt.Sprintf("no such key; did you mean %s? Known here are %s", near, keyList(t))
	}
	if strings.Contains(strings.ToLower(e.key), "password") {
		text = "no such key; a password does not belong in this file: name its place with password_file or password_env"
	}
	d.bad(at, join(path, e.key), "", "%s", text)
}
