package report

import (
	"math"
	"testing"
)

func TestSpreadOf(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Spread
	}{
		{[]float64{3}, Spread{3, 3, 3}},
		{[]float64{9, 1, 4}, Spread{4, 1, 9}},
		{[]float64{9, 1, 4, 5}, Spread{4.5, 1, 9}},
	} {
		if got := SpreadOf(c.values); got != c.want {
			t.Errorf("of %v: %v, want %v", c.values, got, c.want)
		}
	}
	values := []float64{2, 1}
	if SpreadOf(values); values[0] != 2 {
		t.Error("the measurements were put into another order, and with them the rounds")
	}
	if got := SpreadOf(nil); !math.IsNaN(got.Median) || got.Format(Count) != "–" {
		t.Errorf("of nothing: %v", got)
	}
}

func TestRatioOf(t *testing.T) {
	// The second round was slow for both: by rounds the ratios are 2, 2 and 1.5.
	got, err := RatioOf([]float64{200, 20, 150}, []float64{100, 10, 100})
	if want := (Spread{2, 1.5, 2}); err != nil || got != want {
		t.Errorf("ratio %v, %v, want %v", got, err, want)
	}
	if _, err := RatioOf([]float64{1}, []float64{1, 2}); err == nil {
		t.Error("rounds without a partner were taken")
	}
	if _, err := RatioOf([]float64{1}, []float64{0}); err == nil {
		t.Error("a measurement was divided by zero")
	}
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 999: "999", 1000: "1,000", 1234567.6: "1,234,568", -1500: "-1,500", -0.2: "0"} {
		if got := Count(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
	if got := (Spread{1500, 900, 12000}).Format(Count); got != "1,500 (900–12,000)" {
		t.Error(got)
	}
	if got := Decimals(2)(0.757); got != "0.76" {
		t.Error(got)
	}
	if got := Decimals(2)(math.NaN()); got != "–" {
		t.Error(got)
	}
}

func TestQuantile(t *testing.T) {
	var sorted []float64
	for i := range 1000 {
		sorted = append(sorted, float64(i+1))
	}
	for part, want := range map[float64]float64{0: 1, 0.5: 500, 0.99: 990, 0.999: 999, 1: 1000} {
		if got := Quantile(sorted, part); got != want {
			t.Errorf("of %v: %v, want %v", part, got, want)
		}
	}
	if got := Quantile([]float64{7}, 0.5); got != 7 {
		t.Errorf("of one value: %v", got)
	}
	if !math.IsNaN(Quantile(nil, 0.5)) {
		t.Error("of nothing there is a quantile")
	}
}
