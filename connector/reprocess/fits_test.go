package reprocess

import (
	"errors"
	"testing"

	"rowmark/connector"
)

// ended demands that a run was broken off for good, with a reason.
func ended(t *testing.T, rep Report, err error, text string) {
	t.Helper()
	var e *EndedError
	if fails(t, err, text); !errors.As(err, &e) || rep.State == Done {
		t.Errorf("%v, state %q: the run may be gone on with", err, rep.State)
	}
}

// A live connector that goes by another mapping than the run was made beside is not followed by the old one: neither by
// deletes that the new one does not make, nor by values that it does not write.
func TestLiveMappingChangesMeanwhile(t *testing.T) {
	tombstones := func(prefix, rule string) string { return mapped("s:t", prefix) + "    on_tombstone: " + rule + "\n" }
	for _, c := range []struct {
		name, old, anew, key, value string
		at                          int64
		want                        string
	}{
		{"a late record", mapped("s:t", "old"), mapped("s:t", "new"), "x", `{"a":9}`, 1500, "x d:a=new9"},
		{"a record of the same time", mapped("s:t", "old"), mapped("s:t", "new"), "x", `{"a":9}`, 2000, "x d:a=new9"},
		{"a delete that it does not make", tombstones("old", "delete-row"), tombstones("new", "ignore"), "x", "", 2500, "x d:a=new1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, 1, "t")
			old, anew := w.options(c.old), w.options(c.anew)
			w.init(old)
			w.produce(record(0, "x", `{"a":1}`, 2000))
			w.once(old)
			r, begun := w.runner(anew), false
			r.Serving = func(*connector.Engine) {
				if !begun {
					begun = true
					w.produce(record(0, c.key, c.value, c.at))
					w.once(anew)
				}
			}
			req := Request{ID: "a", Window: Window{1900, 2200}}
			rep, err := r.Run(t.Context(), req)
			ended(t, rep, err, "t/0: the live connector was restarted by another mapping")
			fails(t, err, "start a run under another id")
			rep, err = w.runner(anew).Run(t.Context(), req)
			ended(t, rep, err, "restarted by another mapping")
			req.ID = "b"
			w.run(anew, req)
			w.shows("s:t", c.want)
		})
	}
}

// What goes to a table of its own needs nothing of the live connector.
func TestLiveMappingChangesBesideAFreshTable(t *testing.T) {
	w := newWorld(t, 1, "t")
	old, anew := w.options(mapped("s:t", "old")), w.options(mapped("s:t", "new"))
	fixed := w.options(mapped("s:fixed", "new"))
	w.init(old)
	w.init(fixed)
	w.produce(record(0, "x", `{"a":1}`, 2000))
	w.once(old)
	r := w.runner(fixed)
	r.Serving = func(*connector.Engine) { w.once(anew) }
	if _, err := r.Run(t.Context(), Request{ID: "a", Window: Window{1900, 2200}, Into: map[string]string{"s:t": "s:fixed"}}); err != nil {
		t.Error(err)
	}
	w.shows("s:fixed", "x d:a=new1")
}
