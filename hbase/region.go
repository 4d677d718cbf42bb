package hbase

import (
	"bytes"
	"strings"

	"rowmark/hbase/pb"
)

// metaTable is the catalogue; its one region has a fixed name.
const metaTable = "hbase:meta"

var metaRegionName = []byte("hbase:meta,,1")

// Region is one region and where it is served.
type Region struct {
	Table      string
	ID         uint64 // milliseconds; part of the name
	Name       []byte // full name, the row key in hbase:meta
	Start, End []byte // [Start, End); empty: open
	Addr       string // host:port; empty: not assigned
	Server     string // host,port,startcode
	SeqNum     int64  // at the last opening; -1: not known
}

// EncodedName is the hash in the region's name, by which the master and the file system know it.
func (r *Region) EncodedName() string {
	if r.Table == metaTable {
		return "1588230740"
	}
	name := bytes.TrimSuffix(r.Name, []byte("."))
	if i := bytes.LastIndexByte(name, '.'); i >= 0 {
		return string(name[i+1:])
	}
	return ""
}

// Contains says whether the row belongs into the region.
func (r *Region) Contains(row []byte) bool {
	return bytes.Compare(r.Start, row) <= 0 && (len(r.End) == 0 || bytes.Compare(row, r.End) < 0)
}

func (r *Region) specifier() *pb.RegionSpecifier {
	return &pb.RegionSpecifier{Type: pb.RegionSpecifier_REGION_NAME.Enum(), Value: r.Name}
}

// canonicalTable drops the prefix "default:", so that a table has one name.
func canonicalTable(table string) string { return strings.TrimPrefix(table, "default:") }

// tableName splits a table's text form.
func tableName(table string) *pb.TableName {
	ns, qualifier, ok := strings.Cut(table, ":")
	if !ok {
		ns, qualifier = "default", table
	}
	return &pb.TableName{Namespace: []byte(ns), Qualifier: []byte(qualifier)}
}

// tableText is the text form of a table name, without the default namespace.
func tableText(t *pb.TableName) string {
	if ns := string(t.GetNamespace()); ns != "default" && ns != "" {
		return ns + ":" + string(t.GetQualifier())
	}
	return string(t.GetQualifier())
}
