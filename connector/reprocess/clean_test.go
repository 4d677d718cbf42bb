package reprocess

import (
	"errors"
	"testing"
	"time"

	"rowmark/connector"
)

// An id under which marks may be left is refused, whatever became of its run, until the marks are removed too. Then a mended
// mapping is applied.
func TestIDsOfMarksAreRefused(t *testing.T) {
	w := newWorld(t, 1, "t")
	old, anew, mended := w.options(mapped("s:t", "old")), w.options(mapped("s:t", "new")), w.options(mapped("s:t", "mended"))
	w.init(old)
	w.produce(record(0, "x", `{"a":1}`, 1000), record(0, "y", `{"a":2}`, 2000))
	w.once(old)
	req := Request{ID: "m1", Window: Window{500, 5000}}
	refused := func(why string) {
		t.Helper()
		var r *RefusedError
		_, err := w.runner(mended).Run(t.Context(), req)
		if fails(t, err, why); !errors.As(err, &r) {
			t.Errorf("%v is no refusal", err)
		}
	}
	clean := func(family string, want int64) {
		t.Helper()
		if n, err := w.runner(mended).runs().Clean(t.Context(), "m1", time.Millisecond, family); err != nil || n != want {
			t.Errorf("%d rows were rid of marks, %v, want %d", n, err, want)
		}
	}
	fails(t, w.runner(mended).runs().Look(t.Context(), "m1"), "sink live has no run m1; rowmark reprocess list")
	w.run(anew, req)
	if err := w.runner(mended).runs().Look(t.Context(), "m1"); err != nil {
		t.Error(err)
	}
	refused("use another id, or remove that run together with its marks by rowmark reprocess clean m1 --marks: while these stay")
	clean("", 0)
	refused("use another id, or remove it together with its marks by rowmark reprocess clean m1 --marks")
	clean("", 0)
	if runs, err := w.runner(mended).runs().List(t.Context()); err != nil || len(runs) != 1 || runs[0].State != Cleaned {
		t.Errorf("runs %+v, %v, want one that is cleaned", runs, err)
	}
	w.shows("s:t", "x d:a=new1", "y d:a=new2")
	clean(mended.MarkFamily, 2)
	time.Sleep(2 * time.Millisecond) // a delete hides what is put in its millisecond, as the run's row
	w.run(mended, req)
	w.shows("s:t", "x d:a=mended1", "y d:a=mended2")
}

// A run that is removed while its process starts writes nothing, and what that process leaves is removed, too.
func TestRemovedWhileItStarts(t *testing.T) {
	for _, family := range []string{"", "_k"} {
		w := newWorld(t, 1, "t")
		old, anew := w.options(mapped("s:t", "old")), w.options(mapped("s:t", "new"))
		w.init(old)
		w.produce(record(0, "x", `{"a":1}`, 2000))
		w.once(old)
		req := Request{ID: "a", Window: Window{1900, 3000}}
		r := w.runner(anew)
		clean := func() {
			t.Helper()
			if _, err := r.runs().Clean(t.Context(), "a", 60*time.Millisecond, family); err != nil {
				t.Error(err)
			}
		}
		r.Serving = func(*connector.Engine) { clean() }
		rep, err := r.Run(t.Context(), req)
		ended(t, rep, err, "run a was removed by rowmark reprocess clean")
		w.shows("s:t", "x d:a=old1")
		clean()
		if left, err := r.runs().Store("a").List(t.Context()); err != nil || len(left) > 0 {
			t.Errorf("checkpoints %v, %v are left", left, err)
		}
		if family != "" {
			w.run(anew, req)
			w.shows("s:t", "x d:a=new1")
		}
	}
}
