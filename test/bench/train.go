package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rowmark/test/cluster"
)

// A slow server is stopped and let run in turn.
const (
	trainStopped = 200 * time.Millisecond
	trainRunning = 200 * time.Millisecond
)

// startTrain slows down one of the servers that hold regions of a table, while others hold some too. What it gives ends the
// train.
func (s *session) startTrain(ctx context.Context, table string) (end func() error, err error) {
	server, err := s.slowServer(ctx, table)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- train(ctx, server) }()
	return func() error {
		cancel()
		return <-done
	}, nil
}

// slowServer takes the server of the table's first region.
func (s *session) slowServer(ctx context.Context, table string) (*cluster.Process, error) {
	regions, err := s.client.Regions(ctx, table)
	if err != nil {
		return nil, err
	}
	held := map[string]int{}
	for _, r := range regions {
		held[r.Addr]++
	}
	if len(held) < 2 {
		return nil, fmt.Errorf("slowing down a server: table %s lies on %d servers, want 2 or more", table, len(held))
	}
	server := s.hbase.RegionServerAt(regions[0].Addr)
	if server == nil {
		return nil, fmt.Errorf("slowing down a server: none of ours is at %s", regions[0].Addr)
	}
	s.say("%s holds %d of %d regions and is slow", server.Name(), held[regions[0].Addr], len(regions))
	return server, nil
}

// train stops a process and lets it run until ctx ends; it runs when train returns.
func train(ctx context.Context, p *cluster.Process) error {
	for {
		if err := p.Pause(); err != nil {
			return fmt.Errorf("slowing down a server: %w", err)
		}
		ended := wait(ctx, time.Now().Add(trainStopped))
		if err := p.Resume(); err != nil {
			return fmt.Errorf("slowing down a server: %w", err)
		}
		if errors.Join(ended, wait(ctx, time.Now().Add(trainRunning))) != nil {
			return nil
		}
	}
}
