package cluster

import (
	"context"
	"sync"
)

var sharedJava struct {
	once   sync.Once
	client *JavaClient
	err    error
}

// SharedJavaClient returns a client of the shared HBase that all tests of the
// package use, starting both at the first call.
func SharedJavaClient(t TB) *JavaClient {
	t.Helper()
	zookeeper := SharedZooKeeper(t)
	sharedJava.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), startLimit)
		defer cancel()
		sharedJava.client, sharedJava.err = StartJavaClient(ctx, TestOptions(), zookeeper)
	})
	if sharedJava.err != nil {
		t.Fatal(sharedJava.err)
	}
	return sharedJava.client
}

func closeSharedJava() error {
	if sharedJava.client == nil {
		return nil
	}
	return sharedJava.client.Close()
}
