// Package rowkey is the row-key language: parts, encodings, hashes, salts and the presplits that follow from
// them. It turns values into bytes and knows nothing else.
package rowkey
