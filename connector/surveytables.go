package connector

import (
	"context"
	"errors"
	"fmt"

	"rowmark/hbase"
)

// lookAtTables has each table checked as a run does.
func (s *surveyor) lookAtTables(ctx context.Context) {
	for _, m := range s.opts.Mappings.Tables() {
		found, err := s.lookAtTable(ctx, m.Name)
		if err != nil {
			i := s.opts.Mappings.Writer(m.Name)
			s.fault(surveyCode(err), fmt.Sprintf("tables[%d].table", i), s.config.Tables[i].Table, "%v", err)
			continue
		}
		s.found.Tables = append(s.found.Tables, found)
	}
}

func (s *surveyor) lookAtTable(ctx context.Context, table string) (TableFound, error) {
	ctx, cancel := s.brief(ctx)
	defer cancel()
	// Of a table that is not there inspect tells more.
	if state, err := s.hbase.Admin().TableState(ctx, table); err == nil && state != hbase.TableEnabled {
		return TableFound{}, &hbase.Error{Fault: hbase.FaultTable, Err: fmt.Errorf("table %s is %s; enable it", table, state)}
	}
	var check tableCheck
	if err := s.inspect(ctx, table, &check); err != nil {
		return TableFound{}, err
	}
	regions, err := s.hbase.Regions(ctx, table)
	if err != nil {
		return TableFound{}, err
	}
	found := TableFound{Name: table, Regions: len(regions), Commit: s.commitWords(check.region)}
	if check.region != nil {
		found.Because = check.region.Error()
	}
	if errors.Is(check.region, errUntold) {
		found.Commit = ""
	}
	return found, nil
}
