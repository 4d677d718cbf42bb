package main

import (
	"fmt"

	"rowmark/test/bench/report"
)

// ordersStock is a topic of orders, each with a key of its own.
func ordersStock(topic string, n, partitions int) *stock {
	return &stock{topic: topic, partitions: partitions, per: n / partitions, fill: orders}
}

func partitionsAxis(n int) axis {
	a := axis{
		name: "partitions", label: "partitions",
		about: fmt.Sprintf("%s JSON records of about 300 bytes with 5 columns, each a row of its own, %d regions.", report.Count(float64(n)), shapeRegions),
	}
	for _, partitions := range []int{1, 16, 256} {
		a.points = append(a.points, point{
			name: report.Count(float64(partitions)), regions: shapeRegions,
			stock: ordersStock(fmt.Sprintf("bench-partitions-%d", partitions), n, partitions),
		})
	}
	return a
}

func regionsAxis(n int) axis {
	a := axis{
		name: "regions", label: "regions",
		about: fmt.Sprintf("%s JSON records of about 300 bytes with 5 columns, each a row of its own, %d partitions; keys lie evenly in the regions.",
			report.Count(float64(n)), shapePartitions),
	}
	st := ordersStock("bench-regions", n, shapePartitions)
	for _, regions := range []int{1, 64, 128} {
		a.points = append(a.points, point{name: report.Count(float64(regions)), regions: regions, stock: st})
	}
	return a
}

func rowsAxis(n int) axis {
	a := axis{
		name: "rows", label: "records per row",
		about: fmt.Sprintf("%s JSON records of about 300 bytes, 4 columns put and one counter incremented by each, %d partitions, %d regions. The records of a row come one after the other among those of %d rows of its partition.",
			report.Count(float64(n)), shapePartitions, shapeRegions, stretch),
	}
	for _, perRow := range []int{1, 10, 1000} {
		a.points = append(a.points, point{
			name: report.Count(float64(perRow)), regions: shapeRegions, counted: true,
			stock: &stock{
				topic: fmt.Sprintf("bench-rows-%d", perRow), partitions: shapePartitions, per: n / shapePartitions,
				fill: func() maker { return keyed(shapePartitions, repeated(shapePartitions, perRow)) },
			},
		})
	}
	return a
}

func hotAxis(n int) axis {
	keys := n / 10
	a := axis{
		name: "hot", label: "keys",
		about: fmt.Sprintf("%s JSON records of about 300 bytes, 4 columns put and one counter incremented by each, %d partitions, %d regions. Keys are drawn from %s: evenly, or 90 %% of the records from 1 %% of the keys.",
			report.Count(float64(n)), shapePartitions, shapeRegions, report.Count(float64(keys))),
	}
	for _, p := range []struct {
		name, topic         string
		hotKeys, hotRecords float64
	}{{"even", "bench-hot-even", 0, 0}, {"1 % take 90 %", "bench-hot", 0.01, 0.9}} {
		a.points = append(a.points, point{
			name: p.name, regions: shapeRegions, counted: true,
			stock: &stock{
				topic: p.topic, partitions: shapePartitions, per: n / shapePartitions,
				fill: func() maker { return keyed(shapePartitions, drawn(keys, p.hotKeys, p.hotRecords)) },
			},
		})
	}
	return a
}

func valuesAxis(n int) axis {
	total := n * 500 // bytes
	a := axis{
		name: "values", label: "size of a value", bytes: true,
		about: fmt.Sprintf("Raw values of one size in one column, letters that compress to half, %s MB in all but at most %s records, %d partitions, %d regions.",
			report.Count(float64(total)/1e6), report.Count(float64(n)), shapePartitions, shapeRegions),
	}
	for _, v := range []struct {
		name string
		size int
	}{{"100 B", 100}, {"1 kB", 1000}, {"10 kB", 10_000}, {"100 kB", 100_000}, {"1 MB", 1_000_000}} {
		a.points = append(a.points, point{
			name: v.name, regions: shapeRegions, size: v.size,
			stock: &stock{
				topic: fmt.Sprintf("bench-values-%d", v.size), partitions: shapePartitions, per: max(1, min(n, total/v.size)/shapePartitions),
				fill: func() maker { return sized(v.size) },
			},
		})
	}
	return a
}

func serversAxis(n int) axis {
	a := axis{
		name: "servers", label: "region servers", hdfs: true,
		about: fmt.Sprintf("%s JSON records of about 300 bytes with 5 columns, each a row of its own, %d partitions, %d regions on two region servers; the slow one is stopped (SIGSTOP) for %v and runs for %v, again and again.",
			report.Count(float64(n)), shapePartitions, shapeRegions, trainStopped, trainRunning),
	}
	st := ordersStock("bench-servers", n, shapePartitions)
	for _, slow := range []bool{false, true} {
		name := "none slow"
		if slow {
			name = "one slow"
		}
		a.points = append(a.points, point{name: name, regions: shapeRegions, stock: st, slowServer: slow})
	}
	return a
}
