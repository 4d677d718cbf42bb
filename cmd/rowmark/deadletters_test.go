package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"rowmark/connector"

	"github.com/twmb/franz-go/pkg/kgo"
)

func TestDeadLettersRefusesFlags(t *testing.T) {
	file := offline(t)
	for _, c := range []struct{ args, reason string }{
		{"list --partition 1", "of which topic? Write topic/partition, as in orders/1, or give one --topic"},
		{"retry --topic orders --partition=", "or the number alone"}, // of a variable that is not set
		{"list --partition orders", "write topic/partition"},
		{"list --topic orders --partition x", "as in orders/0, or the number alone"},
		{"list --topic orders --partition=-1", "partitions count from 0"},
		{"list --topic orders --partition clicks/0", "it is none of --topic orders"},
		{"list -o yaml", "use text or json"},
		{"show orders/0/1 -o yaml", "use text or json"},
		{"retry", "--topic or --all"},
		{"retry --partition 1", "of which topic?"},
		{"retry orders/0/1 --all", "--topic or --all"},
	} {
		got := command("", append(strings.Fields("dead-letters "+c.args), "-c", file)...)
		got.wants(t, connector.ExitConfig, "", c.reason)
	}
	command("", "dead-letters", "list", "-c", file).wants(t, connector.ExitUnreached, "", "hbase.start_timeout")
}

// No mapping wants the table of letters, and none was made: there is nothing to be mended.
func TestDeadLettersOfNoMapping(t *testing.T) {
	file, _ := startServices(t)
	const none = "no mapping has on_error: dead-letter, and there are no letters"
	for _, c := range []struct {
		args        string
		code        int
		out, errors string
	}{
		{"list", 0, none + "\n", ""},
		{"list -o json", 0, "[]\n", ""},
		{"retry --all", 0, none + "\n", ""},
		{"retry --topic orders -o json", 0, `"letters": []`, ""},
		{"retry orders/0/1", connector.ExitOther, "", none}, // a letter that is named is missed
		{"show orders/0/1", connector.ExitOther, "", none},
	} {
		command("", append(strings.Fields("dead-letters "+c.args), "-c", file)...).wants(t, c.code, c.out, c.errors)
	}
}

// From a record that can't be mapped to a letter, and by a mapping that was mended to its row.
func TestDeadLettersFromRunToRetry(t *testing.T) {
	file, producer := startServices(t)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	letters := string(text) + "    on_error: dead-letter\n"
	file = writeFile(t, "rowmark.yaml", letters)
	mended := writeFile(t, "rowmark.yaml", strings.NewReplacer("value: {format: json}", "value: {format: string}", "value.status", "value").Replace(letters))
	at := time.UnixMilli(1_764_400_000_000)
	for _, rec := range []*kgo.Record{
		{Value: []byte(`{"status":"paid"}`), Key: []byte("a")},
		{Value: []byte(`{"status":"open"}`), Key: []byte("b")},
		{Value: []byte("{"), Key: []byte("c"), Headers: []kgo.RecordHeader{{Key: "h", Value: []byte{0, 255}}}},
	} {
		rec.Topic, rec.Timestamp = "orders", at
		if err := producer.ProduceSync(t.Context(), rec).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	command("", "dead-letters", "list", "-c", file).wants(t, connector.ExitTable, "", "rowmark_dead_letters")
	for _, args := range [][]string{{"list"}, {"show", "orders/0/2"}, {"retry", "--all"}} {
		command("", append([]string{"dead-letters", "-c", file}, args...)...).wants(t, connector.ExitTable, "", "rowmark init makes the table")
	}
	command("", "init", "-c", file).wants(t, 0, "create table default:rowmark_dead_letters: add family d, add mark family _k", "")
	command("", "run", "--once", "-c", file).wants(t, 0, "", "")
	command("", "dead-letters", "list", "-c", file).wants(t, 0, "orders/0/2  2025-11-29T07:06:40Z  decode  shop:orders  open   mapping orders -> shop:orders: decoding value as json", "")
	command("", "dead-letters", "show", "orders/0/2", "-c", file).wants(t, 0, "header     h = 0x00ff\nkey        c\nvalue      {\n", "")
	command("", "dead-letters", "show", "orders/0/2", "--hex", "-c", file).wants(t, 0, "value      0x7b\n", "")
	command("", "dead-letters", "show", "orders/0/0", "-c", file).wants(t, connector.ExitOther, "", "no dead letter orders/0/0")
	command("", "dead-letters", "show", "orders/0", "-c", file).wants(t, connector.ExitConfig, "", "topic/partition/offset")
	for _, args := range []string{"--partition orders/0", "--topic orders --partition 0", "--topic orders --partition orders/0"} {
		command("", append(strings.Fields("dead-letters list "+args), "-c", file)...).wants(t, 0, "orders/0/2 ", "")
	}
	command("", "dead-letters", "list", "--partition", "orders/1", "-c", file).wants(t, 0, "no dead letters", "")
	var lines []letterLine
	got := command("", "dead-letters", "list", "-o", "json", "-c", file)
	if err := json.Unmarshal([]byte(got.out), &lines); err != nil || len(lines) == 0 || lines[len(lines)-1].Offset != 2 {
		t.Fatalf("got %+v, %v", got, err)
	}
	command("", "dead-letters", "retry", "--all", "-c", file).wants(t, connector.ExitRecord, "0 letters written, 1 not\n", "1 dead letter could not be written")
	command("", "dead-letters", "list", "-c", file).wants(t, 0, "failed again", "")
	command("", "offsets", "set", "--yes", "--to", "earliest", "-c", file).wants(t, 0, "orders/0: 1 of them have dead letters", "")
	var failed retried
	got = command("", "dead-letters", "retry", "--all", "-o", "json", "-c", file)
	if err := json.Unmarshal([]byte(got.out), &failed); err != nil || got.code != connector.ExitRecord || failed.Written != 0 || failed.Failed != 1 || len(failed.Letters) != 1 ||
		failed.Letters[0].Letter != "orders/0/2" || failed.Letters[0].Written || failed.Letters[0].Error == "" {
		t.Errorf("got %+v, %v", got, err)
	}
	command("", "dead-letters", "retry", "orders/0/2", "-c", mended).wants(t, 0, "orders/0/2: written\n1 letter written, 0 not\n", "")
	command("", "dead-letters", "list", "-c", file).wants(t, 0, "no dead letters\n", "")
	command("", "dead-letters", "list", "--resolved", "-c", file).wants(t, 0, "resolved", "")
	command("", "dead-letters", "retry", "orders/0/2", "-c", mended).wants(t, connector.ExitRecord, "there is no such dead letter, or it is resolved", "")
}
