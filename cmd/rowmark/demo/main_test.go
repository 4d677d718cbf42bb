package demo

import (
	"os"
	"testing"

	"rowmark/test/cluster"
)

func TestMain(m *testing.M) { os.Exit(cluster.Main(m)) }
