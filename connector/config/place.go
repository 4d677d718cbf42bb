package config

import (
	"fmt"
	"strings"
)

// place is where a setting came from.
type place struct {
	line   int
	origin string
}

// places is where each setting came from that is set; the others have their defaults.
type places struct {
	file string
	set  map[string]place
}

// find gives the place of a key, or of the nearest thing around it.
func (p places) find(key string) place {
	for key != "" {
		if at, ok := p.set[key]; ok {
			return at
		}
		key = key[:max(0, strings.LastIndexAny(key, ".["))]
	}
	return place{}
}

func (p places) problem(at place, key, value, text string, args ...any) Problem {
	out := Problem{Line: at.line, Origin: at.origin, Key: key, Value: value, Text: fmt.Sprintf(text, args...)}
	if at.origin == "" {
		out.File = p.file
	}
	return out
}

// Problem is a fault that shows only outside of the file, such as a topic that is not there, at the place of its key.
func (c *Config) Problem(key, value, text string, args ...any) Problem {
	return c.places.problem(c.places.find(key), key, value, text, args...)
}

// Sets says whether the file, the environment or a flag gives this key a value, be it that of its default.
func (c *Config) Sets(key string) bool {
	_, ok := c.places.set[key]
	return ok
}

// SetsOver says whether the environment or a flag gives this key a value, over what the file says.
func (c *Config) SetsOver(key string) bool { return c.places.set[key].origin != "" }

// File is the name of the file that was loaded.
func (c *Config) File() string { return c.places.file }
