package metrics

import (
	"runtime"
	"strconv"

	"rowmark/connector/status"

	"github.com/prometheus/client_golang/prometheus"
)

const (
	counter = prometheus.CounterValue
	gauge   = prometheus.GaugeValue
)

var partition = []string{"topic", "partition"}

// families are all metrics but the durations, in the order of docs/metrics.md.
var families = []family{
	{"records_total", counter, "Records resolved: written, skipped, or without effects.", partition, bySource(func(s *status.Source) float64 { return float64(s.Records) })},
	{"read_bytes_total", counter, "Keys and values of the records read, after decompression by Kafka's codec.", partition, bySource(func(s *status.Source) float64 { return float64(s.ReadBytes) })},
	{"skipped_records_total", counter, "Records passed by on_error: skip.", partition, bySource(func(s *status.Source) float64 { return float64(s.Skipped) })},
	{"dead_letters_total", counter, "Records that became dead letters.", partition, bySource(func(s *status.Source) float64 { return float64(s.DeadLetters) })},
	{"already_applied_records_total", counter, "Records read again and found below a row's mark, so that nothing was written.", partition, bySource(func(s *status.Source) float64 { return float64(s.Replayed) })},
	{"reader_wait_seconds_total", counter, "Time in which reading waited for room in the window, since HBase did not keep up.", partition, bySource(func(s *status.Source) float64 { return s.WaitedSeconds })},

	{"lag_records", gauge, "Offsets between the checkpoint and the end of what can be read. Only of partitions held here, once the end is known.", partition, bySourceHere(func(s *status.Source) (float64, bool) {
		return float64(s.LagRecords), s.LagRecords >= 0
	})},
	{"lag_seconds", gauge, "Age of the oldest record that is not resolved, by its own time; 0 at the end. Only of partitions held here, if it is known.", partition, bySourceHere(func(s *status.Source) (float64, bool) {
		return s.LagSeconds, s.LagSeconds >= 0
	})},
	{"end_offset", gauge, "End of what can be read, as the brokers last told. Only of partitions held here.", partition, bySourceHere(func(s *status.Source) (float64, bool) {
		return float64(s.End), s.End >= 0
	})},
	{"checkpoint_offset", gauge, "Offset of the checkpoint: every record below is resolved. Only of partitions held here.", partition, bySourceHere(func(s *status.Source) (float64, bool) {
		return float64(s.Checkpoint), s.Checkpoint >= 0
	})},
	{"checkpoint_advanced_timestamp_seconds", gauge, "When the checkpoint last moved, or was seen to be at the end, in Unix time. Only of partitions held here.", partition, bySourceHere(func(s *status.Source) (float64, bool) {
		return float64(s.AdvancedAt.UnixMilli()) / 1000, !s.AdvancedAt.IsZero()
	})},
	{"owner_epoch", gauge, "Epoch of the checkpoint's owner; it rises by one with each taking. Only of partitions held here.", partition, bySourceHere(func(s *status.Source) (float64, bool) {
		return float64(s.Epoch), s.Epoch > 0
	})},
	{"source_state", gauge, "1 for the state that the partition is in: reading, waiting, taking, settling, checking log, checking witness, running, releasing, retrying, fenced, failed, finished or released.", append(partition, "state"), sourceState},
	{"source_paused", gauge, "1 while the partition is paused by an operator.", partition, bySource(func(s *status.Source) float64 { return flag(s.Paused) })},
	{"window_bytes", gauge, "Memory of the records read and not resolved.", partition, bySource(func(s *status.Source) float64 { return float64(s.WindowBytes) })},

	{"rows_total", counter, "Row writes applied.", []string{"table"}, byTable(func(t *status.Table) float64 { return float64(t.Rows) })},
	{"refused_rows_total", counter, "Row writes that their condition refused: the row held a later mark, so that it is looked at and what is missing is sent.", []string{"table"}, byTable(func(t *status.Table) float64 { return float64(t.Refused) })},
	{"looked_up_rows_total", counter, "Rows of which the mark was read.", []string{"table"}, byTable(func(t *status.Table) float64 { return float64(t.Looks) })},
	{"in_flight_bytes", gauge, "Rows sent and not yet answered.", []string{"table"}, byTable(func(t *status.Table) float64 { return float64(t.InFlightBytes) })},
	{"writer_wait_seconds_total", counter, "Time in which rows waited while none was in flight: for a mark to be read, the table to be checked, or the next attempt.", []string{"table"}, byTable(func(t *status.Table) float64 { return t.WaitedSeconds })},
	{"table_mode", gauge, "1 for the way the table is committed: region (a transaction for each region), row, or plain (at-least-once).", []string{"table", "mode"}, tableMode},

	{"retries_total", counter, "What was tried again. Of row writes: unreached, moved, busy, unknown (no answer came; the mark tells what became of it) and other. Of other calls: mark, checkpoint and log.", []string{"cause"}, byName(func(s *status.Snapshot) map[string]int64 { return s.Retries })},
	{"hbase_calls_total", counter, "Requests sent to region servers and the master, by the methods of HBase's protocol.", []string{"method"}, byName(func(s *status.Snapshot) map[string]int64 { return s.Traffic.HBaseCalls })},
	{"hbase_region_lookups_total", counter, "Lookups of a region whose place was not known.", nil, one(func(s *status.Snapshot) int64 { return s.Traffic.RegionLookups })},
	{"hbase_regions_moved_total", counter, "Answers that a region is not served where it was looked for.", nil, one(func(s *status.Snapshot) int64 { return s.Traffic.RegionsMoved })},
	{"kafka_ranges_total", counter, "Ranges of partitions read; one answer of a broker may hold several.", nil, one(func(s *status.Snapshot) int64 { return s.Traffic.KafkaRanges })},

	{"service_reachable", gauge, "1 if Kafka answered when topics were last looked for, and HBase when a checkpoint was last read or written.", []string{"service"}, reachable},
	{"phase", gauge, "1 for what the process is about: connecting, running or stopping.", []string{"phase"}, func(s *status.Snapshot, put func(float64, ...string)) { put(1, string(s.Phase)) }},
	{"snapshot_timestamp_seconds", gauge, "When these figures were taken, in Unix time: about once a second.", nil, func(s *status.Snapshot, put func(float64, ...string)) { put(float64(s.At.UnixMilli()) / 1000) }},
	{"sink_info", gauge, "1, with the sink's name and its delivery, exactly-once or at-least-once.", []string{"sink", "delivery"}, func(s *status.Snapshot, put func(float64, ...string)) { put(1, s.Sink, s.Delivery) }},
	{"build_info", gauge, "1, with the version of rowmark and of Go.", []string{"version", "goversion"}, func(s *status.Snapshot, put func(float64, ...string)) { put(1, s.Version, runtime.Version()) }},
}

func flag(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

func sourceState(s *status.Snapshot, put func(float64, ...string)) {
	for i := range s.Sources {
		src := &s.Sources[i]
		put(1, src.Topic, strconv.Itoa(int(src.Partition)), src.State)
	}
}

func tableMode(s *status.Snapshot, put func(float64, ...string)) {
	for i := range s.Tables {
		put(1, s.Tables[i].Name, s.Tables[i].Mode)
	}
}

func reachable(s *status.Snapshot, put func(float64, ...string)) {
	put(flag(s.Kafka.Error == ""), "kafka")
	put(flag(s.HBase.Error == ""), "hbase")
}
