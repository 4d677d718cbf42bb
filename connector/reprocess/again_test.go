package reprocess

import (
	"testing"
	"time"
)

// A run of a window that was told by the clock names the command that goes on with it, and another window under its id too.
func TestRelativeWindowGoesOn(t *testing.T) {
	w := newWorld(t, 1, "t")
	old, anew := w.options(mapped("s:t", "old")), w.options(mapped("s:t", "new"))
	w.init(old)
	now := time.Now()
	w.produce(record(0, "x", `{"a":1}`, now.Add(-time.Minute).UnixMilli()))
	w.once(old)
	ask := func(at time.Time, text string) Request {
		window, err := ParseWindow(text, at)
		if err != nil {
			t.Fatal(err)
		}
		return Request{ID: "m1", Window: window}
	}
	first := ask(now, "-1h/now")
	r := w.runner(anew)
	if _, err := r.open(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	again := "rowmark run --reprocess " + first.Window.String() + " --reprocess-id m1"
	w.said("goes on by " + again)
	_, err := r.Run(t.Context(), ask(now.Add(time.Second), "-1h/now"))
	fails(t, err, again+" goes on with it; use another id")
	if rep := w.run(anew, ask(now.Add(time.Second), first.Window.String())); rep.State != Done {
		t.Errorf("%+v", rep)
	}
	w.shows("s:t", "x d:a=new1")
}

func TestAgainTellsWhatARunDoes(t *testing.T) {
	r := Run{ID: "m1", Window: Window{1, 2001}, Into: map[string]string{"s:b": "s:d", "s:a": "s:c"}, DeleteOld: true}
	want := "rowmark run --reprocess 1970-01-01T00:00:00.001Z/1970-01-01T00:00:02.001Z --reprocess-id m1 --reprocess-into s:a=s:c,s:b=s:d --delete-old-keys OLD.yaml"
	if got := r.Again(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
