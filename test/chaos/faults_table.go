package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"rowmark/test/cluster"
)

// tableClasses move, cut and close regions, and whatever an operator does to tables in use.
func tableClasses() []class {
	return []class{
		{classCost{"region move (data)", hbaseLane, 3 * time.Second}, moveRegionOf(rowsTable)},
		{classCost{"region move (checkpoints)", hbaseLane, 3 * time.Second}, moveRegionOf(checkpointTable)},
		{classCost{"region move (meta)", hbaseLane, 3 * time.Second}, moveRegionOf("hbase:meta")},
		{classCost{"region split", hbaseLane, 5 * time.Second}, splitRegion},
		{classCost{"region merge", hbaseLane, 6 * time.Second}, mergeRegions},
		{classCost{"flush", hbaseLane, 2 * time.Second}, flushTables},
		{classCost{"compaction", hbaseLane, 3 * time.Second}, compactTables},
		{classCost{"major compaction", hbaseLane, 8 * time.Second}, majorCompact},
		{classCost{"table disabled", hbaseLane, 12 * time.Second}, disableTable},
		{classCost{"quota", hbaseLane, 9 * time.Second}, throttleTable},
		{classCost{"snapshot", hbaseLane, 4 * time.Second}, snapshotTable},
	}
}

func moveRegionOf(table string) func(context.Context, *stage, *rand.Rand) (string, error) {
	return func(_ context.Context, s *stage, rnd *rand.Rand) (string, error) {
		regions, err := s.admin.Regions(table)
		if err != nil {
			return "", err
		}
		r := regions[rnd.IntN(len(regions))]
		for _, to := range s.hbase.RegionServerAddrs() {
			if to == r.Server {
				continue
			}
			if err := s.admin.Move(r.Encoded, to); err != nil {
				return "", err
			}
			return fmt.Sprintf("region %s of %s moved from %s to %s", r.Encoded, table, r.Server, to), nil
		}
		return "", fmt.Errorf("moving region %s: no other server", r.Encoded)
	}
}

// splitRegion cuts a region at a key that is there. When there are many it waits for a merge.
func splitRegion(_ context.Context, s *stage, rnd *rand.Rand) (string, error) {
	table := []string{rowsTable, hotTable}[rnd.IntN(2)]
	keys := s.truth.table(table)
	before, err := s.admin.Regions(table)
	if err != nil {
		return "", err
	}
	if len(keys) == 0 || len(before) > 12 {
		return "", errNotNow
	}
	var at string
	for range 50 {
		if at = keys[rnd.IntN(len(keys))]; !isBorder(at, before) {
			break
		}
	}
	// A region just opened may hold references to its parent's files, and can't be cut then.
	if err := s.admin.Flush(table); err != nil {
		return "", err
	}
	if err := s.admin.MajorCompact(table); err != nil {
		return "", err
	}
	if err := s.admin.Split(table, at); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s was split at %q, from %d regions", table, at, len(before)), nil
}

func isBorder(key string, regions []cluster.Region) bool {
	for _, r := range regions {
		if r.Start == key {
			return true
		}
	}
	return false
}

// mergeRegions joins two neighbours. A region that was split or merged lately can't be joined until the master has
// cleaned up after that, so that other pairs, and the other table, are tried.
func mergeRegions(_ context.Context, s *stage, rnd *rand.Rand) (string, error) {
	last := errNotNow
	for _, t := range rnd.Perm(2) {
		table := []string{rowsTable, hotTable}[t]
		before, err := s.admin.Regions(table)
		if err != nil {
			return "", err
		}
		if len(before) < 3 {
			continue
		}
		if err := s.admin.MajorCompact(table); err != nil {
			return "", err
		}
		for _, i := range rnd.Perm(len(before) - 1) {
			if last = s.admin.Merge(before[i].Encoded, before[i+1].Encoded); last != nil {
				continue
			}
			after, err := s.admin.Regions(table)
			if err != nil {
				return "", err
			}
			if len(after) >= len(before) {
				return "", fmt.Errorf("merging regions of %s: %d before, %d after", table, len(before), len(after))
			}
			return fmt.Sprintf("%s was merged from %d regions to %d", table, len(before), len(after)), nil
		}
	}
	return "", last
}

var allTables = []string{rowsTable, hotTable, edgeTable, checkpointTable}

func flushTables(_ context.Context, s *stage, _ *rand.Rand) (string, error) {
	for _, t := range allTables {
		if err := s.admin.Flush(t); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d tables were flushed", len(allTables)), nil
}

func compactTables(_ context.Context, s *stage, _ *rand.Rand) (string, error) {
	for _, t := range allTables {
		if err := s.admin.Flush(t); err != nil {
			return "", err
		}
		if err := s.admin.Compact(t); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d tables were compacted", len(allTables)), nil
}

// majorCompact drops delete markers and old versions; the tool waits until each region says that it did.
func majorCompact(_ context.Context, s *stage, _ *rand.Rand) (string, error) {
	for _, t := range []string{rowsTable, hotTable} {
		if err := s.admin.Flush(t); err != nil {
			return "", err
		}
		if err := s.admin.MajorCompact(t); err != nil {
			return "", err
		}
	}
	return "all regions of two tables were compacted wholly", nil
}

// disableTable takes a table away. The connectors wait, or end and are started again, and come back with it.
func disableTable(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	table := []string{rowsTable, hotTable}[rnd.IntN(2)]
	if err := s.admin.Disable(table); err != nil {
		return "", err
	}
	before := s.watch.positions()
	_ = sleep(ctx, time.Duration(3000+rnd.IntN(3000))*time.Millisecond) // Enable must come in any case
	held, n := 0, 0
	for seat, p := range s.watch.positions() {
		if p.topic != mainTopic || before[seat] == nil {
			continue
		}
		n++
		// What was written and not yet resolved in the checkpoint may still be.
		if p.offset-before[seat].offset < 2000 {
			held++
		}
	}
	err := until(context.Background(), 2*time.Minute, table+" to be enabled", func() (bool, error) {
		err := s.admin.Enable(table)
		return err == nil || isJava(err, "TableNotDisabledException"), err
	})
	if err != nil {
		s.fail(err)
		return "", err
	}
	if held < n {
		return "", fmt.Errorf("disabling %s: %d of %d checkpoints went on", table, n-held, n)
	}
	return fmt.Sprintf("%s was away, and %d partitions waited for it", table, held), nil
}

// throttleTable lets so few writes through that the sink that writes by rows, whose calls the quota counts, falls behind.
func throttleTable(ctx context.Context, s *stage, rnd *rand.Rand) (string, error) {
	const held = 8 * time.Second
	if err := s.admin.Throttle(rowsTable, 10+rnd.IntN(20)); err != nil {
		return "", err
	}
	_ = sleep(ctx, 2*time.Second) // until the servers know; Unthrottle must come in any case
	refused, from, read := s.saidByAll("RpcThrottl"), s.passed(secondSink), s.truthOf(mainTopic)
	_ = sleep(ctx, held)
	passed, came := s.passed(secondSink)-from, s.truthOf(mainTopic)-read
	if err := s.admin.Unthrottle(rowsTable); err != nil {
		s.fail(err)
		return "", err
	}
	refused = s.saidByAll("RpcThrottl") - refused
	if refused == 0 && passed > came*3/4 {
		return "", fmt.Errorf("throttling %s: of %d offsets that came, %d were passed all the same", rowsTable, came, passed)
	}
	return fmt.Sprintf("writes to %s were throttled: sink %s passed %d offsets while %d came", rowsTable, secondSink, passed, came), nil
}

// passed adds up a sink's checkpoints of the main topic.
func (s *stage) passed(sink string) int64 {
	var n int64
	for src, p := range s.watch.of(sink) {
		if src.topic == mainTopic {
			n += p.offset
		}
	}
	return n
}

// truthOf adds up how far a topic's logs were read.
func (s *stage) truthOf(topic string) int64 {
	s.truth.mu.Lock()
	defer s.truth.mu.Unlock()
	var n int64
	for src, at := range s.truth.at {
		if src.topic == topic {
			n += at
		}
	}
	return n
}

// saidByAll counts the lines with a text in the logs of all connectors.
func (s *stage) saidByAll(text string) int {
	s.yard.mu.Lock()
	procs := s.yard.procs
	s.yard.mu.Unlock()
	n := 0
	for _, p := range procs {
		n += len(p.said(text))
	}
	return n
}

func snapshotTable(_ context.Context, s *stage, rnd *rand.Rand) (string, error) {
	name := fmt.Sprintf("chaos-%d", rnd.Uint32())
	if err := s.admin.Snapshot(rowsTable, name); err != nil {
		return "", err
	}
	if _, err := s.admin.Do("deletesnapshot", name); err != nil {
		return "", err
	}
	return fmt.Sprintf("a snapshot of %s was taken", rowsTable), nil
}
