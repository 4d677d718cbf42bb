package hbase

import (
	"context"
	"errors"
	"fmt"

	"rowmark/hbase/pb"
)

// TableState is whether a table is served.
type TableState uint8

// States of a table. Enabling and disabling are on the way; a table that stays there needs an operator.
const (
	TableEnabled TableState = iota
	TableDisabled
	TableDisabling
	TableEnabling
)

func (s TableState) String() string {
	names := [...]string{"enabled", "disabled", "disabling", "enabling"}
	if int(s) < len(names) {
		return names[s]
	}
	return fmt.Sprintf("state %d", uint8(s))
}

// CreateTable makes a table, split at the given keys, which must rise and not be empty, and waits until all its
// regions are served. If the table is there already, the error satisfies IsTableExists.
func (a *Admin) CreateTable(ctx context.Context, schema TableSchema, splits ...[]byte) error {
	if err := errors.Join(schema.Validate(), validateSplits(schema.Name, splits)); err != nil {
		return fmt.Errorf("creating table: %w", err)
	}
	n := newNonce()
	req := &pb.CreateTableRequest{TableSchema: schema.proto(), SplitKeys: splits, NonceGroup: n.group, Nonce: n.id}
	err := a.run(ctx, "CreateTable", req, &pb.CreateTableResponse{}, func() (bool, error) {
		return a.inState(ctx, schema.Name, TableEnabled)
	})
	if err != nil {
		return fmt.Errorf("creating table %s: %w", schema.Name, err)
	}
	return nil
}

// DescribeTable reads a table's schema. If there is no such table, the error satisfies IsTableNotFound.
func (a *Admin) DescribeTable(ctx context.Context, table string) (TableSchema, error) {
	req := &pb.GetTableDescriptorsRequest{TableNames: []*pb.TableName{tableName(table)}}
	var resp pb.GetTableDescriptorsResponse
	if err := a.call(ctx, "GetTableDescriptors", req, &resp); err != nil {
		return TableSchema{}, fmt.Errorf("describing table %s: %w", table, err)
	}
	if len(resp.GetTableSchema()) == 0 {
		// Asked for an unknown table the master answers with none.
		return TableSchema{}, fmt.Errorf("describing table %s: %w", table, errNoTable())
	}
	s, err := tableSchemaOf(resp.GetTableSchema()[0])
	if err != nil {
		return s, fmt.Errorf("describing table %s: %w", table, err)
	}
	return s, nil
}

func errNoTable() error {
	return &Error{Fault: FaultTable, Class: javaPrefix + classTableNotFound, Err: errors.New("there is no such table")}
}

// ModifyTable replaces a table's schema and waits until its regions have taken it over. Start from DescribeTable:
// what the new schema leaves out is dropped, families with all their data.
func (a *Admin) ModifyTable(ctx context.Context, schema TableSchema) error {
	if err := schema.Validate(); err != nil {
		return fmt.Errorf("modifying table: %w", err)
	}
	n := newNonce()
	req := &pb.ModifyTableRequest{TableName: tableName(schema.Name), TableSchema: schema.proto(), NonceGroup: n.group, Nonce: n.id}
	err := a.run(ctx, "ModifyTable", req, &pb.ModifyTableResponse{}, func() (bool, error) {
		now, err := a.DescribeTable(ctx, schema.Name)
		return err == nil && now.covers(&schema), err
	})
	if err != nil {
		return fmt.Errorf("modifying table %s: %w", schema.Name, err)
	}
	return nil
}

// covers says whether t has all that want names.
func (t *TableSchema) covers(want *TableSchema) bool {
	if !within(want.Attributes, t.Attributes) || !within(want.Configuration, t.Configuration) || len(t.Families) != len(want.Families) {
		return false
	}
	for _, f := range want.Families {
		have := t.Family(f.Name)
		if have == nil || !within(f.Attributes, have.Attributes) || !within(f.Configuration, have.Configuration) {
			return false
		}
	}
	return true
}

func within(part, whole map[string]string) bool {
	for k, v := range part {
		if have, ok := whole[k]; !ok || have != v {
			return false
		}
	}
	return true
}

// change reads a table's schema, lets edit change it, and sends it back if edit says that it did. HBase has no
// compare-and-set for schemas: of two changes at once, one may be lost.
func (a *Admin) change(ctx context.Context, table string, edit func(*TableSchema) (bool, error)) error {
	s, err := a.DescribeTable(ctx, table)
	if err != nil {
		return err
	}
	changed, err := edit(&s)
	if err != nil {
		return fmt.Errorf("modifying table %s: %w", table, err)
	}
	if !changed {
		return nil
	}
	return a.ModifyTable(ctx, s)
}

// AddFamily adds a column family. A family of that name is an error, whatever its settings.
func (a *Admin) AddFamily(ctx context.Context, table string, family FamilySchema) error {
	return a.change(ctx, table, func(s *TableSchema) (bool, error) {
		if s.Family(family.Name) != nil {
			return false, fmt.Errorf("family %s is there already", family.Name)
		}
		s.Families = append(s.Families, family)
		return true, nil
	})
}

// SetFamilyAttributes sets attributes of a column family and leaves its others. An empty value removes one.
func (a *Admin) SetFamilyAttributes(ctx context.Context, table, family string, attributes map[string]string) error {
	return a.change(ctx, table, func(s *TableSchema) (bool, error) {
		f := s.Family(family)
		if f == nil {
			return false, fmt.Errorf("there is no family %s", family)
		}
		if f.Attributes == nil {
			f.Attributes = map[string]string{}
		}
		return setAll(f.Attributes, attributes), nil
	})
}

// SetTableAttributes sets attributes of a table, such as DURABILITY, and leaves its others. An empty value removes one.
func (a *Admin) SetTableAttributes(ctx context.Context, table string, attributes map[string]string) error {
	return a.change(ctx, table, func(s *TableSchema) (bool, error) {
		if s.Attributes == nil {
			s.Attributes = map[string]string{}
		}
		return setAll(s.Attributes, attributes), nil
	})
}

func setAll(into, from map[string]string) (changed bool) {
	for k, v := range from {
		have, ok := into[k]
		switch {
		case v == "" && ok:
			delete(into, k)
			changed = true
		case v != "" && have != v:
			into[k] = v
			changed = true
		}
	}
	return changed
}

// AddCoprocessor names a coprocessor class of the server's own jars on a table, unless it is named already.
func (a *Admin) AddCoprocessor(ctx context.Context, table, class string) error {
	return a.change(ctx, table, func(s *TableSchema) (bool, error) { return s.AddCoprocessor(class), nil })
}

// TableState asks whether a table is served. If there is no such table, the error satisfies IsTableNotFound.
func (a *Admin) TableState(ctx context.Context, table string) (TableState, error) {
	var resp pb.GetTableStateResponse
	if err := a.call(ctx, "GetTableState", &pb.GetTableStateRequest{TableName: tableName(table)}, &resp); err != nil {
		return 0, fmt.Errorf("reading the state of table %s: %w", table, err)
	}
	return TableState(resp.GetTableState().GetState()), nil
}

func (a *Admin) inState(ctx context.Context, table string, want TableState) (bool, error) {
	s, err := a.TableState(ctx, table)
	return err == nil && s == want, err
}

// EnableTable serves a disabled table again. An enabled one is left alone.
func (a *Admin) EnableTable(ctx context.Context, table string) error {
	n := newNonce()
	err := a.run(ctx, "EnableTable", &pb.EnableTableRequest{TableName: tableName(table), NonceGroup: n.group, Nonce: n.id},
		&pb.EnableTableResponse{}, func() (bool, error) { return a.inState(ctx, table, TableEnabled) })
	if isClass(err, classTableNotDisabled) {
		// Perhaps somebody else is just enabling it.
		err = a.poll(ctx, "table "+table+" to be enabled", func() (bool, error) { return a.inState(ctx, table, TableEnabled) })
	}
	if err != nil {
		return fmt.Errorf("enabling table %s: %w", table, err)
	}
	return nil
}

// DisableTable takes a table out of service. A disabled one is left alone.
func (a *Admin) DisableTable(ctx context.Context, table string) error {
	n := newNonce()
	err := a.run(ctx, "DisableTable", &pb.DisableTableRequest{TableName: tableName(table), NonceGroup: n.group, Nonce: n.id},
		&pb.DisableTableResponse{}, func() (bool, error) { return a.inState(ctx, table, TableDisabled) })
	if isClass(err, classTableNotEnabled) {
		err = a.poll(ctx, "table "+table+" to be disabled", func() (bool, error) { return a.inState(ctx, table, TableDisabled) })
	}
	if err != nil {
		return fmt.Errorf("disabling table %s: %w", table, err)
	}
	return nil
}

// DeleteTable removes a disabled table with its data.
func (a *Admin) DeleteTable(ctx context.Context, table string) error {
	n := newNonce()
	err := a.run(ctx, "DeleteTable", &pb.DeleteTableRequest{TableName: tableName(table), NonceGroup: n.group, Nonce: n.id},
		&pb.DeleteTableResponse{}, func() (bool, error) {
			_, err := a.TableState(ctx, table)
			if IsTableNotFound(err) {
				return true, nil
			}
			return false, err
		})
	if err != nil {
		return fmt.Errorf("deleting table %s: %w", table, err)
	}
	return nil
}
