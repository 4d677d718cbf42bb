package work

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// sendFrames sends each, waits for its answer, and has it judged.
func sendFrames(ctx context.Context, addr string, frames [][]byte, judge func([]byte) error) error {
	if len(frames) == 0 {
		return nil
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	hello, err := proto.Marshal(&pb.ConnectionHeader{
		UserInfo: &pb.UserInformation{EffectiveUser: proto.String("bench")}, ServiceName: proto.String("ClientService"),
		CellBlockCodecClass: proto.String("org.apache.hadoop.hbase.codec.KeyValueCodec"),
	})
	if err != nil {
		return err
	}
	// 0x50: simple authentication, which believes the name.
	begin := binary.BigEndian.AppendUint32([]byte{'H', 'B', 'a', 's', 0, 0x50}, uint32(len(hello)))
	if _, err := conn.Write(append(begin, hello...)); err != nil {
		return err
	}
	in := bufio.NewReader(conn)
	for _, f := range frames {
		if _, err := conn.Write(f); err != nil {
			return err
		}
		answer, err := readAnswer(in)
		if err != nil {
			return err
		}
		if err := judge(answer); err != nil {
			return err
		}
	}
	return nil
}

var (
	errCut     = errors.New("the answer is cut short")
	errRefused = errors.New("the server says that a condition did not hold")
)

// readAnswer reads one answer, which must not be an exception.
func readAnswer(in io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(in, size[:]); err != nil {
		return nil, err
	}
	b := make([]byte, binary.BigEndian.Uint32(size[:]))
	if _, err := io.ReadFull(in, b); err != nil {
		return nil, err
	}
	raw, n := protowire.ConsumeBytes(b)
	if n < 0 {
		return nil, errCut
	}
	var h pb.ResponseHeader
	if err := proto.Unmarshal(raw, &h); err != nil {
		return nil, err
	}
	if h.Exception != nil {
		return nil, fmt.Errorf("the server answers %s", h.Exception.GetExceptionClassName())
	}
	if raw, n = protowire.ConsumeBytes(b[n:]); n < 0 {
		return nil, errCut
	}
	return raw, nil
}

// readPuts demands that no row failed.
func readPuts(raw []byte) error { return readMulti(raw, false) }

// readRows demands that every condition held as well.
func readRows(raw []byte) error { return readMulti(raw, true) }

func readMulti(raw []byte, conditional bool) error {
	var m pb.MultiResponse
	if err := proto.Unmarshal(raw, &m); err != nil {
		return err
	}
	for _, res := range m.RegionActionResult {
		if res.Exception != nil {
			return fmt.Errorf("the server answers %s for a region", res.Exception.GetName())
		}
		for _, one := range res.ResultOrException {
			if one.Exception != nil {
				return fmt.Errorf("the server answers %s for a row", one.Exception.GetName())
			}
		}
		if conditional && !res.GetProcessed() {
			return errRefused
		}
	}
	return nil
}

// readTransaction demands that the conditions held.
func readTransaction(raw []byte) error {
	var r pb.CoprocessorServiceResponse
	var m pb.MutateRowsResponse
	if err := proto.Unmarshal(raw, &r); err != nil {
		return err
	}
	if err := proto.Unmarshal(r.GetValue().GetValue(), &m); err != nil {
		return err
	}
	if !m.GetProcessed() {
		return errRefused
	}
	return nil
}
