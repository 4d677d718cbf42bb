package demo

import (
	"context"
	"fmt"
	"strings"
)

// judge counts, prints the verdict, and fails if it is not all zeros.
func (s *session) judge(ctx context.Context, sum *summary) error {
	s.out.step("the count, by others than rowmark: what must be there is folded from the log as franz-go reads it;")
	s.out.say("         what is there: %s", s.mode.judges)
	t, err := readTruth(ctx, s.services.brokers())
	if err != nil {
		return err
	}
	if t.records != sum.records || t.hidden != sum.aborted {
		return fmt.Errorf("reading the log for the count: %d committed and %d aborted records there, but %d and %d were produced",
			t.records, t.hidden, sum.records, sum.aborted)
	}
	v := &verdict{}
	var example []string
	for _, table := range []string{ordersTable, customersTable} {
		cells, err := s.services.dump(table)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		v.compare(table, t.tables[table], cells)
		if table == ordersTable {
			example = describe(cells)
		}
	}
	s.print(sum, t, v, example)
	if !v.clean() {
		return fmt.Errorf("%w: %s", ErrVerdict, v)
	}
	return nil
}

func (s *session) print(sum *summary, t *truth, v *verdict, example []string) {
	seconds := sum.took.Seconds()
	var took []string
	for _, d := range sum.recoveries {
		took = append(took, fmt.Sprintf("%.1f s", d.Seconds()))
	}
	s.out.say("")
	s.out.say("  records      %s committed (and %s of aborted transactions, which must not show)", count(t.records), count(t.hidden))
	s.out.say("  rows         %s rows, %s cells, in %d tables", count(v.rows), count(v.cells), len(t.tables))
	s.out.say("  rate         %s records/s, %s row changes/s, over %.1f s with kills, recoveries and the producer on this machine",
		count(int(float64(t.records)/seconds)), count(int(float64(t.changes)/seconds)), seconds)
	s.out.say("  recoveries   %d of %d kills (%s)", len(sum.recoveries), kills, strings.Join(took, ", "))
	if sum.replayed >= 0 {
		s.out.say("  read again   %s row changes after the last kill: by their marks the rows had them, and none was made twice", count(sum.replayed))
	}
	s.out.say("  lost         %s", count(v.lost))
	s.out.say("  doubled      %s", count(v.doubled))
	s.out.say("  wrong        %s", count(v.wrong))
	for _, e := range v.examples {
		s.out.say("      %s", e)
	}
	if v.missingRows+v.extraRows > 0 {
		s.out.say("      whole rows: %s missing, %s too many", count(v.missingRows), count(v.extraRows))
	}
	s.out.say("")
	if !v.clean() {
		s.out.say("The rows are NOT what the log says.")
		return
	}
	s.out.say("Every cell is what the log says.")
	if len(example) > 0 {
		s.out.say("")
		s.out.say("One row, as it is stored:")
		for _, line := range example {
			s.out.say("  %s", line)
		}
	}
}
