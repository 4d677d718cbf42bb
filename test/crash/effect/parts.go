package effect

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// parts are the points that one kind of action has: what it is for decides what a crash there leaves behind.
// Those of Report are the constants of core.ReportKind.
var parts = map[string][]string{
	"ReadCheckpoint": {"first", "waiting", "settling"},
	"SwapCheckpoint": {"create", "take", "ceiling", "advance", "newest", "beat", "adopt", "segment", "hole", "release"},
	"ReadLog":        {"start", "resume", "again"},
	"Fetch":          {"current", "stored"},
	"CancelFetch":    {"drain", "pause"},
	"Write":          {"region", "row", "solo", "fence", "letter"},
	"Look":           {"floor", "refused", "unknown"},
	"CheckWitness":   {"start", "running"},
}

const report = "Report"

// Outside are the effects that are no action of the core: what init, offsets set and the group do.
var Outside = []string{"init", "offsets/take", "offsets/write", "group/join", "group/sync", "group/leave"}

// Registry is every effect of the core.
type Registry struct {
	Effects []string // sorted, kind/part
	reports map[int64]string
}

// Check holds the table against the source. The error names the actions that the matrix does not know, and those
// that are no more.
func Check(src *Source) (*Registry, error) {
	actions, err := src.Actions()
	if err != nil {
		return nil, err
	}
	reports := src.Constants("ReportKind")
	known := maps.Clone(parts)
	known[report] = slices.Collect(maps.Values(reports))
	r := &Registry{reports: reports}
	for _, a := range actions {
		if len(known[a]) == 0 {
			return nil, fmt.Errorf("core.%s is an action that the crash matrix does not know: name its parts in test/crash/effect, have test/crash/pure carry it out, and add a scenario that reaches it", a)
		}
		for _, p := range known[a] {
			r.Effects = append(r.Effects, a+"/"+p)
		}
		delete(known, a)
	}
	for a := range known {
		return nil, fmt.Errorf("the crash matrix knows an action %s that the core does not have: take it out of test/crash/effect", a)
	}
	slices.Sort(r.Effects)
	return r, nil
}

// Report names the effect of a report by its kind.
func (r *Registry) Report(kind int64) string {
	if name, ok := r.reports[kind]; ok {
		return report + "/" + name
	}
	return fmt.Sprintf("%s/%d", report, kind)
}

// Kinds gives the actions themselves, sorted.
func (r *Registry) Kinds() []string {
	var out []string
	for _, e := range r.Effects {
		kind, _, _ := strings.Cut(e, "/")
		if len(out) == 0 || out[len(out)-1] != kind {
			out = append(out, kind)
		}
	}
	return out
}

// Has says whether an effect is in the registry.
func (r *Registry) Has(name string) bool {
	_, ok := slices.BinarySearch(r.Effects, name)
	return ok
}
