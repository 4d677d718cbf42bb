// Package rowkey is the row-key language: parts, encodings, hashes, salts and the presplits that follow from
// them. It turns values into bytes and knows nothing else: where a field comes from is the business of a Source.
//
// A key is the concatenation of its parts. A part is one of
//
//	{field: value.customer.id}      a field of the record, or key, topic, partition, offset, timestamp, header.NAME
//	{literal: "|"}                  fixed text
//	{salt: 16, of: [value.id]}      a bucket number in one byte (two above 256 buckets)
//	{hash: md5, of: [value.id], hex: 8}   the first hex characters, or bytes, of a digest, or its modulo
//
// Two different lists of values must not give one key in silence. So a part of variable length is followed by a
// literal (which its value must not contain, unless escape or allow_separator is set), or by parts of fixed
// length only, or by nothing. A decimal tells its own end, and Phoenix's types of variable length are ended by a
// byte as Phoenix does it, so that anything may follow them. (The salt of a Phoenix table with SALT_BUCKETS is of
// another hash than salts here.) What breaks the rule is refused by Compile if it shows there, by Append otherwise.
//
// Explain goes the other way, from a key to its parts.
package rowkey
