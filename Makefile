# Short names for the commands of this project; each works without make too.
.PHONY: build test lint fmt proto reference demo bench

build: # the program, as bin/rowmark
	go build -o bin/rowmark ./cmd/rowmark

# One package at a time: several start a whole HBase, and two of them starve each other on two cores.
test: # everything, on real services; ROWMARK_SKIP_REAL=1 leaves those out
	go run ./test/cluster/up -- go test -p 1 -timeout 20m ./...

lint:
	.ci/lint

fmt: # formats what .ci/lint complains about
	git ls-files -z '*.go' ':!*.pb.go' | xargs -0 go tool -modfile=.ci/tools/go.mod gofumpt -w -modpath rowmark -lang go1.26

proto: # regenerates hbase/pb; needs protoc and protoc-gen-go, see hbase/pb/doc.go
	go generate ./hbase/pb

reference: # rewrites docs/config.md and docs/config.schema.json, after a change of a setting or its comment
	go run ./test/reference

demo: build # an embedded Kafka and HBase, two kills, a count; needs only Go
	bin/rowmark demo

bench: # rowmark against its peers, on real services; prints tables in Markdown
	go run ./test/bench
