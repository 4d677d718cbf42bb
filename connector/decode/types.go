package decode

// Record is what a mapping sees of a Kafka record: bytes and coordinates. nil is null, empty is empty.
type Record struct {
	Topic     string
	Partition int32
	Offset    int64
	Timestamp int64 // milliseconds
	Key       []byte
	Value     []byte
	Headers   []Header
}

// Header is one record header.
type Header struct {
	Key   string
	Value []byte
}
