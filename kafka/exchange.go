package kafka

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// anyBroker is the broker id of requests that every broker answers.
const anyBroker int32 = -1

// exchange is one request and its answer on a raw connection of kafka-go's pool: kafka-go routes and dials,
// kmsg encodes. An error of RawExchange makes kafka-go close the connection, so every doubt about where the
// answer ends is an error.
type exchange struct {
	ctx      context.Context
	broker   int32
	clientID string
	req      kmsg.Request
	idle     time.Duration // longest wait for the next bytes of the answer
	limit    int           // size of the answer in bytes
	lender   *pool[byte]   // where the buffer of the answer is from; nil: it is not used again

	resp kmsg.Response
	buf  []byte // what resp has its bytes in
}

// free gives the buffer back, and with it all bytes of the answer. Only who has got the answer may: after an error the
// connection may still be writing to it.
func (e *exchange) free() {
	e.lender.put(e.buf)
	e.resp, e.buf = nil, nil
}

var correlation atomic.Int32

var (
	_ protocol.RawExchanger  = (*exchange)(nil)
	_ protocol.BrokerMessage = (*exchange)(nil)
)

func (e *exchange) ApiKey() protocol.ApiKey { return protocol.ApiKey(e.req.Key()) }

func (e *exchange) Broker(protocol.Cluster) (protocol.Broker, error) {
	return protocol.Broker{ID: e.broker}, nil
}

func (e *exchange) Required(map[protocol.ApiKey]int16) bool { return true }

type deadliner interface{ SetDeadline(time.Time) error }

func (e *exchange) RawExchange(rw io.ReadWriter) (protocol.Message, error) {
	d, ok := rw.(deadliner)
	if !ok {
		return nil, errors.New("exchanging with a kafka broker: the connection takes no deadline")
	}
	// kafka-go takes only the deadline of a context to the connection; this ends a cancelled wait at once.
	stop := context.AfterFunc(e.ctx, func() { _ = d.SetDeadline(time.Unix(1, 0)) })
	err := e.exchange(rw, d)
	if !stop() {
		// The past deadline may still be on its way to the connection: it can't be used again.
		if err == nil {
			err = context.Cause(e.ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

func (e *exchange) exchange(rw io.ReadWriter, d deadliner) error {
	extend := func() error {
		if err := e.ctx.Err(); err != nil {
			return err
		}
		return d.SetDeadline(time.Now().Add(e.idle))
	}
	if err := extend(); err != nil {
		return err
	}
	id := correlation.Add(1)
	f := kmsg.NewRequestFormatter(kmsg.FormatterClientID(e.clientID))
	if _, err := rw.Write(f.AppendRequest(nil, e.req, id)); err != nil {
		return err
	}
	var size [4]byte
	if _, err := io.ReadFull(rw, size[:]); err != nil {
		return err
	}
	n := int64(int32(binary.BigEndian.Uint32(size[:])))
	if n < 4 || n > int64(e.limit) {
		return fmt.Errorf("reading an answer of %d bytes: the limit is %d", n, e.limit)
	}
	buf := e.lender.get(int(n))[:n]
	for at := 0; at < len(buf); {
		// A large answer over a slow line is fine as long as bytes keep coming.
		if err := extend(); err != nil {
			return err
		}
		part := buf[at:min(at+1<<20, len(buf))]
		if _, err := io.ReadFull(rw, part); err != nil {
			return err
		}
		at += len(part)
	}
	return e.decode(buf, id)
}

func (e *exchange) decode(buf []byte, id int32) error {
	e.buf = buf
	if got := int32(binary.BigEndian.Uint32(buf)); got != id {
		return fmt.Errorf("matching an answer to its request: its correlation id is %d, not %d", got, id)
	}
	buf = buf[4:]
	resp := e.req.ResponseKind()
	if resp.IsFlexible() && e.req.Key() != keyAPIVersions {
		var err error
		if buf, err = skipTags(buf); err != nil {
			return err
		}
	}
	if err := resp.ReadFrom(buf); err != nil {
		return fmt.Errorf("decoding the answer to request %d version %d: %w", e.req.Key(), e.req.GetVersion(), err)
	}
	e.resp = resp
	return nil
}

// skipTags passes the tagged fields that end a flexible response header.
func skipTags(buf []byte) ([]byte, error) {
	errShort := errors.New("decoding a response header: it is cut short")
	next := func() (uint64, bool) {
		v, n := binary.Uvarint(buf)
		if n <= 0 {
			return 0, false
		}
		buf = buf[n:]
		return v, true
	}
	tags, ok := next()
	for ; ok && tags > 0; tags-- {
		if _, ok = next(); !ok {
			break
		}
		var size uint64
		if size, ok = next(); !ok || size > uint64(len(buf)) {
			return nil, errShort
		}
		buf = buf[size:]
	}
	if !ok {
		return nil, errShort
	}
	return buf, nil
}
