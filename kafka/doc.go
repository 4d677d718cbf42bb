// Package kafka reads offset ranges of Kafka partitions, and what surrounds them: metadata, offsets by time,
// leader epochs, group assignment; and it appends records to a topic. It gives record batches as the committed log holds them, with the gaps
// that compaction and markers leave. It knows nothing of HBase or of what becomes of a record.
//
// Two libraries share the work. kafka-go's Transport carries the connections (dialling, TLS, SASL, pooling), kmsg encodes
// and decodes requests and answers. The fetching in between, the record batches, what read_committed means (see Reader) and
// the membership in consumer groups (see Group) are our own.
//
// From the outside in:
//
//   - Open, Client: one cluster; Topics, ListOffsets, EpochEnd, TopicConfig ask it, and byLeader routes what only
//     leaders answer.
//   - Client.NewReader, Reader: one outstanding Request per partition, one Fetch per leader (dispatch.go places
//     requests, fetch.go sends, settle.go judges the answer, refresh.go keeps the layout fresh).
//   - decoding: batches to records (batch.go, records.go, compress.go, aborted.go).
//   - exchange: one request and its answer on a raw connection.
//   - Client.Produce: records to a topic, in batches that encode.go makes.
//   - Group: membership in a consumer group, whose committed positions are only ever written (groupmember.go lives it,
//     groupcalls.go asks the coordinator, groupshare.go deals partitions out).
//
// What holds everywhere:
//
//   - A position moves by batches, not by records: to base offset plus last offset delta plus one, also past empty
//     batches, markers and aborted records.
//   - The chunks of one partition join without a gap: each begins where the caller asks. An answer that is cut
//     short, corrupt or only partly wanted ends a chunk earlier, never with a hole.
//   - No request creates a topic.
//   - A chunk's records alias memory that nobody writes to again, and that no other partition's chunk keeps alive.
package kafka
