package live

import (
	"encoding/binary"
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// maxFrame is the largest frame taken for one.
const maxFrame = 64 << 20

// cut takes the first whole frame, its length included, off the bytes. ok is false while it is not all there.
func cut(b []byte) (frame, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, b, false
	}
	n := int(binary.BigEndian.Uint32(b)) + 4
	if n > maxFrame || len(b) < n {
		return nil, b, false
	}
	return b[:n:n], b[n:], true
}

// protocol reads requests and answers of one kind of server.
type protocol interface {
	// hello is the length of what is sent before the first frame, as far as b, its beginning, tells; 0: unknown yet.
	hello(b []byte) int
	request(frame []byte, t *teller) (id uint32, effect string, err error)
	answer(frame []byte) (id uint32, err error)
}

// hbaseProtocol is HBase's RPC.
type hbaseProtocol struct{}

func (hbaseProtocol) hello(b []byte) int {
	if len(b) < 10 {
		return 0
	}
	return 10 + int(binary.BigEndian.Uint32(b[6:]))
}

func (hbaseProtocol) request(frame []byte, t *teller) (uint32, string, error) {
	raw, n := protowire.ConsumeBytes(frame[4:])
	if n < 0 {
		return 0, "", errors.New("no header in a request to HBase")
	}
	var h pb.RequestHeader
	if err := proto.Unmarshal(raw, &h); err != nil {
		return 0, "", fmt.Errorf("reading the header of a request to HBase: %w", err)
	}
	param, m := protowire.ConsumeBytes(frame[4+n:])
	if m < 0 {
		return 0, "", errors.New("no parameter in a request to HBase")
	}
	effect, err := t.hbase(h.GetMethodName(), param)
	return h.GetCallId(), effect, err
}

func (hbaseProtocol) answer(frame []byte) (uint32, error) {
	raw, n := protowire.ConsumeBytes(frame[4:])
	if n < 0 {
		return 0, errors.New("no header in an answer of HBase")
	}
	var h pb.ResponseHeader
	if err := proto.Unmarshal(raw, &h); err != nil {
		return 0, fmt.Errorf("reading the header of an answer of HBase: %w", err)
	}
	return h.GetCallId(), nil
}

// kafkaProtocol is Kafka's.
type kafkaProtocol struct{}

func (kafkaProtocol) hello([]byte) int { return -1 }

func (kafkaProtocol) request(frame []byte, t *teller) (uint32, string, error) {
	if len(frame) < 12 {
		return 0, "", errors.New("a request to Kafka without a header")
	}
	key := int16(binary.BigEndian.Uint16(frame[4:]))
	return binary.BigEndian.Uint32(frame[8:]), t.kafka(key), nil
}

func (kafkaProtocol) answer(frame []byte) (uint32, error) {
	if len(frame) < 8 {
		return 0, errors.New("an answer of Kafka without a header")
	}
	return binary.BigEndian.Uint32(frame[4:]), nil
}
