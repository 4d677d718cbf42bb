package proxy

import (
	"bufio"
	"encoding/binary"
	"io"
)

const (
	// maxFrame is above all limits of the services; longer ones are not frames.
	maxFrame   = 512 << 20
	pieceBytes = 32 << 10
)

// frame is what moves in one piece, its length field included.
type frame struct {
	data   []byte
	method string // empty in answers
	id     int64
	// lone says that the frame may be lost, doubled or overtaken alone.
	lone bool
	// call says that an answer with its id belongs to it.
	call bool
}

// reader cuts one direction of a connection into frames. After the first thing
// that is no frame it passes on bytes as they come.
type reader struct {
	in      *bufio.Reader
	proto   Protocol
	request bool
	begun   bool // the first request was seen
}

// next returns the next frame. On an error it may return what came of it.
func (r *reader) next() (frame, error) {
	if r.proto == HBase && r.request && !r.begun {
		return r.hbaseBegin()
	}
	if r.proto == Bytes {
		return r.piece()
	}
	data, err := r.lengthFrame(4)
	if err != nil || r.proto == Bytes {
		return frame{data: data}, err
	}
	f := frame{data: data}
	switch r.proto {
	case HBase:
		f.id, f.method = hbaseHeader(data[4:], r.request)
		f.lone, f.call = true, r.request
	case Kafka:
		f.id, f.method = kafkaHeader(data[4:], r.request)
		f.call = r.request
	case ZooKeeper:
		f.id, f.method = zkHeader(data[4:], r.request, !r.begun)
		f.call = r.request
	}
	r.begun = true
	return f, nil
}

// hbaseBegin takes the preamble and the connection header as one frame.
func (r *reader) hbaseBegin() (frame, error) {
	r.begun = true
	data, err := r.lengthFrame(hbasePreamble + 4)
	return frame{data: data, method: "connection header"}, err
}

// lengthFrame reads a frame whose length stands in the last 4 of its first n bytes.
func (r *reader) lengthFrame(n int) ([]byte, error) {
	head, err := r.in.Peek(n)
	if err != nil {
		return r.rest(len(head), err)
	}
	size := binary.BigEndian.Uint32(head[n-4:])
	if size > maxFrame {
		r.proto = Bytes
		f, err := r.piece()
		return f.data, err
	}
	data := make([]byte, n+int(size))
	got, err := io.ReadFull(r.in, data)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return data[:got], err
}

// rest gives what came before the error.
func (r *reader) rest(n int, err error) ([]byte, error) {
	b := make([]byte, n)
	got, _ := io.ReadFull(r.in, b) // these bytes are there
	return b[:got], err
}

func (r *reader) piece() (frame, error) {
	b := make([]byte, pieceBytes)
	n, err := r.in.Read(b)
	return frame{data: b[:n]}, err
}

// sniff tells from a client's first bytes what it speaks. It waits for as many
// as it needs.
func sniff(in *bufio.Reader) (Protocol, error) {
	head, err := in.Peek(4)
	if err != nil {
		return Bytes, err
	}
	if string(head) == hbaseMagic {
		if head, err = in.Peek(hbasePreamble); err != nil {
			return Bytes, err
		}
		if head[4] == 0 && head[5] == hbaseSimple {
			return HBase, nil
		}
		return Bytes, nil
	}
	size := binary.BigEndian.Uint32(head)
	if size < 8 || size > maxFrame {
		return Bytes, nil
	}
	if head, err = in.Peek(8); err != nil {
		return Bytes, err
	}
	first := binary.BigEndian.Uint32(head[4:])
	if first == 0 && (size == zkConnect || size == zkConnect+1) {
		return ZooKeeper, nil
	}
	if size < kafkaFirstBytes && kafkaFirst(first) {
		return Kafka, nil
	}
	return Bytes, nil
}
