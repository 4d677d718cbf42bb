package proxy

import (
	"encoding/binary"

	"github.com/twmb/franz-go/pkg/kmsg"
	"google.golang.org/protobuf/encoding/protowire"
)

const (
	hbaseMagic    = "HBas"
	hbasePreamble = 6    // magic, version, kind of authentication
	hbaseSimple   = 0x50 // any other kind goes on with an exchange of its own
	// A client of kafka asks for versions first. The first bytes of TLS, taken
	// for a length, are far above this.
	kafkaFirstBytes = 1 << 20
	zkConnect       = 44 // length of the first request, by one more with its read-only flag
)

// hbaseHeader reads the call id and, of a request, the method from the header
// message that begins a frame. A frame that can't be read has id -1.
func hbaseHeader(b []byte, request bool) (id int64, method string) {
	header, n := protowire.ConsumeBytes(b)
	if n < 0 {
		return -1, ""
	}
	for len(header) > 0 {
		num, typ, n := protowire.ConsumeTag(header)
		if n < 0 {
			return -1, ""
		}
		header = header[n:]
		switch {
		case num == 1 && typ == protowire.VarintType:
			v, n := protowire.ConsumeVarint(header)
			if n < 0 {
				return -1, ""
			}
			id, header = int64(v), header[n:]
		case num == 3 && typ == protowire.BytesType && request:
			v, n := protowire.ConsumeBytes(header)
			if n < 0 {
				return -1, ""
			}
			method, header = string(v), header[n:]
		default:
			n := protowire.ConsumeFieldValue(num, typ, header)
			if n < 0 {
				return -1, ""
			}
			header = header[n:]
		}
	}
	return id, method
}

// kafkaFirst says whether these may be the API and version of a first request.
func kafkaFirst(word uint32) bool {
	key, version := word>>16, word&0xffff
	return key < 256 && version < 64 && kmsg.NameForKey(int16(key)) != "Unknown"
}

func kafkaHeader(b []byte, request bool) (id int64, method string) {
	if !request {
		if len(b) < 4 {
			return -1, ""
		}
		return int64(binary.BigEndian.Uint32(b)), ""
	}
	if len(b) < 8 {
		return -1, ""
	}
	return int64(binary.BigEndian.Uint32(b[4:])), kmsg.NameForKey(int16(binary.BigEndian.Uint16(b)))
}

var zkOps = map[int32]string{
	-11: "closeSession", 1: "create", 2: "delete", 3: "exists", 4: "getData", 5: "setData", 6: "getACL", 7: "setACL",
	8: "getChildren", 9: "sync", 11: "ping", 12: "getChildren2", 13: "check", 14: "multi", 15: "create2",
	16: "reconfig", 100: "setAuth", 101: "setWatches", 105: "setWatches2",
}

// zkHeader reads the xid, and of a request the operation. The exchange that
// opens the session has none: its first word is a version, 0 on both sides,
// which serves as its id.
func zkHeader(b []byte, request, first bool) (id int64, method string) {
	if len(b) < 4 {
		return -1, ""
	}
	id = int64(int32(binary.BigEndian.Uint32(b)))
	switch {
	case request && first:
		return id, "connect"
	case request && len(b) >= 8:
		return id, zkOps[int32(binary.BigEndian.Uint32(b[4:]))]
	}
	return id, ""
}
