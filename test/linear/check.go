package linear

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// Options of a check.
type Options struct {
	// Budget is the time for the whole check, shared out evenly among the keys that are left. 0 is 30 s.
	Budget time.Duration
	// Dir is where a page that shows a failed history is written, made if need be. Empty: none is written.
	Dir string
	// Name begins the page's file name.
	Name string
}

// Report says what a check found.
type Report struct {
	Keys, Ops int
	// Wrong are the keys whose history no register or row can have given, Undecided those where time ran out.
	Wrong, Undecided []Finding
}

// Finding is one key.
type Finding struct {
	Key  string
	Ops  int
	Page string // path of the page that shows the history; empty if none was asked for, or it could not be written
}

// Err names the keys that are wrong or undecided; nil if there are none.
func (r Report) Err() error {
	var errs []error
	for _, f := range r.Wrong {
		errs = append(errs, fmt.Errorf("checking %d operations on %s: they are not linearizable%s", f.Ops, f.Key, f.see()))
	}
	for _, f := range r.Undecided {
		errs = append(errs, fmt.Errorf("checking %d operations on %s: not decided in time; give a larger budget", f.Ops, f.Key))
	}
	return errors.Join(errs...)
}

func (f Finding) see() string {
	if f.Page == "" {
		return ""
	}
	return ", see " + f.Page
}

// CheckRegisters checks checkpoints. The error says that the record itself makes no sense, or that a page could not
// be written.
func CheckRegisters(ops []RegisterOp, opts Options) (Report, error) {
	return check(registerModel, ops, opts)
}

// CheckRows checks rows under their marks. The error is as of CheckRegisters.
func CheckRows(ops []RowOp, opts Options) (Report, error) { return check(rowModel, ops, opts) }

// op is a RegisterOp or a RowOp.
type op interface {
	event() Event
	idle() bool // it changed nothing and saw nothing
	check() error
}

// end is the operation after which what is still unknown has no effect any more.
type end struct{}

func check[O op](model porcupine.Model, ops []O, opts Options) (Report, error) {
	byKey := map[string][]O{}
	for _, o := range ops {
		if err := o.check(); err != nil {
			return Report{}, err
		}
		if !o.idle() {
			byKey[o.event().Key] = append(byKey[o.event().Key], o)
		}
	}
	if opts.Budget == 0 {
		opts.Budget = 30 * time.Second
	}
	until := time.Now().Add(opts.Budget)
	report := Report{Keys: len(byKey)}
	var errs []error
	for i, key := range slices.Sorted(maps.Keys(byKey)) {
		report.Ops += len(byKey[key])
		found := Finding{Key: key, Ops: len(byKey[key])}
		share := max(time.Until(until)/time.Duration(len(byKey)-i), time.Millisecond)
		history := operations(byKey[key])
		switch porcupine.CheckOperationsTimeout(model, history, share) {
		case porcupine.Ok:
		case porcupine.Unknown:
			report.Undecided = append(report.Undecided, found)
		default:
			var err error
			if found.Page, err = draw(model, history, key, opts); err != nil {
				errs = append(errs, err)
			}
			report.Wrong = append(report.Wrong, found)
		}
	}
	return report, errors.Join(errs...)
}

// operations puts a key's history into Porcupine's form: unknown ones never return, and an end comes after all that
// are known.
func operations[O op](ops []O) []porcupine.Operation {
	ops = slices.SortedStableFunc(slices.Values(ops), func(a, b O) int { return cmp.Compare(a.event().Call, b.event().Call) })
	last := int64(0)
	var out []porcupine.Operation
	var lanes lanes
	for _, o := range ops {
		e := o.event()
		if e.Outcome == Unknown {
			e.Return = never
			last = max(last, e.Call)
		} else {
			last = max(last, e.Return)
		}
		out = append(out, porcupine.Operation{
			ClientId: lanes.of(e), Input: o, Call: e.Call, Return: e.Return, Metadata: fmt.Sprintf("client %d", e.Client),
		})
	}
	return append(out, porcupine.Operation{ClientId: len(lanes), Input: end{}, Call: last + 1, Return: last + 2})
}

// lanes gives each of a client's calls that overlap a line of its own in the picture.
type lanes []lane

type lane struct {
	client int
	free   int64
}

func (l *lanes) of(e Event) int {
	for i := range *l {
		if x := &(*l)[i]; x.client == e.Client && x.free < e.Call {
			x.free = e.Return
			return i
		}
	}
	*l = append(*l, lane{e.Client, e.Return})
	return len(*l) - 1
}

// draw writes the page of a wrong history.
func draw(model porcupine.Model, history []porcupine.Operation, key string, opts Options) (string, error) {
	if opts.Dir == "" {
		return "", nil
	}
	_, info := porcupine.CheckOperationsVerbose(model, history, opts.Budget)
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, r) || r < ' ' {
			return '-'
		}
		return r
	}, opts.Name+key)
	path := filepath.Join(opts.Dir, name+".html")
	if err := os.MkdirAll(opts.Dir, 0o755); err != nil {
		return "", fmt.Errorf("showing the history of %s: %w", key, err)
	}
	if err := porcupine.VisualizePath(model, info, path); err != nil {
		return "", fmt.Errorf("showing the history of %s: %w", key, err)
	}
	return path, nil
}
