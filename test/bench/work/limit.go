package work

import (
	"context"
	"encoding/binary"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rowmark/hbase"
	"rowmark/hbase/pb"
)

// limits are the calls of a way: how many rows of one region a frame holds, and how it is made.
var limits = map[string]struct {
	rows int
	make func(r *hbase.Region, rows []int, k Kind) ([]byte, error)
	read func(answer []byte) error
}{
	"plain":  {2000, putsFrame, readPuts},
	"marked": {2000, putsFrame, readPuts},
	"region": {2000, transactionFrame, readTransaction},
	"row":    {100, rowsFrame, readRows},
}

// limit measures what the servers take from a client that only sends: frames made before the clock starts, one at a time
// on each of several connections to a server.
func (p *peer) limit(ctx context.Context, o Order) (Answer, error) {
	var rows, writers int
	if err := o.numbers(map[string]*int{"rows": &rows, "writers": &writers}); err != nil {
		return nil, err
	}
	c, err := p.open(ctx, o.Args["zookeeper"])
	if err != nil {
		return nil, err
	}
	regions, err := c.Regions(ctx, o.Args["table"])
	if err != nil {
		return nil, err
	}
	how := o.Args["how"]
	if _, ok := limits[how]; !ok {
		return nil, fmt.Errorf("sending frames: there is no limit of the way %q", how)
	}
	frames, err := limitFrames(regions, rows, how)
	if err != nil {
		return nil, err
	}
	var jobs []job
	for addr, all := range frames {
		for w := range writers {
			j := job{addr: addr}
			for i := w; i < len(all); i += writers {
				j.frames = append(j.frames, all[i])
			}
			jobs = append(jobs, j)
		}
	}
	return timed(func() error {
		return shared(ctx, len(jobs), 1, len(jobs), func(ctx context.Context, i, _ int) error {
			if err := sendFrames(ctx, jobs[i].addr, jobs[i].frames, limits[how].read); err != nil {
				return fmt.Errorf("sending frames to %s: %w", jobs[i].addr, err)
			}
			return nil
		})
	})
}

// job is what goes over one connection.
type job struct {
	addr   string
	frames [][]byte
}

// limitFrames makes the calls for the rows, by server.
func limitFrames(regions []hbase.Region, rows int, how string) (map[string][][]byte, error) {
	parts := make([][]int, len(regions))
	for i := range rows {
		key := Key(i)
		for r := range regions {
			if regions[r].Contains(key) {
				parts[r] = append(parts[r], i)
				break
			}
		}
	}
	out, calls := map[string][][]byte{}, limits[how]
	for r := range regions {
		for len(parts[r]) > 0 {
			n := min(calls.rows, len(parts[r]))
			f, err := calls.make(&regions[r], parts[r][:n], KindOf(how))
			if err != nil {
				return nil, err
			}
			parts[r] = parts[r][n:]
			out[regions[r].Addr] = append(out[regions[r].Addr], f)
		}
	}
	return out, nil
}

// putsFrame is a Multi with one RegionAction, the cells behind it: one WAL entry, one sync.
func putsFrame(r *hbase.Region, rows []int, k Kind) ([]byte, error) {
	action := &pb.RegionAction{Region: specifier(r)}
	var block []byte
	for i, row := range rows {
		w := Row(row, k)
		cells := w.Mutations[0].Cells
		action.Action = append(action.Action, &pb.Action{Index: proto.Uint32(uint32(i)), Mutation: &pb.MutationProto{
			Row: w.Row, MutateType: pb.MutationProto_PUT.Enum(), Durability: pb.MutationProto_SYNC_WAL.Enum(),
			AssociatedCellCount: proto.Int32(int32(len(cells))),
		}})
		for _, c := range cells {
			block = appendKeyValue(block, w.Row, c.In(w.Row))
		}
	}
	return frame(header("Multi", len(block)), &pb.MultiRequest{RegionAction: []*pb.RegionAction{action}}, block)
}

// frame puts length, header, parameter and cells together.
func frame(header, param proto.Message, block []byte) ([]byte, error) {
	h, err := proto.Marshal(header)
	if err != nil {
		return nil, fmt.Errorf("encoding a call's header: %w", err)
	}
	m, err := proto.Marshal(param)
	if err != nil {
		return nil, fmt.Errorf("encoding a call: %w", err)
	}
	b := protowire.AppendBytes(make([]byte, 4, len(h)+len(m)+len(block)+16), h)
	b = append(protowire.AppendBytes(b, m), block...)
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	return b, nil
}

// appendKeyValue adds a cell as KeyValueCodec lays it out.
func appendKeyValue(b, row []byte, c hbase.Cell) []byte {
	head := binary.BigEndian.AppendUint16(nil, uint16(len(row)))
	head = append(append(head, row...), byte(len(c.Family)))
	head = append(append(head, c.Family...), c.Qualifier...)
	head = append(binary.BigEndian.AppendUint64(head, uint64(c.Timestamp)), byte(c.Type))
	for _, n := range []int{8 + len(head) + len(c.Value), len(head), len(c.Value)} {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	return append(append(b, head...), c.Value...)
}
