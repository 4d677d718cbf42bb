package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"
)

func clusterID(ctx context.Context, addr string, tr *kafka.Transport) (string, error) {
	defer tr.CloseIdleConnections()
	tr.DialTimeout = 10 * time.Second
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	m, err := (&kafka.Client{Addr: kafka.TCP(addr), Transport: tr}).Metadata(ctx, &kafka.MetadataRequest{})
	if err != nil {
		return "", err
	}
	return m.ClusterID, nil
}

func TestKafkaListenersWantWhatTheySay(t *testing.T) {
	ctx := needReal(t)
	k, err := StartKafka(ctx, KafkaOptions{Options: TestOptions(), SASL: true, TLS: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := k.Stop(); err != nil {
			t.Error(err)
		}
	}()
	scram256, err := scram.Mechanism(scram.SHA256, SASLUser, SASLPassword)
	if err != nil {
		t.Fatal(err)
	}
	scram512, err := scram.Mechanism(scram.SHA512, SASLUser, SASLPassword)
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := scram.Mechanism(scram.SHA512, SASLUser, "wrong")
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]sasl.Mechanism{
		"plain": plain.Mechanism{Username: SASLUser, Password: SASLPassword}, "scram-256": scram256, "scram-512": scram512,
	} {
		if id, err := clusterID(ctx, k.SASLBrokers()[0], &kafka.Transport{SASL: m}); err != nil || id != k.ID() {
			t.Errorf("%s: cluster id %q, %v; want %q", name, id, err, k.ID())
		}
	}
	for name, m := range map[string]sasl.Mechanism{
		"plain": plain.Mechanism{Username: SASLUser, Password: "wrong"}, "scram-512": wrong,
	} {
		if _, err := clusterID(ctx, k.SASLBrokers()[0], &kafka.Transport{SASL: m}); err == nil {
			t.Errorf("%s with a wrong password was let in", name)
		}
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(k.CA()) {
		t.Fatal("the certificate is no PEM")
	}
	if id, err := clusterID(ctx, k.TLSBrokers()[0], &kafka.Transport{TLS: &tls.Config{RootCAs: pool}}); err != nil || id != k.ID() {
		t.Errorf("TLS: cluster id %q, %v; want %q", id, err, k.ID())
	}
	if _, err := clusterID(ctx, k.TLSBrokers()[0], &kafka.Transport{TLS: &tls.Config{}}); err == nil {
		t.Error("TLS: a certificate that nothing vouches for was accepted")
	}
}
