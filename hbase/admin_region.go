package hbase

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// MoveRegion gives a region to the region server at dest, "host:port" or "host,port,startcode" as Servers names it, or
// if dest is empty to another one of the master's choice, and waits until it is served there.
func (a *Admin) MoveRegion(ctx context.Context, region Region, dest string) error {
	encoded := []byte(region.EncodedName())
	req := &pb.MoveRegionRequest{Region: &pb.RegionSpecifier{Type: pb.RegionSpecifier_ENCODED_REGION_NAME.Enum(), Value: encoded}}
	if dest != "" {
		sn, err := a.serverName(ctx, dest)
		if err != nil {
			return fmt.Errorf("moving region %s: %w", encoded, err)
		}
		req.DestServerName = sn
		dest = joinHostPort(sn.GetHostName(), sn.GetPort())
	}
	// This call has no nonce, but moving to where a region is already does nothing.
	if err := a.call(ctx, "MoveRegion", req, &pb.MoveRegionResponse{}); err != nil {
		return fmt.Errorf("moving region %s of %s to %s: %w", encoded, region.Table, dest, err)
	}
	return a.poll(ctx, fmt.Sprintf("region %s of %s to be served by %s", encoded, region.Table, dest), func() (bool, error) {
		now, err := a.regionNow(ctx, &region)
		return now != nil && now.Addr != "" && (dest == "" || now.Addr == dest) && a.serves(ctx, now), err
	})
}

// serverName finds a live region server.
func (a *Admin) serverName(ctx context.Context, dest string) (*pb.ServerName, error) {
	names, err := a.c.Servers(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		f := strings.Split(name, ",")
		if len(f) != 3 || dest != name && dest != f[0]+":"+f[1] {
			continue
		}
		port, err1 := strconv.ParseUint(f[1], 10, 16)
		start, err2 := strconv.ParseUint(f[2], 10, 64)
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("reading the server's name %q: it is not host,port,startcode", name)
		}
		return &pb.ServerName{HostName: &f[0], Port: proto.Uint32(uint32(port)), StartCode: &start}, nil
	}
	return nil, fmt.Errorf("no live region server is at %s (there are %s)", dest, strings.Join(names, " "))
}

// regionNow reads from hbase:meta where a region is; nil when it is gone, by a split or with its table.
func (a *Admin) regionNow(ctx context.Context, r *Region) (*Region, error) {
	all, err := a.c.Regions(ctx, r.Table)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if string(all[i].Name) == string(r.Name) {
			return &all[i], nil
		}
	}
	return nil, nil
}

// serves asks a region's server whether it has the region open.
func (a *Admin) serves(ctx context.Context, r *Region) bool {
	_, err := a.compactionState(ctx, r)
	return err == nil
}

// SplitRegion cuts a region in two at a row key inside it and waits until both daughters are served.
func (a *Admin) SplitRegion(ctx context.Context, region Region, at []byte) error {
	if !region.Contains(at) || string(at) == string(region.Start) {
		return fmt.Errorf("splitting region %s of %s: key %x is not inside it", region.EncodedName(), region.Table, at)
	}
	n := newNonce()
	req := &pb.SplitTableRegionRequest{
		RegionInfo: &pb.RegionInfo{
			RegionId: &region.ID, TableName: tableName(region.Table), StartKey: region.Start, EndKey: region.End,
			Offline: proto.Bool(false), Split: proto.Bool(false), ReplicaId: proto.Int32(0),
		},
		SplitRow: at, NonceGroup: n.group, Nonce: n.id,
	}
	served := func() (bool, error) {
		all, err := a.c.Regions(ctx, region.Table)
		if err != nil {
			return false, err
		}
		found := 0
		for i := range all {
			if string(all[i].End) == string(at) || string(all[i].Start) == string(at) {
				if !a.serves(ctx, &all[i]) {
					return false, nil
				}
				found++
			}
		}
		return found == 2, nil
	}
	err := a.run(ctx, "SplitRegion", req, &pb.SplitTableRegionResponse{}, served)
	if err == nil {
		err = a.poll(ctx, "the daughters to be served", served)
	}
	if err != nil {
		return fmt.Errorf("splitting region %s of %s at %x: %w", region.EncodedName(), region.Table, at, err)
	}
	return nil
}

// onServer asks the region's server something about the region, wherever the region goes meanwhile.
func (a *Admin) onServer(ctx context.Context, region *Region, method string, req func(*pb.RegionSpecifier) proto.Message, resp proto.Message) error {
	now := *region
	return a.c.retry(ctx, method+" of region "+region.EncodedName()+" of "+region.Table, func(ctx context.Context) error {
		err := a.c.callServer(ctx, now.Addr, adminService, method, req(now.specifier()), resp)
		if err == nil || !passing(err) {
			return err
		}
		r, rerr := a.regionNow(ctx, &now)
		if rerr != nil {
			return rerr
		}
		if r == nil {
			return &Error{Fault: FaultTable, Err: fmt.Errorf("looking for the region: it is gone, by a split, a merge or with its table (%w)", err)}
		}
		now = *r
		return err
	})
}

// FlushRegion writes a region's memory to files.
func (a *Admin) FlushRegion(ctx context.Context, region Region) error {
	return a.onServer(ctx, &region, "FlushRegion", func(s *pb.RegionSpecifier) proto.Message {
		return &pb.FlushRegionRequest{Region: s}
	}, &pb.FlushRegionResponse{})
}

// FlushTable writes the memory of all regions of a table to files.
func (a *Admin) FlushTable(ctx context.Context, table string) error {
	return a.eachRegion(ctx, table, a.FlushRegion)
}

// CompactRegion merges the files of a region, or with a family named of that family, and waits until the server says
// that no compaction of the region is going on. A major one reads all files and drops what is deleted or expired.
func (a *Admin) CompactRegion(ctx context.Context, region Region, family string, major bool) error {
	err := a.onServer(ctx, &region, "CompactRegion", func(s *pb.RegionSpecifier) proto.Message {
		req := &pb.CompactRegionRequest{Region: s, Major: &major}
		if family != "" {
			req.Family = []byte(family)
		}
		return req
	}, &pb.CompactRegionResponse{})
	if err != nil {
		return err
	}
	// The server counts a compaction as going on from before it answers the request until it has swapped the files.
	what := fmt.Sprintf("the compaction of region %s of %s", region.EncodedName(), region.Table)
	return a.poll(ctx, what, func() (bool, error) {
		s, err := a.compactionState(ctx, &region)
		return err == nil && s == pb.GetRegionInfoResponse_NONE, err
	})
}

// CompactTable compacts all regions of a table.
func (a *Admin) CompactTable(ctx context.Context, table string, major bool) error {
	return a.eachRegion(ctx, table, func(ctx context.Context, r Region) error { return a.CompactRegion(ctx, r, "", major) })
}

func (a *Admin) eachRegion(ctx context.Context, table string, do func(context.Context, Region) error) error {
	regions, err := a.c.Regions(ctx, table)
	if err != nil {
		return err
	}
	for _, r := range regions {
		if err := do(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func (a *Admin) compactionState(ctx context.Context, region *Region) (pb.GetRegionInfoResponse_CompactionState, error) {
	var resp pb.GetRegionInfoResponse
	err := a.onServer(ctx, region, "GetRegionInfo", func(s *pb.RegionSpecifier) proto.Message {
		return &pb.GetRegionInfoRequest{Region: s, CompactionState: proto.Bool(true)}
	}, &resp)
	return resp.GetCompactionState(), err
}
