package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Spread is the middle of several measurements, and how far they lie apart.
type Spread struct{ Median, Min, Max float64 }

// SpreadOf summarizes measurements; of an even number the median is the mean of the two in the middle. Without any it
// is NaN all through.
func SpreadOf(values []float64) Spread {
	if len(values) == 0 {
		return Spread{math.NaN(), math.NaN(), math.NaN()}
	}
	s := slices.Sorted(slices.Values(values))
	mid := len(s) / 2
	median := s[mid]
	if len(s)%2 == 0 {
		median = (s[mid-1] + s[mid]) / 2
	}
	return Spread{median, s[0], s[len(s)-1]}
}

// RatioOf divides round by round, so that what slows a whole round down cancels out.
func RatioOf(a, b []float64) (Spread, error) {
	if len(a) != len(b) {
		return Spread{}, fmt.Errorf("dividing %d measurements by %d: each needs one of the same round", len(a), len(b))
	}
	ratios := make([]float64, len(a))
	for i := range a {
		if b[i] == 0 {
			return Spread{}, fmt.Errorf("dividing by measurement %d: it is zero", i+1)
		}
		ratios[i] = a[i] / b[i]
	}
	return SpreadOf(ratios), nil
}

// Quantile is the least of sorted values that part of them do not exceed; NaN without any.
func Quantile(sorted []float64, part float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := int(math.Ceil(part*float64(len(sorted)))) - 1
	return sorted[min(max(at, 0), len(sorted)-1)]
}

// Format writes "median (min–max)".
func (s Spread) Format(number func(float64) string) string {
	if math.IsNaN(s.Median) {
		return none
	}
	return fmt.Sprintf("%s (%s–%s)", number(s.Median), number(s.Min), number(s.Max))
}

// none stands where nothing was measured.
const none = "–"

// Count writes a whole number with commas between thousands.
func Count(v float64) string {
	if math.IsNaN(v) {
		return none
	}
	digits := strconv.FormatInt(int64(math.Round(math.Abs(v))), 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if math.Round(v) < 0 {
		return "-" + digits
	}
	return digits
}

// Decimals gives a format of n digits behind the point.
func Decimals(n int) func(float64) string {
	return func(v float64) string {
		if math.IsNaN(v) {
			return none
		}
		return strconv.FormatFloat(v, 'f', n, 64)
	}
}
