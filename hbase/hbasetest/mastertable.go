package hbasetest

import (
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

// All here is called under mu.

func (c *Cluster) createTable(r *pb.CreateTableRequest) *exception {
	schema := schemaOf(r.TableSchema)
	if c.tables[schema.Name] != nil {
		return throwFinal("TableExistsException", "%s", schema.Name)
	}
	if ns, _, ok := strings.Cut(schema.Name, ":"); ok && !c.namespaces[ns] {
		return throwFinal("NamespaceNotFoundException", "%s", ns)
	}
	t, err := newTable(schema)
	if err != nil {
		return throwFinal("DoNotRetryIOException", "%v", err)
	}
	c.tables[schema.Name] = t
	c.layOut(t, r.SplitKeys)
	return nil
}

// layOut makes a table's regions and serves them.
func (c *Cluster) layOut(t *table, splits [][]byte) {
	for _, r := range slices.Concat(t.regions, t.parents) {
		delete(c.byName, string(r.name))
	}
	t.regions, t.parents = nil, nil
	id := c.regionID()
	var start []byte
	for i := range len(splits) + 1 {
		var end []byte
		if i < len(splits) {
			end = splits[i]
		}
		t.regions = append(t.regions, c.addRegion(newRegion(t.schema.Name, start, end, id)))
		start = end
	}
	if t.state == pb.TableState_ENABLED {
		c.serve(t)
	}
}

func (c *Cluster) addRegion(r *region) *region {
	c.byName[string(r.name)] = r
	return r
}

// serve opens all regions of a table.
func (c *Cluster) serve(t *table) {
	for _, r := range t.regions {
		r.state = stateOpen
		if s := c.live(); s != nil {
			c.place(r, s)
		}
	}
}

func (c *Cluster) deleteTable(n *pb.TableName) *exception {
	t, x := c.tableNamed(n)
	if x != nil {
		return x
	}
	if t.state != pb.TableState_DISABLED {
		return throwFinal("TableNotDisabledException", "%s", tableText(n))
	}
	for _, r := range slices.Concat(t.regions, t.parents) {
		delete(c.byName, string(r.name))
	}
	delete(c.tables, tableText(n))
	return nil
}

func (c *Cluster) enableTable(n *pb.TableName) *exception {
	t, x := c.tableNamed(n)
	if x != nil {
		return x
	}
	if t.state != pb.TableState_DISABLED {
		return throwFinal("TableNotDisabledException", "%s", tableText(n))
	}
	t.state = pb.TableState_ENABLED
	c.serve(t)
	return nil
}

func (c *Cluster) disableTable(n *pb.TableName) *exception {
	t, x := c.tableNamed(n)
	if x != nil {
		return x
	}
	if t.state != pb.TableState_ENABLED {
		return throwFinal("TableNotEnabledException", "%s", tableText(n))
	}
	t.state = pb.TableState_DISABLED
	for _, r := range t.regions {
		t.compact(r, "", false, c.clockOf(r)) // closing a region flushes it
		r.state = stateClosed
	}
	return nil
}

// clockOf is the clock of a region's server, or the machine's.
func (c *Cluster) clockOf(r *region) int64 {
	if r.server != nil {
		return c.now(r.server)
	}
	return c.now(c.master)
}

func (c *Cluster) truncateTable(r *pb.TruncateTableRequest) *exception {
	t, x := c.tableNamed(r.TableName)
	if x != nil {
		return x
	}
	if t.state != pb.TableState_DISABLED {
		return throwFinal("TableNotDisabledException", "%s", tableText(r.TableName))
	}
	var splits [][]byte
	if r.GetPreserveSplits() {
		for _, r := range t.regions[1:] {
			splits = append(splits, r.start)
		}
	}
	t.rows, t.keys = map[string]row{}, nil
	t.state = pb.TableState_ENABLED
	c.layOut(t, splits)
	return nil
}

func (c *Cluster) modifyTable(r *pb.ModifyTableRequest) *exception {
	t, x := c.tableNamed(r.TableName)
	if x != nil {
		return x
	}
	if err := t.setSchema(schemaOf(r.TableSchema)); err != nil {
		return throwFinal("DoNotRetryIOException", "%v", err)
	}
	for _, r := range t.regions { // they are opened anew with it
		if r.server != nil && r.server.up && r.state == stateOpen {
			t.compact(r, "", false, c.now(r.server))
			c.place(r, r.server)
		}
	}
	return nil
}

func (c *Cluster) deleteNamespace(name string) *exception {
	if !c.namespaces[name] {
		return throwFinal("NamespaceNotFoundException", "%s", name)
	}
	for t := range c.tables {
		if strings.HasPrefix(t, name+":") {
			return throwFinal("constraint.ConstraintException", "Only empty namespaces can be removed. Namespace %s has 1 tables", name)
		}
	}
	delete(c.namespaces, name)
	return nil
}

func schemaOf(m *pb.TableSchema) hbase.TableSchema {
	s := hbase.TableSchema{Name: tableText(m.GetTableName()), Attributes: bytesMap(m.GetAttributes()), Configuration: textMap(m.GetConfiguration())}
	for _, f := range m.GetColumnFamilies() {
		s.Families = append(s.Families, hbase.FamilySchema{
			Name: string(f.GetName()), Attributes: bytesMap(f.GetAttributes()), Configuration: textMap(f.GetConfiguration()),
		})
	}
	slices.SortFunc(s.Families, func(a, b hbase.FamilySchema) int { return strings.Compare(a.Name, b.Name) })
	return s
}

func schemaProto(s hbase.TableSchema) *pb.TableSchema {
	m := &pb.TableSchema{TableName: tableName(s.Name), Attributes: bytesPairs(s.Attributes), Configuration: textPairs(s.Configuration)}
	for _, f := range s.Families {
		m.ColumnFamilies = append(m.ColumnFamilies, &pb.ColumnFamilySchema{
			Name: []byte(f.Name), Attributes: bytesPairs(f.Attributes), Configuration: textPairs(f.Configuration),
		})
	}
	return m
}

func bytesMap(pairs []*pb.BytesBytesPair) map[string]string {
	m := map[string]string{}
	for _, p := range pairs {
		m[string(p.First)] = string(p.Second)
	}
	return m
}

func textMap(pairs []*pb.NameStringPair) map[string]string {
	m := map[string]string{}
	for _, p := range pairs {
		m[p.GetName()] = p.GetValue()
	}
	return m
}

func bytesPairs(m map[string]string) []*pb.BytesBytesPair {
	var out []*pb.BytesBytesPair
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, &pb.BytesBytesPair{First: []byte(k), Second: []byte(m[k])})
	}
	return out
}

func textPairs(m map[string]string) []*pb.NameStringPair {
	var out []*pb.NameStringPair
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, &pb.NameStringPair{Name: proto.String(k), Value: proto.String(m[k])})
	}
	return out
}
