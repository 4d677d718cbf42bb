package main

import (
	"strings"
	"testing"
)

func TestFiles(t *testing.T) {
	found, err := run("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
}

func TestFaultsAreFound(t *testing.T) {
	k := known{"a_total": {"topic", "partition"}, "b": {"table"}, "i": {"sink"}}
	for _, c := range []struct{ expr, text, fault string }{
		{`sum(rate(a_total{job="x", topic=~"$topic"}[$__rate_interval]))`, "", ""},
		{`sum by (topic) (rate(a_total[5m]))`, "{{topic}}", ""},
		{`sum by (sink, topic) (a_total * on (job, instance) group_left (sink) i)`, "{{ $labels.sink }}", ""},
		{`a_total > 0 and on (job, instance) b == 0`, "{{instance}} {{ $value }}", ""},
		{`sum(rate(a_total[5m])`, "", "unclosed left parenthesis"},
		{`rate(a_total)`, "", "expected type range vector"},
		{`c`, "", "no metric c"},
		{`a_total{table="t"}`, "", "a_total has no label table"},
		{`sum by (table) (a_total)`, "", "nothing here has a label table"},
		{`a_total * on (topic) b`, "", "nothing here has a label topic"},
		{`a_total * on (job) group_left (sink) b`, "", "nothing here has a label sink"},
		{`sum by (topic) (a_total)`, "{{partition}}", "the result has no label partition"},
		{`sum(a_total)`, "{{ $labels.topic }}", "the result has no label topic"},
		{`b`, "{{topic}}", "the result has no label topic"},
	} {
		got := strings.Join(k.check(c.expr, c.text), "; ")
		if c.fault == "" && got != "" || !strings.Contains(got, c.fault) {
			t.Errorf("%s: got %q, want %q", c.expr, got, c.fault)
		}
	}
}
