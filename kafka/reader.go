package kafka

import (
	"context"
	"sync"
	"time"
)

const (
	// fetchesPerBroker bounds the Fetches in flight to one broker, each on a connection of its own.
	fetchesPerBroker = 3
	// waitShrinks is by how much shorter each further Fetch to a broker waits for data.
	waitShrinks = 5

	showEndEvery   = time.Second      // an empty chunk shows the ends of the log at least this often
	unknownLimit   = 10 * time.Second // a topic that stays unknown for so long is missing
	changedLimit   = 3 * time.Second  // brokers may differ for a moment on the id of a topic just created again
	corruptTries   = 4
	metaEvery      = 30 * time.Second // how old a layout may get while all goes well
	metaMinPause   = 100 * time.Millisecond
	metaMaxPause   = 2 * time.Second
	metaEveryNoIDs = 3 * time.Second // Fetch carries no topic ids before Kafka 3.1: only the layout shows them
	stuckAfter     = 3 * time.Second // a Fetch that is so much later than its wait: look for other leaders
	defaultMaxSize = 1 << 20
	followFor      = 5 * time.Minute

	answersLargest = 32 << 20 // bytes of an answer's buffer that is used again
	listsLargest   = 1 << 17  // records of a list that is used again
)

// Reader fetches for many partitions at once: one request per partition, all partitions of one leader in one Fetch.
//
// A Fetch that waits for data would hold up a request that comes later. So each broker gets up to three Fetches
// at once, on connections of their own; the second waits for a fifth of FetchMaxWait and the third for a fifth of
// that, so a late request waits 20 ms at most for its turn.
//
// Leaders that move, brokers that are down or slow, topics just made: all that is ridden out, without end and
// without holding up the partitions of other leaders. What only the caller can decide comes as Chunk.Err:
// *OutOfRangeError, *DivergedError, *TopicChangedError, *UnknownTopicError, *CorruptError, or a refusal by the brokers.
// A topic created again shows at once from Kafka 3.1 on; with 2.8 to 3.0 it may take some seconds.
//
// Locking: mu guards all fields below it and the requests, and is never held while deliver runs or a broker is
// asked. The client's own locks are taken inside it, never around it.
type Reader struct {
	c       *Client
	deliver func(Chunk)
	z       *decompressor
	answers pool[byte]
	lists   pool[Record]
	ctx     context.Context
	cancel  context.CancelFunc
	wake    chan struct{}
	done    sync.WaitGroup

	mu         sync.Mutex
	requests   map[TopicPartition]*request
	delivering map[TopicPartition]chan struct{}
	ends       map[TopicPartition]ends // as last delivered
	brokers    map[int32]*brokerState
	followers  map[TopicPartition]follower
	arrivals   int64
	meta       refreshState
}

// ends are what a partition's answer says of its log.
type ends struct{ highWatermark, lastStable, logStart int64 }

// request is one outstanding Request. It waits until a Fetch takes it (fetch is then set), and again afterwards
// if it goes on.
type request struct {
	tp      TopicPartition
	at      FetchAt
	since   time.Time
	arrival int64     // orders the requests of a broker, so that none starves behind large answers
	fetch   *fetch    // the Fetch it is part of
	notYet  time.Time // back-off
	metaSeq int       // wants a layout newer than this
	tries   int       // failures in a row
	corrupt int
	unknown time.Time // since when the brokers don't know it
	changed time.Time // since when the topic has another id
	size    int       // bytes, grown if a batch doesn't fit
}

// follower is the replica that the leader names for our rack; it is asked anew from time to time.
type follower struct {
	broker int32
	until  time.Time
}

type brokerState struct {
	slots    [fetchesPerBroker]bool
	failures int
	notYet   time.Time
}

// NewReader starts a reader. It calls deliver once for each Request, from goroutines of its own, for one partition
// never twice at once. deliver may call Request; it must not wait for Cancel or Close of the same reader. It should
// return soon, as the other partitions of the same answer come after it.
//
// In memory are, besides the chunks delivered, up to three answers of FetchMaxBytes for each broker; requests that
// ask for less make less. Their buffers, and one a core to decompress a batch into, are used again; a chunk shares
// none of them: it holds its Bytes, and nothing of the answer.
func (c *Client) NewReader(deliver func(Chunk)) *Reader {
	r := &Reader{
		c: c, deliver: deliver, z: newDecompressor(c.cfg.MaxBatchBytes),
		answers: pool[byte]{largest: answersLargest}, lists: pool[Record]{largest: listsLargest}, wake: make(chan struct{}, 1),
		requests: map[TopicPartition]*request{}, delivering: map[TopicPartition]chan struct{}{},
		ends: map[TopicPartition]ends{}, brokers: map[int32]*brokerState{},
		followers: map[TopicPartition]follower{},
	}
	r.ctx, r.cancel = context.WithCancel(c.ctx)
	r.done.Go(r.run)
	return r
}

// Request asks for the records from at on. It returns at once; the answer comes when there is at least one offset
// of progress (also if it holds no records), when the ends of the log differ from those last delivered, or after
// about a second, with Next equal to From. A second Request for a partition before the answer replaces the first.
func (r *Reader) Request(tp TopicPartition, at FetchAt) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx.Err() != nil {
		return
	}
	size := at.MaxBytes
	if size <= 0 {
		size = defaultMaxSize
	}
	r.arrivals++
	r.requests[tp] = &request{
		tp: tp, at: at, since: time.Now(), arrival: r.arrivals, metaSeq: -1,
		size: min(size, r.c.cfg.FetchMaxBytes),
	}
	r.poke()
}

// Recycle takes back the list of a chunk's records, which the caller has gone through. The bytes that records named
// stay what they are. To leave it out costs garbage and nothing else.
func (r *Reader) Recycle(recs []Record) {
	clear(recs) // or it would keep those bytes in memory
	r.lists.put(recs)
}

// Cancel withdraws the request of tp. When it returns, no chunk of that request is being delivered or will be.
func (r *Reader) Cancel(tp TopicPartition) {
	r.mu.Lock()
	delete(r.requests, tp)
	delete(r.ends, tp)
	busy := r.delivering[tp]
	r.mu.Unlock()
	if busy != nil {
		<-busy
	}
}

// Close withdraws all requests and waits until no delivery runs.
func (r *Reader) Close() error {
	r.cancel()
	r.mu.Lock()
	clear(r.requests)
	r.mu.Unlock()
	r.done.Wait()
	r.z.close()
	return nil
}

func (r *Reader) poke() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// run hands waiting requests to Fetches whenever something has changed.
func (r *Reader) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		timer.Reset(r.dispatch(time.Now()))
		select {
		case <-r.wake:
		case <-timer.C:
		case <-r.ctx.Done():
			return
		}
	}
}

// finish delivers the chunk of a request, unless that was withdrawn or replaced.
func (r *Reader) finish(q *request, ch Chunk) {
	r.mu.Lock()
	for r.delivering[q.tp] != nil { // the delivery before this one called Request itself and still runs
		busy := r.delivering[q.tp]
		r.mu.Unlock()
		<-busy
		r.mu.Lock()
	}
	if r.requests[q.tp] != q || r.ctx.Err() != nil {
		r.mu.Unlock()
		return
	}
	delete(r.requests, q.tp)
	if ch.Err == nil {
		r.ends[q.tp] = ends{ch.HighWatermark, ch.LastStable, ch.LogStart}
	}
	busy := make(chan struct{})
	r.delivering[q.tp] = busy
	r.mu.Unlock()

	r.deliver(ch)

	r.mu.Lock()
	delete(r.delivering, q.tp)
	r.mu.Unlock()
	close(busy)
}

func (r *Reader) finishErr(q *request, err error) {
	r.finish(q, Chunk{
		TopicPartition: q.tp, From: q.at.Offset, Next: q.at.Offset, LeaderEpoch: q.at.LeaderEpoch,
		HighWatermark: -1, LastStable: -1, LogStart: -1, Err: err,
	})
}
