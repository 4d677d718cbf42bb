package connector_test

import (
	"errors"
	"fmt"
	"strings"

	"rowmark/connector/core"
	"rowmark/hbase"
	"rowmark/kafka"
)

// take finds the action that an answer is for.
func take[A core.Action](w *world, p *process, args []string) (*asked, A, error) {
	var none A
	if len(args) == 0 {
		return nil, none, errors.New("no action is named")
	}
	q := w.actions[args[0]]
	if q == nil {
		return nil, none, fmt.Errorf("no action %s", args[0])
	}
	a, ok := q.action.(A)
	switch {
	case !ok:
		return nil, none, fmt.Errorf("no action %s that is answered so", args[0])
	case q.proc != p:
		return nil, none, fmt.Errorf("action %s belongs to %s", args[0], q.proc.name)
	case q.answered:
		return nil, none, fmt.Errorf("action %s was answered before", args[0])
	}
	return q, a, nil
}

// event reads an event line. Answers come from the models, or are held against them.
func (w *world) event(p *process, verb string, args []string) (core.Event, error) {
	switch verb {
	case "assigned":
		return core.Assigned{TopicPartition: partition}, nil
	case "revoked":
		return core.Revoked{TopicPartition: partition}, nil
	case "stop":
		return core.Stop{}, nil
	case "tick":
		return core.Tick{}, nil
	case "checkpoint":
		q, a, err := take[core.ReadCheckpoint](w, p, args)
		if err != nil {
			return nil, err
		}
		q.answered = true
		ev := core.CheckpointRead{TopicPartition: partition, Inst: a.Inst}
		w.say("= %s", w.stored())
		if w.hbase.ck != nil {
			row := *w.hbase.ck
			ev.Row = &row
		}
		return ev, nil
	case "log":
		q, a, err := take[core.ReadLog](w, p, args)
		if err != nil {
			return nil, err
		}
		q.answered = true
		w.say("= %s, [%d,%d)", topicName(w.kafka.id), w.kafka.start, w.kafka.end())
		return core.LogRead{TopicPartition: partition, Inst: a.Inst, Info: w.kafka.info(a)}, nil
	case "swapped":
		return w.swapped(p, args)
	case "fetched":
		return w.fetched(p, args)
	case "written":
		return w.written(p, args)
	case "looked":
		return w.looked(p, args)
	case "witnessed":
		q, a, err := take[*core.CheckWitness](w, p, args)
		if err != nil {
			return nil, err
		}
		q.answered = true
		m, err := w.markSaid(string(a.Row), a.Name, args[1:])
		return core.Witnessed{Check: a, Mark: m.Next}, err
	}
	return nil, fmt.Errorf("no such event: %s", verb)
}

func (w *world) swapped(p *process, args []string) (core.Event, error) {
	q, a, err := take[core.SwapCheckpoint](w, p, args)
	if err != nil {
		return nil, err
	}
	q.answered = true
	res, err := outcome(args[1:])
	if err != nil {
		return nil, err
	}
	if !q.landed && (res.Outcome == hbase.Applied || res.Outcome == hbase.Refused && res.Err == nil) {
		w.landSwap(q, a)
	}
	return core.Swapped{TopicPartition: partition, Inst: a.Inst, Result: res}, contradicts(res, q.landed, q.refused)
}

func (w *world) landSwap(q *asked, a core.SwapCheckpoint) {
	q.landed, q.refused = true, !w.hbase.swap(a.Expect, a.Put)
}

// outcome reads the word for what is known of a write.
func outcome(words []string) (hbase.WriteResult, error) {
	switch word := strings.Join(words, " "); word {
	case "applied":
		return hbase.WriteResult{Outcome: hbase.Applied}, nil
	case "refused":
		return hbase.WriteResult{Outcome: hbase.Refused}, nil
	case "unknown":
		return hbase.WriteResult{Outcome: hbase.Unknown, Err: &hbase.Error{Fault: hbase.FaultAmbiguous, Err: errors.New("answer lost")}}, nil
	case "busy":
		return hbase.WriteResult{Outcome: hbase.Refused, Err: &hbase.Error{Fault: hbase.FaultBusy, Err: errors.New("region too busy")}}, nil
	default:
		return hbase.WriteResult{}, fmt.Errorf("no such outcome: %q", word)
	}
}

// contradicts says whether an outcome can't be, by what happened in HBase.
func contradicts(res hbase.WriteResult, landed, refused bool) error {
	switch {
	case res.Outcome == hbase.Applied && refused:
		return errors.New("it can't have been applied: its condition does not hold")
	case res.Outcome == hbase.Refused && res.Err == nil && !refused:
		return errors.New("it can't have been refused: its condition holds")
	case res.Outcome == hbase.Refused && res.Err != nil && landed:
		return errors.New("it can't have been turned away: it landed")
	}
	return nil
}

// fetched reads "f1 to 5" (the records up to there), "f1 changed" (another topic id) or "f1 hole" (below the log's start).
func (w *world) fetched(p *process, args []string) (core.Event, error) {
	q, a, err := take[core.Fetch](w, p, args)
	if err != nil {
		return nil, err
	}
	q.answered = true
	ev := core.Fetched{TopicPartition: partition, Inst: a.Inst, Ask: a.Ask, From: a.At.Offset, Next: a.At.Offset, End: w.kafka.end(), LeaderEpoch: -1}
	changed := a.At.TopicID != w.kafka.id
	hole := a.At.Offset < w.kafka.start || a.At.Offset > w.kafka.end()
	var to int64
	switch word := strings.Join(args[1:], " "); {
	case word == "changed" && changed:
		ev.Err = &kafka.TopicChangedError{TopicPartition: partition, Was: a.At.TopicID, Is: w.kafka.id}
	case word == "hole" && hole:
		ev.Err = &kafka.OutOfRangeError{TopicPartition: partition, Wanted: a.At.Offset, LogStart: w.kafka.start, LogEnd: w.kafka.end()}
	case changed || hole || a.Stored != nil:
		return nil, errors.New("the brokers, or the pump, can't answer so")
	default:
		if _, err := fmt.Sscanf(word, "to %d", &to); err != nil || to < a.At.Offset {
			return nil, fmt.Errorf("reading %q: want to and an offset", word)
		}
		if to > w.kafka.end() || a.Until >= 0 && to > a.Until {
			return nil, fmt.Errorf("the log ends at %d, the fetch at %d", w.kafka.end(), a.Until)
		}
		ev.Next, ev.Records = to, w.kafka.mapped(a.At.Offset, to)
		if len(ev.Records) > 0 {
			ev.LeaderEpoch = 0
		}
	}
	return ev, nil
}

// written reads "w1 applied" for all rows that are not answered, or "w1 a applied" for row a alone.
func (w *world) written(p *process, args []string) (core.Event, error) {
	q, _, err := take[core.Write](w, p, args)
	if err != nil {
		return nil, err
	}
	rows, words := q.choose(args[1:])
	res, err := outcome(words)
	if err != nil {
		return nil, err
	}
	var ev core.Written
	for _, f := range rows {
		if f.answered {
			continue
		}
		f.answered = true
		if !f.landed && (res.Outcome == hbase.Applied || res.Outcome == hbase.Refused && res.Err == nil) {
			w.land(f)
		}
		if err := contradicts(res, f.landed, f.refused); err != nil {
			return nil, fmt.Errorf("row %s: %w", f.group.Write.Row, err)
		}
		ev.Groups, ev.Results = append(ev.Groups, f.group), append(ev.Results, res)
	}
	if len(ev.Groups) == 0 {
		return nil, errors.New("it was answered before")
	}
	return ev, nil
}

// choose takes the rows that the words name, or all of them, and gives the other words back.
func (q *asked) choose(words []string) ([]*flight, []string) {
	for _, f := range q.rows {
		if len(words) > 0 && string(f.group.Write.Row) == words[0] {
			return []*flight{f}, words[1:]
		}
	}
	return q.rows, words
}

func (w *world) land(f *flight) string {
	f.landed = true
	if c := w.hbase.barred(&f.group.Write); c != nil {
		f.refused = true
		return fmt.Sprintf("refused, mark %d stands", c.Timestamp)
	}
	w.hbase.apply(&f.group.Write, w.wall())
	return "applied"
}

// lands lets a write or a swap reach HBase without an answer.
func (w *world) lands(handle string, words []string) error {
	q := w.actions[handle]
	if q == nil {
		return fmt.Errorf("no action %s", handle)
	}
	if a, ok := q.action.(core.SwapCheckpoint); ok && !q.landed {
		w.landSwap(q, a)
		w.say("= %s %s", handle, map[bool]string{true: "refused", false: "applied"}[q.refused])
		return nil
	}
	rows, _ := q.choose(words)
	for _, f := range rows {
		if f.landed {
			return fmt.Errorf("row %s landed before", f.group.Write.Row)
		}
		w.say("= %s %s %s", handle, f.group.Write.Row, w.land(f))
	}
	if len(rows) == 0 {
		return fmt.Errorf("action %s can't land, or landed before", handle)
	}
	return nil
}

// looked reads "l1 mark 5" for one row, or "l1 marks 5 none".
func (w *world) looked(p *process, args []string) (core.Event, error) {
	q, a, err := take[core.Look](w, p, args)
	if err != nil {
		return nil, err
	}
	q.answered = true
	if len(args) != 2+len(a.Rows) {
		return nil, fmt.Errorf("want the marks of %d rows", len(a.Rows))
	}
	ev := core.Looked{Rows: a.Rows, Errs: make([]error, len(a.Rows))}
	for i, r := range a.Rows {
		m, err := w.markSaid(string(r.Row), r.Name, []string{"mark", args[2+i]})
		if err != nil {
			return nil, err
		}
		ev.Marks = append(ev.Marks, m)
	}
	return ev, nil
}

// markSaid gives a row's mark, if it is the one that the script says.
func (w *world) markSaid(row, name string, words []string) (core.Mark, error) {
	m, err := w.hbase.mark(row, name)
	is := "none"
	if m.Next > 0 {
		is = fmt.Sprint(m.Next)
	}
	if said := strings.Join(words, " "); err == nil && said != "mark "+is {
		err = fmt.Errorf("row %s: the script says %q, its mark is %s", row, said, is)
	}
	return m, err
}
