package hbase

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// FamilySettings are the attributes of a column family that decide what becomes of cells. The zero value of a field
// is what HBase takes when the attribute is absent, except for Versions, where 0 stands for that default, 1.
type FamilySettings struct {
	Versions    int
	MinVersions int
	// TTL is in seconds; 0 is for ever, which HBase writes as 2147483647.
	TTL int
	// NewVersionBehavior orders deletes and puts by their arrival and not by timestamp alone.
	NewVersionBehavior bool
	KeepDeletedCells   string // FALSE, TRUE or TTL; empty is FALSE
	BloomFilter        string // NONE, ROW or ROWCOL; empty is ROW
	DataBlockEncoding  string // NONE, FAST_DIFF and others; empty is NONE
	Compression        string // NONE, SNAPPY and others; empty is NONE
	ReplicationScope   int    // 0 local, 1 global
}

// Attribute keys of a column family.
const (
	familyVersions           = "VERSIONS"
	familyMinVersions        = "MIN_VERSIONS"
	familyTTL                = "TTL"
	familyNewVersionBehavior = "NEW_VERSION_BEHAVIOR"
	familyKeepDeletedCells   = "KEEP_DELETED_CELLS"
	familyBloomFilter        = "BLOOMFILTER"
	familyDataBlockEncoding  = "DATA_BLOCK_ENCODING"
	familyCompression        = "COMPRESSION"
	familyReplicationScope   = "REPLICATION_SCOPE"
)

// Settings reads the family's attributes, with HBase's defaults for those that are absent.
func (f *FamilySchema) Settings() (FamilySettings, error) {
	s, err := ParseFamilySettings(f.Attributes)
	if err != nil {
		return s, fmt.Errorf("reading the settings of family %s: %w", f.Name, err)
	}
	return s, nil
}

// ParseFamilySettings reads attributes as a table's description has them and fills in HBase's defaults.
func ParseFamilySettings(attributes map[string]string) (FamilySettings, error) {
	text := func(key, absent string) string {
		if v := attributes[key]; v != "" {
			return strings.ToUpper(v)
		}
		return absent
	}
	var firstErr error
	number := func(key string, absent, least int) int {
		v, ok := attributes[key]
		if !ok {
			return absent
		}
		n, err := strconv.Atoi(v)
		if (err != nil || n < least) && firstErr == nil {
			firstErr = fmt.Errorf("attribute %s is %q, want a number of at least %d", key, v, least)
		}
		return n
	}
	s := FamilySettings{
		Versions:          number(familyVersions, 1, 1),
		MinVersions:       number(familyMinVersions, 0, 0),
		TTL:               number(familyTTL, 0, 1),
		ReplicationScope:  number(familyReplicationScope, 0, 0),
		KeepDeletedCells:  text(familyKeepDeletedCells, "FALSE"),
		BloomFilter:       text(familyBloomFilter, "ROW"),
		DataBlockEncoding: text(familyDataBlockEncoding, "NONE"),
		Compression:       text(familyCompression, "NONE"),
		// Java's Boolean.parseBoolean: anything but true is false.
		NewVersionBehavior: strings.EqualFold(attributes[familyNewVersionBehavior], "true"),
	}
	if s.TTL == math.MaxInt32 {
		s.TTL = 0
	}
	return s, firstErr
}

// Attributes writes all settings out, defaults too, so that they don't hang on a server's own defaults.
func (s FamilySettings) Attributes() map[string]string {
	or := func(v, absent string) string {
		if v == "" {
			return absent
		}
		return v
	}
	ttl := s.TTL
	if ttl == 0 {
		ttl = math.MaxInt32
	}
	return map[string]string{
		familyVersions:           strconv.Itoa(max(s.Versions, 1)),
		familyMinVersions:        strconv.Itoa(s.MinVersions),
		familyTTL:                strconv.Itoa(ttl),
		familyNewVersionBehavior: strconv.FormatBool(s.NewVersionBehavior),
		familyKeepDeletedCells:   or(s.KeepDeletedCells, "FALSE"),
		familyBloomFilter:        or(s.BloomFilter, "ROW"),
		familyDataBlockEncoding:  or(s.DataBlockEncoding, "NONE"),
		familyCompression:        or(s.Compression, "NONE"),
		familyReplicationScope:   strconv.Itoa(s.ReplicationScope),
	}
}
