package report

import (
	"testing"
)

func TestTable(t *testing.T) {
	got := Table{Head: []string{"a", "b"}, Rows: [][]string{{"1", "x|y"}, {"2", "two\nlines"}}}.String()
	want := "| a | b |\n|---|---|\n| 1 | x\\|y |\n| 2 | two lines |\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestResults(t *testing.T) {
	sample := func(seconds float64) Sample {
		s := Unmeasured()
		s.Records, s.Seconds = 1000, seconds
		return s
	}
	got := Results([]Result{{"4 regions", "ours", []Sample{sample(1), sample(0.5), sample(2)}}}, []Column{
		{Head: "rows/s", Figure: Sample.Rate, Format: Count},
		{Head: "CPU", Figure: func(s Sample) float64 { return s.CPU }, Format: Decimals(1)},
		{Head: "s", Figure: func(s Sample) float64 { return s.Seconds }, Format: Decimals(1), Narrow: true},
	}).String()
	want := "| on | contestant | rows/s | CPU | s |\n|---|---|---|---|---|\n| 4 regions | ours | 1,000 (500–2,000) | – | 1.0 |\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
