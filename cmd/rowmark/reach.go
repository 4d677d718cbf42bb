package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"rowmark/connector"
	"rowmark/connector/config"
	"rowmark/hbase"
	"rowmark/kafka"

	"github.com/spf13/cobra"
)

// firstTry is how long a service may be silent before that is said; each further attempt takes twice as long.
const firstTry = 5 * time.Second

// openHBase waits for an HBase that is away, up to hbase.start_timeout, and says so.
func (a *app) openHBase(ctx context.Context, c *config.Config) (*hbase.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, c.HBase.StartTimeout)
	defer cancel()
	h, err := connector.HBaseConfig(c)
	if err != nil {
		return nil, err
	}
	where := strings.Join(c.HBase.ZooKeeper, ",")
	for wait := firstTry; ; wait *= 2 {
		try, cancel := context.WithTimeout(ctx, wait)
		client, err := hbase.Open(try, h)
		cancel()
		if err == nil {
			return client, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%w: hbase by zookeeper %s (hbase.zookeeper) within %s (hbase.start_timeout): %w", connector.ErrUnreached, where, c.HBase.StartTimeout, err)
		}
		a.log.Warn().Err(err).Str("zookeeper", where).Stringer("at_most", c.HBase.StartTimeout).Msg("waiting for hbase")
	}
}

// openKafka waits for brokers that are away, up to hbase.start_timeout.
func (a *app) openKafka(ctx context.Context, c *config.Config) (*kafka.Client, error) {
	k, err := connector.KafkaConfig(c, a.log)
	if err != nil {
		return nil, configError(err)
	}
	reach, cancel := context.WithTimeout(ctx, c.HBase.StartTimeout)
	defer cancel()
	client, err := kafka.Open(reach, k)
	if err != nil {
		return nil, fmt.Errorf("%w: kafka: %w", connector.ErrUnreached, err)
	}
	return client, nil
}

// withHBase runs f with the configuration and HBase at hand, until a signal ends it.
func (a *app) withHBase(cmd *cobra.Command, f func(context.Context, *config.Config, *hbase.Client) error) error {
	ctx, stop := untilSignal(cmd.Context())
	defer stop()
	c, err := a.config()
	if err != nil {
		return err
	}
	client, err := a.openHBase(ctx, c)
	if err != nil {
		return err
	}
	defer client.Close()
	return f(ctx, c, client)
}

// untilSignal gives a context that ends with SIGTERM or SIGINT. A second one ends the process at once, also where
// the shell that started it in the background had SIGINT ignored.
func untilSignal(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
			return
		}
		<-signals
		os.Exit(connector.ExitShutdown)
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
	}
}
