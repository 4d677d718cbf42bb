package contract

import (
	"encoding/hex"
	"fmt"

	"rowmark/hbase"
	"rowmark/hbase/hbasetest"
)

// InProcess makes a target of an hbasetest cluster.
func InProcess(cl *hbasetest.Cluster) Target {
	return &inProcess{cl: cl, snapshots: map[string]*hbasetest.Snapshot{}}
}

type inProcess struct {
	cl        *hbasetest.Cluster
	snapshots map[string]*hbasetest.Snapshot
}

func (p *inProcess) Config() hbase.Config { return p.cl.Config() }

func (p *inProcess) Dump(table string) ([]Cell, error) {
	rows, err := p.cl.Dump(table)
	var out []Cell
	for _, r := range rows {
		for _, c := range r.Cells {
			out = append(out, Cell{Row: string(r.Row), Family: string(c.Family), Qualifier: string(c.Qualifier), Timestamp: c.Timestamp, Type: "Put", Value: c.Value})
		}
	}
	return out, err
}

func (p *inProcess) Do(command string, args ...string) (string, error) {
	name := args[0]
	var key []byte
	if len(args) > 1 && command != "snapshot" {
		var err error
		if key, err = hex.DecodeString(args[1]); err != nil {
			return "", fmt.Errorf("running %s: %w", command, err)
		}
	}
	switch command {
	case "flush":
		return "", p.cl.Compact(name, false)
	case "majorcompact":
		return "", p.cl.Compact(name, true)
	case "disable":
		return "", p.cl.Disable(name)
	case "enable":
		return "", p.cl.Enable(name)
	case "delete":
		return "", p.cl.Drop(name)
	case "split":
		return "", p.cl.Split(name, key)
	case "deleteall":
		return "", p.cl.DeleteRow(name, key)
	case "reopen":
		return "", p.cl.Reopen(name)
	case "snapshot":
		s, err := p.cl.Snapshot(name)
		p.snapshots[args[1]] = s
		return "", err
	case "restore":
		return "", p.cl.Restore(p.snapshots[name])
	case "deletesnapshot":
		delete(p.snapshots, name)
		return "", nil
	case "count":
		rows, err := p.cl.Dump(name)
		cells := 0
		for _, r := range rows {
			cells += len(r.Cells)
		}
		return fmt.Sprintf("%d %d", len(rows), cells), err
	}
	return "", fmt.Errorf("running %s: hbasetest knows no such command", command)
}
