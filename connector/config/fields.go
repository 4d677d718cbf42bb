package config

import (
	"encoding"
	"reflect"
	"strings"
)

func fieldOf(t reflect.Type, key string) (reflect.StructField, bool) {
	for i := range t.NumField() {
		if f := t.Field(i); f.Tag.Get("yaml") == key && key != "-" {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

func keys(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		if key := t.Field(i).Tag.Get("yaml"); key != "-" {
			out = append(out, key)
		}
	}
	return out
}

func keyList(t reflect.Type) string { return strings.Join(keys(t), ", ") }

// nearest gives the key that differs by at most two letters, if one does.
func nearest(word string, keys []string) string {
	best, at := "", 3
	for _, k := range keys {
		if n := distance(word, k); n < at && n < len(k) {
			best, at = k, n
		}
	}
	return best
}

// distance counts the letters to change, add or drop.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// Key describes a setting that can be laid over the file.
type Key struct {
	Path    string // as in kafka.brokers
	Default string // as the file would have it; empty if there is none
	Allowed string // words, separated by commas; empty if it is not a choice
	List    bool   // several values, separated by commas
	Bool    bool
}

// Keys gives every setting that an Override can name, in the order of the struct: all but the tables and other
// nested lists.
func Keys() []Key { return keysOf("", reflect.TypeFor[Config]()) }

func keysOf(path string, t reflect.Type) []Key {
	var out []Key
	for i := range t.NumField() {
		f := t.Field(i)
		key := f.Tag.Get("yaml")
		if key == "-" {
			continue
		}
		_, text := reflect.New(f.Type).Interface().(encoding.TextUnmarshaler)
		k := Key{Path: join(path, key), Default: f.Tag.Get("default"), Allowed: f.Tag.Get("one")}
		switch {
		case text:
		case f.Type.Kind() == reflect.Struct:
			out = append(out, keysOf(k.Path, f.Type)...)
			continue
		case f.Type.Kind() == reflect.Map || f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() != reflect.String:
			continue
		default:
			k.List, k.Bool = f.Type.Kind() == reflect.Slice, f.Type.Kind() == reflect.Bool
		}
		out = append(out, k)
	}
	return out
}
