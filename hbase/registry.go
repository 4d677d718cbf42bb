package hbase

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/go-zookeeper/zk"
	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// registry reads from ZooKeeper where meta and the master are. Its session is kept, and made anew when it expires.
type registry struct {
	zk     *zk.Conn
	socket *zkSocket
	base   string
	// turn is held by the one reader at work: a read blocks while ZooKeeper is away, and must not pile up.
	turn chan struct{}
}

// silent drops the log lines of the ZooKeeper client: what matters comes back as errors.
type silent struct{}

func (silent) Printf(string, ...any) {}

func newRegistry(cfg *Config) (*registry, error) {
	socket := newZKSocket(cfg)
	hosts := zk.HostProvider(zk.NewDNSHostProvider())
	if cfg.DialZooKeeper != nil {
		hosts = &quorum{}
	}
	conn, _, err := zk.Connect(cfg.ZooKeeper, cfg.SessionTimeout, zk.WithLogger(silent{}), zk.WithLogInfo(false),
		zk.WithDialer(socket.open), zk.WithHostProvider(hosts))
	if err != nil {
		return nil, fmt.Errorf("connecting to zookeeper at %s: %w", strings.Join(cfg.ZooKeeper, ","), err)
	}
	return &registry{zk: conn, socket: socket, base: cfg.BaseZNode, turn: make(chan struct{}, 1)}, nil
}

func (r *registry) close() {
	r.zk.Close()
	r.socket.close()
}

// do runs one ZooKeeper read under ctx.
func (r *registry) do(ctx context.Context, node string, read func() error) error {
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return fmt.Errorf("reading znode %s: zookeeper does not answer: %w", node, ctx.Err())
	}
	done := make(chan error, 1)
	go func() {
		defer func() { <-r.turn }()
		done <- read()
	}()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("reading znode %s: %w", node, err)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("reading znode %s: zookeeper does not answer: %w", node, ctx.Err())
	}
}

// read gets one znode's message.
func (r *registry) read(ctx context.Context, name string, m proto.Message) error {
	node := path.Join(r.base, name)
	var raw []byte
	err := r.do(ctx, node, func() error {
		b, _, err := r.zk.Get(node)
		raw = b
		return err
	})
	if err != nil {
		if errors.Is(err, zk.ErrNoNode) {
			err = fmt.Errorf("%w (is zookeeper.znode.parent %s, and is HBase running?)", err, r.base)
		}
		return notSent(err)
	}
	if err := parseZNode(raw, m); err != nil {
		return notSent(fmt.Errorf("reading znode %s: %w", node, err))
	}
	return nil
}

// parseZNode skips the id that the writer may have put in front, and the magic.
func parseZNode(b []byte, m proto.Message) error {
	if len(b) > 0 && b[0] == 0xff {
		if len(b) < 5 {
			return errors.New("value ends inside its id's length")
		}
		n := uint64(binary.BigEndian.Uint32(b[1:]))
		if n > uint64(len(b)-5) {
			return errors.New("value ends inside its id")
		}
		b = b[5+n:]
	}
	return parsePBUF(b, m)
}

var pbufMagic = []byte("PBUF")

// parsePBUF reads a message that HBase stored with its magic in front, in ZooKeeper and in hbase:meta.
func parsePBUF(b []byte, m proto.Message) error {
	b, ok := bytes.CutPrefix(b, pbufMagic)
	if !ok {
		return errors.New("value lacks the magic PBUF")
	}
	return proto.Unmarshal(b, m)
}

func (r *registry) clusterID(ctx context.Context) (string, error) {
	var m pb.ClusterId
	err := r.read(ctx, "hbaseid", &m)
	return m.GetClusterId(), err
}

func (r *registry) metaServer(ctx context.Context) (*pb.ServerName, error) {
	var m pb.MetaRegionServer
	if err := r.read(ctx, "meta-region-server", &m); err != nil {
		return nil, err
	}
	const open = 3
	if m.State != nil && m.GetState() != open {
		return nil, &Error{Fault: FaultRelocate, Err: errors.New("locating hbase:meta: it is in transition")}
	}
	return m.Server, nil
}

func (r *registry) master(ctx context.Context) (*pb.ServerName, error) {
	var m pb.Master
	err := r.read(ctx, "master", &m)
	return m.Master, err
}

// servers lists the live region servers, "host,port,startcode" each, sorted.
func (r *registry) servers(ctx context.Context) ([]string, error) {
	node := path.Join(r.base, "rs")
	var names []string
	err := r.do(ctx, node, func() error {
		children, _, err := r.zk.Children(node)
		names = children
		return err
	})
	if err != nil {
		return nil, notSent(err)
	}
	slices.Sort(names)
	return names, nil
}
