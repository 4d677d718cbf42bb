package proxy

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func hello(proto Protocol) []byte {
	switch proto {
	case HBase:
		return hbaseHello()
	case ZooKeeper:
		return zkHello()
	case Kafka:
		return kafkaCall(0, 18, nil)
	}
	return []byte("\x16\x03\x01 no frames")
}

func TestSniff(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		want Protocol
	}{
		"hbase":                {hbaseHello(), HBase},
		"hbase with kerberos":  {[]byte("HBas\x00\x51more"), Bytes},
		"zookeeper":            {zkHello(), ZooKeeper},
		"zookeeper, old":       {withLength(make([]byte, zkConnect)), ZooKeeper},
		"zookeeper, four word": {[]byte("ruok\n\n\n\n"), Bytes},
		"kafka":                {kafkaCall(1, 18, []byte("client")), Kafka},
		"kafka, unknown api":   {kafkaCall(1, 250, []byte("client")), Bytes},
		"TLS":                  {[]byte("\x16\x03\x01\x02\x00\x01\x00\x01"), Bytes},
		"short and over":       {[]byte("ab"), Bytes},
	} {
		if got, _ := sniff(bufio.NewReader(bytes.NewReader(c.data))); got != c.want {
			t.Errorf("%s: taken for %s, want %s", name, got, c.want)
		}
	}
}

func TestHeaders(t *testing.T) {
	read := func(proto Protocol, data ...[]byte) []frame {
		r := &reader{in: bufio.NewReader(bytes.NewReader(slices.Concat(data...))), proto: proto, request: true}
		var out []frame
		for {
			f, err := r.next()
			if err == io.EOF && len(f.data) == 0 {
				return out
			}
			if out = append(out, f); err != nil {
				return out
			}
		}
	}
	check := func(name string, f frame, id int64, method string, lone bool) {
		t.Helper()
		if f.id != id || f.method != method || f.lone != lone {
			t.Errorf("%s: read as %q with id %d, lone %v; want %q with %d, %v", name, f.method, f.id, f.lone, method, id, lone)
		}
	}
	h := read(HBase, hbaseHello(), hbaseCall(1<<30, "Multi", []byte("cells")))
	check("hbase's first bytes", h[0], 0, "connection header", false)
	check("a call of hbase", h[1], 1<<30, "Multi", true)
	k := read(Kafka, kafkaCall(7, 0, nil), kafkaCall(8, 1, []byte("x")))
	check("a request of kafka", k[0], 7, "Produce", false)
	check("a request of kafka", k[1], 8, "Fetch", false)
	z := read(ZooKeeper, zkHello(), zkCall(-2, 11), zkCall(5, 4))
	check("zookeeper's first request", z[0], 0, "connect", false)
	check("a ping", z[1], -2, "ping", false)
	check("a read", z[2], 5, "getData", false)
	broken := append([]byte(nil), h[1].data[:20]...)
	if f := read(HBase, hbaseHello(), broken); len(f) != 2 || !bytes.Equal(f[1].data, broken) {
		t.Errorf("a frame that breaks off came out as %v, want its bytes", f)
	}
	huge := append([]byte{0xff, 0xff, 0xff, 0xff}, bytes.Repeat([]byte("a"), 100)...)
	if f := read(Kafka, kafkaCall(7, 0, nil), huge); len(f) != 2 || !bytes.Equal(f[1].data, huge) {
		t.Errorf("what is no frame came out as %d pieces, want it as bytes", len(f))
	}
}

// TestEveryByteArrives sends frames of all sizes through, plain and with
// faults that lose nothing, and compares what arrives on both sides.
func TestEveryByteArrives(t *testing.T) {
	t.Parallel()
	for name, rates := range map[string]map[Fault]float64{
		"plain": nil, "slow": {Slow: 1}, "late": {Delay: 1}, "mixed": {Slow: 0.2, Delay: 0.3},
	} {
		for _, proto := range []Protocol{HBase, Kafka, ZooKeeper, Bytes} {
			t.Run(name+"/"+string(proto), func(t *testing.T) {
				t.Parallel()
				p, _ := start(t, Options{Seed: 7, DelayMin: time.Millisecond, DelayMax: 20 * time.Millisecond})
				e := startEcho(t, proto)
				if err := p.Set(rates); err != nil {
					t.Fatal(err)
				}
				c := dial(t, p, e.addr)
				r := rand.New(rand.NewPCG(1, 2))
				sent := [][]byte{hello(proto)}
				for i := 1; i <= 20; i++ {
					payload := make([]byte, r.IntN(1<<r.IntN(17)))
					for j := range payload {
						payload[j] = byte(r.Uint32())
					}
					switch proto {
					case HBase:
						sent = append(sent, hbaseCall(i, "Multi", payload))
					case Kafka:
						sent = append(sent, kafkaCall(i, 1, payload))
					case ZooKeeper:
						sent = append(sent, append(zkCall(i, 5), payload...)[:len(zkCall(i, 5))])
					case Bytes:
						sent = append(sent, payload)
					}
				}
				go func() { send(t, c, sent...) }()
				all := slices.Concat(sent...)
				if proto == Bytes {
					back := make([]byte, len(all))
					if _, err := io.ReadFull(answers(t, c, proto).in, back); err != nil || !bytes.Equal(back, all) {
						t.Errorf("what came back differs (%v)", err)
					}
					return
				}
				n := len(sent)
				if proto == HBase {
					n-- // the first has no answer
				}
				ids := receive(t, answers(t, c, proto), n)
				if slices.Sort(ids); proto == HBase && ids[0] != 1 || ids[n-1] != 20 || len(slices.Compact(ids)) != n {
					t.Errorf("answers to %v, want one for each request", ids)
				}
				e.mu.Lock()
				defer e.mu.Unlock()
				if proto == HBase && rates[Delay] > 0 {
					slices.SortFunc(e.raw, bytes.Compare)
					slices.SortFunc(sent, bytes.Compare)
				}
				if !bytes.Equal(slices.Concat(e.raw...), slices.Concat(sent...)) {
					t.Error("the server got other bytes than were sent")
				}
			})
		}
	}
}
