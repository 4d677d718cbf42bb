package lint

import (
	"fmt"
	"slices"
	"strings"
)

// layer is what a folder's packages may not import; tests may import more.
type layer struct {
	folder string
	banned []string // a path, or a folder with all below it
	except []string
	why    string
}

// clients are the libraries that speak to the outside.
var clients = []string{
	"github.com/segmentio/kafka-go", "github.com/twmb/franz-go", "github.com/go-zookeeper/zk",
	"google.golang.org/protobuf", "github.com/rs/zerolog", "github.com/spf13", "github.com/goccy/go-yaml",
}

// franzClient are the parts of franz-go that would make a second Kafka client of the connector; its kmsg, which only
// encodes messages, is welcome.
var franzClient = []string{
	"github.com/twmb/franz-go/pkg/kgo", "github.com/twmb/franz-go/pkg/kfake", "github.com/twmb/franz-go/pkg/kadm",
	"github.com/twmb/franz-go/pkg/sr",
}

var layers = []layer{
	{folder: "rowkey", banned: append([]string{"rowmark"}, clients...), except: []string{"rowmark/rowkey"}, why: "it knows nothing of the rest"},
	{
		folder: "hbase", banned: []string{"rowmark", "github.com/segmentio/kafka-go", "github.com/twmb/franz-go", "github.com/spf13"},
		except: []string{"rowmark/hbase"}, why: "it knows neither Kafka nor marks",
	},
	{
		folder: "kafka", banned: []string{"rowmark", "github.com/go-zookeeper/zk", "github.com/spf13"},
		except: []string{"rowmark/kafka"}, why: "it knows nothing of HBase",
	},
	{folder: "connector/slab", banned: append([]string{"rowmark"}, clients...), except: []string{"rowmark/connector/slab"}, why: "it only hands out memory"},
	{folder: "connector/decode", banned: append([]string{"rowmark"}, clients...), except: []string{"rowmark/connector/decode", "rowmark/connector/slab", "google.golang.org/protobuf"}, why: "bytes to fields, nothing else"},
	{
		folder: "connector/registry", banned: append([]string{"rowmark"}, clients...), except: []string{"rowmark/connector/decode", "rowmark/connector/registry"},
		why: "it knows schemas and no records",
	},
	{
		folder: "connector/mapping", banned: append([]string{"rowmark"}, clients...),
		except: []string{"rowmark/connector/decode", "rowmark/connector/filter", "rowmark/connector/mapping", "rowmark/connector/slab", "rowmark/rowkey"}, why: "it knows no connections",
	},
	{
		folder: "connector/filter", banned: append([]string{"rowmark"}, clients...),
		except: []string{"rowmark/connector/decode", "rowmark/connector/filter", "rowmark/rowkey"}, why: "it says yes or no of a decoded record",
	},
	{
		folder: "connector/core", banned: append([]string{"rowmark/connector", "rowmark/cmd", "rowmark/test"}, clients...),
		except: []string{"rowmark/connector/core", "rowmark/connector/mapping", "rowmark/connector/decode", "rowmark/connector/slab"}, why: "the core is pure: its runtime drives it",
	},
	{folder: "connector/status", banned: append([]string{"rowmark"}, clients...), why: "it is what others tell, in types alone"},
	{
		folder: "connector/metrics", banned: append([]string{"rowmark"}, clients...), except: []string{"rowmark/connector/metrics", "rowmark/connector/status"},
		why: "it counts what it is told",
	},
	{
		folder: "connector/admin", banned: []string{"rowmark"}, except: []string{"rowmark/connector/admin", "rowmark/connector/status"},
		why: "it shows what it is given",
	},
	{folder: "connector", banned: []string{"rowmark/cmd", "rowmark/test", "rowmark/hbase/hbasetest", "github.com/spf13"}, why: "lower never imports upper"},
	{folder: "connector", banned: franzClient, why: "kafka-go reads; franz-go is the tests' and the demo's witness"},
	{folder: "kafka", banned: franzClient, why: "kafka-go reads; franz-go is the tests' and the demo's witness"},
	{
		folder: "cmd/rowmark/demo", banned: []string{"rowmark"}, except: []string{"rowmark/test/cluster", "rowmark/hbase/hbasetest"},
		why: "it judges rowmark, so it must not ask it",
	},
	{folder: "test/cluster", banned: []string{"rowmark"}, except: []string{"rowmark/test/cluster"}, why: "any package may use it in its tests"},
}

// embedded are the services that live in a program of ours.
var embedded = []string{"rowmark/hbase/hbasetest", "rowmark/connector/registry/registrytest", "github.com/twmb/franz-go/pkg/kfake"}

// mayEmbed are the folders that run on them; what carries records must not.
var mayEmbed = []string{"cmd/rowmark/demo", "hbase/hbasetest", "connector/registry/registrytest", "test"}

// Layers reports imports that go up, or sideways where that is not meant.
func Layers(files []File) []string {
	var found []string
	for _, s := range parse(files) {
		if s.Test() {
			continue
		}
		for _, p := range s.imports() {
			if below(p, embedded) && !slices.ContainsFunc(mayEmbed, s.in) {
				found = append(found, fmt.Sprintf("%s: imports %s: only tests and the demo run on embedded services", s.Path, p))
			}
		}
		for _, l := range layers {
			if !s.in(l.folder) {
				continue
			}
			for _, p := range s.imports() {
				if below(p, l.banned) && !below(p, l.except) {
					found = append(found, fmt.Sprintf("%s: imports %s: not in %s: %s", s.Path, p, l.folder, l.why))
				}
			}
		}
	}
	return found
}

// below says whether the import path is one of these or lies below one.
func below(p string, folders []string) bool {
	for _, f := range folders {
		if p == f || strings.HasPrefix(p, f+"/") {
			return true
		}
	}
	return false
}
