package main

import "rowmark/test/bench/report"

// figures gives a suite the columns and the plot of its axis. Costs are those of a million records, or of a gigabyte where
// records differ in size; calls are those of 1,000 records, or of a megabyte.
func (a axis) figures(su *suite) {
	per := report.Per
	million, thousand, ofMillion, ofThousand := 1e6, 1e3, "million records", "1,000 records"
	if a.bytes {
		per = report.PerByte
		million, thousand, ofMillion, ofThousand = 1e9, 1e6, "GB", "MB"
	}
	cpu := per(million, func(s report.Sample) float64 { return s.CPU })
	serverCPU := per(million, func(s report.Sample) float64 { return s.ServerCPU })
	memory := func(s report.Sample) float64 { return s.RSS / 1e6 }
	calls := per(thousand, func(s report.Sample) float64 { return s.Calls })
	ranges := per(thousand, func(s report.Sample) float64 { return s.Ranges })
	rates := []report.Column{{Head: "records/s", Figure: report.Sample.Rate, Format: report.Count}}
	rate := panel{"records a second", []series{{"", report.Sample.Rate}}}
	if a.bytes {
		rates = append(rates, report.Column{Head: "MB/s", Figure: report.Sample.Megabytes, Format: report.Decimals(1)})
		rate = panel{"MB a second", []series{{"", report.Sample.Megabytes}}}
	}
	su.columns = append(rates,
		report.Column{Head: "rowmark CPU, s per " + ofMillion, Figure: cpu, Format: report.Decimals(2)},
		report.Column{Head: "server CPU, s per " + ofMillion, Figure: serverCPU, Format: report.Decimals(1)},
		report.Column{Head: "rowmark MB", Figure: memory, Format: report.Count},
		report.Column{Head: "HBase calls per " + ofThousand, Figure: calls, Format: report.Decimals(2)},
		report.Column{Head: "Kafka ranges per " + ofThousand, Figure: ranges, Format: report.Decimals(2), Narrow: true},
	)
	su.plot = &drawing{
		title: "Cost of the pipeline against " + a.label, axis: a.label,
		panels: []panel{
			rate,
			{"CPU, seconds per " + ofMillion, []series{{"rowmark", cpu}, {"servers", serverCPU}}},
			{"peak memory of rowmark, MB", []series{{"", memory}}},
			{"calls to HBase per " + ofThousand, []series{{"", calls}}},
		},
	}
}
