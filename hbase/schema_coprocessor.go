package hbase

import (
	"fmt"
	"strconv"
	"strings"
)

// CoprocessorMultiRowMutation is the class that serves ModeRegion. It is part of HBase itself; a table has to name it.
const CoprocessorMultiRowMutation = "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint"

// userPriority is where HBase puts coprocessors that name no priority: behind those of the system.
const userPriority = 1073741823

// coprocessorKey begins the attribute keys of coprocessors; a number follows.
const coprocessorKey = "coprocessor$"

// Coprocessor is one coprocessor of a table.
type Coprocessor struct {
	Class     string
	Path      string // of a jar; empty for classes that the server has
	Priority  int    // lower runs earlier
	Arguments string // k=v,k=v
}

// String is the attribute value: path|class|priority|arguments.
func (c Coprocessor) String() string {
	return fmt.Sprintf("%s|%s|%d|%s", c.Path, c.Class, c.Priority, c.Arguments)
}

// ParseCoprocessor reads an attribute value. The priority may be missing, and with it what follows.
func ParseCoprocessor(value string) (Coprocessor, error) {
	f := strings.SplitN(value, "|", 4)
	if len(f) < 2 || strings.TrimSpace(f[1]) == "" {
		return Coprocessor{}, fmt.Errorf("reading a coprocessor attribute: %q is not path|class|priority|arguments", value)
	}
	c := Coprocessor{Path: strings.TrimSpace(f[0]), Class: strings.TrimSpace(f[1]), Priority: userPriority}
	if len(f) > 2 && strings.TrimSpace(f[2]) != "" {
		n, err := strconv.Atoi(strings.TrimSpace(f[2]))
		if err != nil {
			return Coprocessor{}, fmt.Errorf("reading the priority of coprocessor %s: %w", c.Class, err)
		}
		c.Priority = n
	}
	if len(f) > 3 {
		c.Arguments = f[3]
	}
	return c, nil
}

// Coprocessors returns the table's coprocessors in the order of their keys.
func (t *TableSchema) Coprocessors() ([]Coprocessor, error) {
	var out []Coprocessor
	for n := range t.coprocessorSlots() { // at most 65,536
		v, ok := t.Attributes[coprocessorKey+strconv.Itoa(n)]
		if !ok {
			continue
		}
		c, err := ParseCoprocessor(v)
		if err != nil {
			return nil, fmt.Errorf("reading the schema of table %s: %w", t.Name, err)
		}
		out = append(out, c)
	}
	return out, nil
}

// HasCoprocessor says whether the table names the class.
func (t *TableSchema) HasCoprocessor(class string) bool {
	for k, v := range t.Attributes {
		if _, ok := coprocessorNumber(k); !ok {
			continue
		}
		if c, err := ParseCoprocessor(v); err == nil && c.Class == class {
			return true
		}
	}
	return false
}

// AddCoprocessor names a class that is part of the server's own jars. It says whether the schema changed.
func (t *TableSchema) AddCoprocessor(class string) bool {
	if t.HasCoprocessor(class) {
		return false
	}
	if t.Attributes == nil {
		t.Attributes = map[string]string{}
	}
	// HBase counts from 1; a number once given to another coprocessor must not be taken from it.
	n := max(t.coprocessorSlots(), 1)
	t.Attributes[coprocessorKey+strconv.Itoa(n)] = Coprocessor{Class: class, Priority: userPriority}.String()
	return true
}

// coprocessorSlots is one more than the highest number in use.
func (t *TableSchema) coprocessorSlots() int {
	slots := 0
	for k := range t.Attributes {
		if n, ok := coprocessorNumber(k); ok {
			slots = max(slots, n+1)
		}
	}
	return slots
}

func coprocessorNumber(key string) (int, bool) {
	if len(key) < len(coprocessorKey) || !strings.EqualFold(key[:len(coprocessorKey)], coprocessorKey) {
		return 0, false
	}
	n, err := strconv.ParseUint(key[len(coprocessorKey):], 10, 16)
	return int(n), err == nil
}
