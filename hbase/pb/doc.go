// Package pb holds the protobuf messages of HBase's RPC that package hbase sends and reads.
//
// The .proto files are our own and hold only the fields in use; fields of other versions are skipped when read.
// The wire is the same for HBase 2.4 to 3.0. The package name hbase.pb never travels, but method and message
// names of coprocessor calls do.
//
// To regenerate: install protoc and google.golang.org/protobuf/cmd/protoc-gen-go v1.36.12, then run
// go generate in this folder.
package pb

//go:generate sh -c "cd ../.. && protoc --go_out=. --go_opt=paths=source_relative hbase/pb/*.proto"
