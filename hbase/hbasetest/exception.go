package hbasetest

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// exception is what a server throws, by its Java class.
type exception struct {
	class      string // full name
	text       string
	doNotRetry bool
	overloaded bool
	host       string // RegionMovedException
	port       int
}

const javaPrefix = "org.apache.hadoop.hbase."

// throw is an exception of one of HBase's own classes.
func throw(class, format string, args ...any) *exception {
	return &exception{class: javaPrefix + class, text: fmt.Sprintf(format, args...)}
}

// throwFinal is one whose class is a DoNotRetryIOException.
func throwFinal(class, format string, args ...any) *exception {
	x := throw(class, format, args...)
	x.doNotRetry = true
	return x
}

// throwPlain is java.io.IOException, as which unchecked exceptions reach the client.
func throwPlain(format string, args ...any) *exception {
	return &exception{class: "java.io.IOException", text: fmt.Sprintf(format, args...)}
}

// byClass is an exception of a class given as text, in full or without the package of HBase.
func byClass(class, text string) *exception {
	x := &exception{class: class, text: text}
	if !fullClass(class) {
		x.class = javaPrefix + class
	}
	return x
}

func fullClass(class string) bool {
	for _, p := range []string{"java.", "org.", "com."} {
		if len(class) > len(p) && class[:len(p)] == p {
			return true
		}
	}
	return false
}

// trace is the stack trace's text, which begins with class and message.
func (x *exception) trace() string {
	return x.class + ": " + x.text + "\n\tat " + javaPrefix + "regionserver.RSRpcServices.hbasetest(RSRpcServices.java)\n"
}

// pair is the form inside a Multi's answer, which knows neither host nor flags.
func (x *exception) pair() *pb.NameBytesPair {
	return &pb.NameBytesPair{Name: proto.String(x.class), Value: []byte(x.trace())}
}

func (x *exception) response() *pb.ExceptionResponse {
	r := &pb.ExceptionResponse{
		ExceptionClassName: proto.String(x.class), StackTrace: proto.String(x.trace()), DoNotRetry: proto.Bool(x.doNotRetry),
	}
	if x.overloaded {
		r.ServerOverloaded = proto.Bool(true)
	}
	if x.host != "" {
		r.Hostname, r.Port = proto.String(x.host), proto.Int32(int32(x.port))
	}
	return r
}
