# Short names for the commands of this project; each works without make too.
.PHONY: build install image test lint fmt proto reference demo bench

# What `rowmark version` says; releases are tags.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
PREFIX ?= /usr/local

# Without cgo the program is static and needs nothing of the system.
build: # the program, as bin/rowmark
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o bin/rowmark ./cmd/rowmark

install: build # the program and the unit of systemd, below PREFIX; DESTDIR stands before it
	install -D -m 755 bin/rowmark $(DESTDIR)$(PREFIX)/bin/rowmark
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	sed 's|/usr/local/bin/|$(PREFIX)/bin/|' deploy/rowmark.service > $(DESTDIR)$(PREFIX)/lib/systemd/system/rowmark.service

image: # the image of the container, rowmark:dev; needs Docker
	docker build -f docker/Dockerfile --build-arg VERSION=$(VERSION) -t rowmark:dev .

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
