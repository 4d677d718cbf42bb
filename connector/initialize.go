package connector

import (
	"context"
	"fmt"
	"strings"

	"rowmark/connector/mapping"
	"rowmark/hbase"
)

// InitOptions say what rowmark init makes.
type InitOptions struct {
	Mappings        *mapping.Set
	CheckpointTable string
	MarkFamily      string // empty: at-least-once, no marks
	Region          bool   // load the coprocessor for region transactions
}

// InitStep is one thing to do; Do is nil where all is well.
type InitStep struct {
	Table string
	Text  string // what will be done, or what was found
	Do    func(context.Context) error
}

// PlanInit compares HBase with what the mappings need, and gives the steps that are missing. It changes nothing.
func PlanInit(ctx context.Context, c *hbase.Client, o InitOptions) ([]InitStep, error) {
	p := &initPlan{client: c, opts: o, spaces: map[string]bool{}}
	checkpoint := mapping.Table{Name: o.CheckpointTable, Families: []string{CheckpointFamily}}
	if err := p.table(ctx, checkpoint, ""); err != nil {
		return nil, err
	}
	for _, t := range o.Mappings.Tables() {
		if err := p.table(ctx, t, o.MarkFamily); err != nil {
			return nil, err
		}
	}
	return p.steps, nil
}

type initPlan struct {
	client *hbase.Client
	opts   InitOptions
	steps  []InitStep
	spaces map[string]bool // namespaces that a step makes
}

func (p *initPlan) add(table string, do func(context.Context) error, format string, args ...any) {
	p.steps = append(p.steps, InitStep{Table: table, Text: fmt.Sprintf(format, args...), Do: do})
}

// table plans one table; an empty markFamily is none.
func (p *initPlan) table(ctx context.Context, t mapping.Table, markFamily string) error {
	have, err := p.client.Admin().DescribeTable(ctx, t.Name)
	if hbase.FaultOf(err) == hbase.FaultTable {
		p.create(t, markFamily)
		return nil
	}
	if err != nil {
		return fmt.Errorf("describing table %s: %w", t.Name, err)
	}
	want := have.Clone()
	changes := p.complete(&want, t.Families, markFamily)
	if len(changes) == 0 {
		p.add(t.Name, nil, "table %s is as it must be", t.Name)
		return nil
	}
	p.add(t.Name, func(ctx context.Context) error { return p.client.Admin().ModifyTable(ctx, want) },
		"alter table %s: %s", t.Name, strings.Join(changes, ", "))
	return nil
}

func (p *initPlan) create(t mapping.Table, markFamily string) {
	space, _, ok := strings.Cut(t.Name, ":")
	if ok && !p.spaces[space] {
		p.spaces[space] = true
		p.add(t.Name, func(ctx context.Context) error { return p.client.Admin().CreateNamespace(ctx, space) }, "create namespace %s, unless it is there", space)
	}
	want := hbase.TableSchema{Name: t.Name}
	changes := p.complete(&want, t.Families, markFamily)
	text := fmt.Sprintf("create table %s: %s", t.Name, strings.Join(changes, ", "))
	if n := len(t.Splits); n > 0 {
		text += fmt.Sprintf(", %d regions", n+1)
	}
	p.add(t.Name, func(ctx context.Context) error {
		err := p.client.Admin().CreateTable(ctx, want, t.Splits...)
		if hbase.IsTableExists(err) {
			return p.completeExisting(ctx, t, markFamily) // another init was faster
		}
		return err
	}, "%s", text)
}

// completeExisting adds to a table that came meanwhile what it lacks.
func (p *initPlan) completeExisting(ctx context.Context, t mapping.Table, markFamily string) error {
	have, err := p.client.Admin().DescribeTable(ctx, t.Name)
	if err != nil {
		return fmt.Errorf("describing table %s: %w", t.Name, err)
	}
	want := have.Clone()
	if len(p.complete(&want, t.Families, markFamily)) == 0 {
		return nil
	}
	return p.client.Admin().ModifyTable(ctx, want)
}

// complete adds to the schema what it lacks, and says what.
func (p *initPlan) complete(s *hbase.TableSchema, families []string, markFamily string) []string {
	var changes []string
	scope := 0
	for _, name := range families {
		if f := s.Family(name); f != nil {
			if set, err := f.Settings(); err == nil {
				scope = max(scope, set.ReplicationScope)
			}
			continue
		}
		s.Families = append(s.Families, hbase.FamilySchema{Name: name, Attributes: hbase.FamilySettings{Versions: 1}.Attributes()})
		changes = append(changes, "add family "+name)
	}
	if markFamily != "" {
		changes = append(changes, completeMarks(s, markFamily, scope)...)
	}
	if p.opts.Region && !s.HasCoprocessor(MultiRowEndpoint) {
		s.AddCoprocessor(MultiRowEndpoint)
		changes = append(changes, "load the coprocessor for region transactions")
	}
	return changes
}

func completeMarks(s *hbase.TableSchema, name string, scope int) []string {
	want := MarkFamilySettings(scope).Attributes()
	f := s.Family(name)
	if f == nil {
		s.Families = append(s.Families, hbase.FamilySchema{Name: name, Attributes: want})
		return []string{"add mark family " + name}
	}
	if checkMarkFamily(s, f) == nil {
		return nil
	}
	if f.Attributes == nil {
		f.Attributes = map[string]string{}
	}
	for _, key := range []string{"VERSIONS", "MIN_VERSIONS", "NEW_VERSION_BEHAVIOR", "TTL", "KEEP_DELETED_CELLS"} {
		f.Attributes[key] = want[key]
	}
	return []string{"mend the settings of mark family " + name}
}

// HonoursConditions has the server show, on a scratch row of the checkpoint table, that it honours conditions.
func HonoursConditions(ctx context.Context, c *hbase.Client, table string) error {
	support, err := c.ProbeRow(ctx, table, []byte("@probe"), []byte(CheckpointFamily))
	if err != nil {
		return fmt.Errorf("trying a condition on the checkpoint table %s: %w", table, err)
	}
	if support != hbase.SupportYes {
		return fmt.Errorf("this HBase does not honour the conditions that exactly-once rests on (%s); 2.4 or later is needed", support)
	}
	return nil
}

// CommitMode is how the rows of a table will be committed.
type CommitMode struct {
	Table   string
	Commit  string // in words
	Because string // why not by region transactions
}

func (m CommitMode) String() string {
	text := fmt.Sprintf("table %s commits %s", m.Table, CommitPhrase(m.Commit))
	if m.Because != "" {
		text += " (" + m.Because + ")"
	}
	return text
}

// CommitModes says for each table how its rows will be committed, trying it on the servers.
func CommitModes(ctx context.Context, c *hbase.Client, o InitOptions) ([]CommitMode, error) {
	if err := HonoursConditions(ctx, c, o.CheckpointTable); err != nil {
		return nil, err
	}
	var out []CommitMode
	for _, t := range o.Mappings.Tables() {
		m := CommitMode{Table: t.Name, Commit: "row by row"}
		if !o.Region {
			m.Because = "hbase.commit is row"
		} else if err := regionSupport(ctx, c, o.CheckpointTable, CheckpointFamily); err != nil {
			m.Because = err.Error()
		} else if err := regionSupport(ctx, c, t.Name, o.MarkFamily); err != nil {
			m.Because = err.Error()
		} else {
			m.Commit = "region transactions"
		}
		out = append(out, m)
	}
	return out, nil
}
