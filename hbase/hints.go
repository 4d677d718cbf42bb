package hbase

import (
	"net"
	"regexp"
	"strconv"
	"time"
)

// movedTo is where a RegionMovedException says the region went. Empty: it did not say.
type movedTo struct {
	addr      string
	startCode string
	seqNum    int64 // 0: not said
}

var movedText = regexp.MustCompile(`hostname=(\S+) port=(\d+) startCode=(\d+)\. As of locationSeqNum=(\d+)`)

// parseMoved reads the text "hostname=H port=P startCode=S. As of locationSeqNum=N."
func parseMoved(text string) movedTo {
	m := movedText.FindStringSubmatch(text)
	if m == nil {
		return movedTo{}
	}
	seq, err := strconv.ParseInt(m[4], 10, 64)
	if err != nil {
		return movedTo{}
	}
	return movedTo{addr: net.JoinHostPort(m[1], m[2]), startCode: m[3], seqNum: seq}
}

var (
	throttleText = regexp.MustCompile(`wait ((?:\d+ ?[a-z]+(?:\(s\))?,? ?)+)`)
	throttlePart = regexp.MustCompile(`(\d+) ?([a-z]+)`)
)

// maxThrottle bounds what a server's text can make us wait.
const maxThrottle = 10 * time.Minute

// parseThrottle reads the wait of an RpcThrottlingException: "… - wait 1hr(s), 2min(s), 3sec, 4ms". 0: not said.
func parseThrottle(text string) time.Duration {
	m := throttleText.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	var sum time.Duration
	for _, p := range throttlePart.FindAllStringSubmatch(m[1], -1) {
		n, err := strconv.ParseInt(p[1], 10, 32)
		if err != nil {
			return maxThrottle
		}
		switch p[2] {
		case "hr", "hrs":
			sum += time.Duration(n) * time.Hour
		case "min", "mins":
			sum += time.Duration(n) * time.Minute
		case "sec":
			sum += time.Duration(n) * time.Second
		case "ms":
			sum += time.Duration(n) * time.Millisecond
		}
	}
	return min(sum, maxThrottle)
}

func joinHostPort(host string, port uint32) string {
	return net.JoinHostPort(host, strconv.FormatUint(uint64(port), 10))
}
