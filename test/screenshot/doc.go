// Command screenshot makes the picture of the status page in docs: a connector runs on an embedded Kafka and HBase for a
// while, under a load that comes in waves, with a few records that can't become rows and a region server that is killed,
// and Chromium takes the picture of what its page shows then.
//
//	go run ./test/screenshot
//
// Nothing in the picture is made up but the records.
package main
