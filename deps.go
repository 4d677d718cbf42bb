//go:build deps

package deps

import (
	_ "github.com/go-zookeeper/zk"
	_ "github.com/goccy/go-yaml"
	_ "github.com/rs/zerolog"
	_ "github.com/segmentio/kafka-go"
	_ "github.com/segmentio/kafka-go/sasl/scram"
	_ "github.com/spf13/cobra"
	_ "github.com/spf13/viper"
	_ "github.com/twmb/franz-go/pkg/kadm"
	_ "github.com/twmb/franz-go/pkg/kfake"
	_ "github.com/twmb/franz-go/pkg/kgo"
	_ "github.com/twmb/franz-go/pkg/kmsg"
	_ "google.golang.org/protobuf/proto"
	_ "pgregory.net/rapid"
)
