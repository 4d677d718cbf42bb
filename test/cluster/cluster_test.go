package cluster

import (
	"context"
	"net"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/segmentio/kafka-go"
)

// needReal ends the test where the person asked for no real services.
func needReal(t *testing.T) context.Context {
	t.Helper()
	NeedReal(t)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func TestKafkaServesAndLeavesNothing(t *testing.T) {
	ctx := needReal(t)
	parent := t.TempDir()
	clashOnce(t, 0)
	began := time.Now()
	k, err := StartKafka(ctx, KafkaOptions{Options: Options{Dir: parent, Log: func(s string) { t.Log(s) }}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("served after %v", time.Since(began))
	c := &kafka.Client{Addr: kafka.TCP(k.Brokers()...), Timeout: 20 * time.Second}
	r, err := c.CreateTopics(ctx, &kafka.CreateTopicsRequest{Topics: []kafka.TopicConfig{{Topic: "t", NumPartitions: 2, ReplicationFactor: 1}}})
	if err != nil || r.Errors["t"] != nil {
		t.Errorf("creating a topic: %v %v", err, r)
	}
	if err := k.Stop(); err != nil {
		t.Error(err)
	}
	checkGone(t, parent, k.Brokers()[0], k.Processes())
}

func TestHBaseServesAndLeavesNothing(t *testing.T) {
	ctx := needReal(t)
	parent := t.TempDir()
	clashOnce(t, 0)
	began := time.Now()
	h, err := StartHBase(ctx, HBaseOptions{Options: Options{Dir: parent, Log: func(s string) { t.Log(s) }}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("served after %v", time.Since(began))
	if n := liveRegionServers(t, h); n != 1 {
		t.Errorf("ZooKeeper shows %d region servers, want 1", n)
	}
	if err := h.Stop(); err != nil {
		t.Error(err)
	}
	checkGone(t, parent, h.ZooKeeper()[0], h.Processes())
}

func liveRegionServers(t *testing.T, h *HBase) int {
	t.Helper()
	conn, _, err := zk.Connect(h.ZooKeeper(), 10*time.Second, zk.WithLogInfo(false))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	rs, _, err := conn.Children("/hbase/rs")
	if err != nil {
		t.Fatal(err)
	}
	return len(rs)
}

func checkGone(t *testing.T, parent, address string, procs []*Process) {
	t.Helper()
	left, err := os.ReadDir(parent)
	if err != nil || len(left) > 0 {
		t.Errorf("work folder after Stop holds %v (%v), want nothing", left, err)
	}
	if c, err := net.DialTimeout("tcp", address, time.Second); err == nil {
		_ = c.Close()
		t.Errorf("%s still answers after Stop", address)
	}
	for _, p := range procs {
		if p.Alive() {
			t.Errorf("%s is alive after Stop", p.Name())
		}
		if _, err := os.Stat("/proc/" + strconv.Itoa(p.Pid())); err == nil {
			t.Errorf("%s (pid %d) is still in the process table", p.Name(), p.Pid())
		}
	}
}
