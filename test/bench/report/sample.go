package report

import "math"

// Sample is one measurement. What was not measured is NaN.
type Sample struct {
	Records, Bytes float64
	Seconds        float64
	CPU, ServerCPU float64   // seconds of processor time
	RSS, ServerRSS float64   // peaks, in bytes; the servers' together
	Allocs         float64   // per record
	First          float64   // seconds from the start to the first record or row
	Calls, Ranges  float64   // HBase calls and ranges of Kafka partitions that it took
	Delays         []float64 // seconds that single records took, in rising order; nil where nothing is timed singly
}

// Unmeasured is a sample to fill in.
func Unmeasured() Sample {
	n := math.NaN()
	return Sample{n, n, n, n, n, n, n, n, n, n, n, nil}
}

// Delay gives the figure of how many milliseconds at most the fastest part of the records took.
func Delay(part float64) func(Sample) float64 {
	return func(s Sample) float64 { return Quantile(s.Delays, part) * 1e3 }
}

// Rate is records a second.
func (s Sample) Rate() float64 { return s.Records / s.Seconds }

// Megabytes is MB a second, of a million bytes each.
func (s Sample) Megabytes() float64 { return s.Bytes / s.Seconds / 1e6 }

// Per gives a figure for so many of the sample's records.
func Per(records float64, figure func(Sample) float64) func(Sample) float64 {
	return func(s Sample) float64 { return figure(s) / s.Records * records }
}

// PerByte gives a figure for so many bytes of the sample.
func PerByte(bytes float64, figure func(Sample) float64) func(Sample) float64 {
	return func(s Sample) float64 { return figure(s) / s.Bytes * bytes }
}

// Result is what one contestant did in one race, round by round.
type Result struct {
	Race, Name string
	Samples    []Sample
}

// Column is one figure of a table of results.
type Column struct {
	Head   string
	Figure func(Sample) float64
	Format func(float64) string
	Narrow bool // the median alone
}

// Values are a figure's measurements, round by round.
func (r Result) Values(figure func(Sample) float64) []float64 {
	out := make([]float64, len(r.Samples))
	for i, s := range r.Samples {
		out[i] = figure(s)
	}
	return out
}

// Results makes the table of a suite's results, one line each.
func Results(results []Result, columns []Column) Table {
	t := Table{Head: []string{"on", "contestant"}}
	for _, c := range columns {
		t.Head = append(t.Head, c.Head)
	}
	for _, r := range results {
		line := []string{r.Race, r.Name}
		for _, c := range columns {
			s := SpreadOf(r.Values(c.Figure))
			if c.Narrow {
				line = append(line, c.Format(s.Median))
			} else {
				line = append(line, s.Format(c.Format))
			}
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}
