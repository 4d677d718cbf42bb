package hbase

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// Admin makes and changes namespaces, tables and regions. Its calls wait until what they ask for is done, ride out a
// master that starts or changes, and end with ctx at the latest: always give one with a deadline.
//
// Every change carries a nonce, so that the master takes a change sent again after a lost answer for the one it
// already has. That is why this part of the package may repeat calls and the writing of rows may not.
type Admin struct{ c *Client }

// Admin returns the client's administrative side.
func (c *Client) Admin() *Admin { return &Admin{c} }

// Java classes that admin calls tell apart.
const (
	classNamespaceExists  = "NamespaceExistException"
	classTableExists      = "TableExistsException"
	classTableNotFound    = "TableNotFoundException"
	classTableNotEnabled  = "TableNotEnabledException"
	classTableNotDisabled = "TableNotDisabledException"
)

// IsTableExists says whether err is the master's answer that a table is there already.
func IsTableExists(err error) bool { return isClass(err, classTableExists) }

// IsTableNotFound says whether err is an answer that a table is not there.
func IsTableNotFound(err error) bool { return isClass(err, classTableNotFound) }

func isClass(err error, name string) bool {
	e := asError(err)
	return e != nil && e.Class == javaPrefix+name
}

// call asks the active master, and asks again when the answer was lost, while ctx lasts.
func (a *Admin) call(ctx context.Context, method string, req, resp proto.Message) error {
	var wait backoff
	for {
		err := a.c.callMaster(ctx, method, req, resp)
		if err == nil || !answerLost(err) {
			return err
		}
		if wait.wait(ctx, err) != nil {
			return fmt.Errorf("%w; gave up: %w", err, ctx.Err())
		}
	}
}

// answerLost tells an answer that never came from an exception that says nothing, such as the plain IOException about
// a family's name. Masters on their way are waited for one layer below.
func answerLost(err error) bool {
	e := asError(err)
	return FaultOf(err) == FaultAmbiguous && (e == nil || e.Class == "") && !errors.Is(err, errClosed)
}

// nonce identifies one change over all its repetitions.
type nonce struct{ group, id *uint64 }

func newNonce() nonce {
	// 0 would mean none.
	return nonce{proto.Uint64(rand.Uint64() | 1), proto.Uint64(rand.Uint64() | 1)}
}

// procedureAnswer is the answer of a call that starts a procedure on the master.
type procedureAnswer interface {
	proto.Message
	GetProcId() uint64
}

// run starts a procedure and waits for its end. settled says whether the change is in place: it is asked when the
// master has forgotten the procedure, as it does once somebody has read the result, and after a while anyway.
func (a *Admin) run(ctx context.Context, method string, req proto.Message, resp procedureAnswer, settled func() (bool, error)) error {
	if err := a.call(ctx, method, req, resp); err != nil {
		return err
	}
	id := resp.GetProcId()
	for {
		var r pb.GetProcedureResultResponse
		if err := a.call(ctx, "getProcedureResult", &pb.GetProcedureResultRequest{ProcId: &id}, &r); err != nil {
			return fmt.Errorf("waiting for procedure %d: %w", id, err)
		}
		switch r.GetState() {
		case pb.GetProcedureResultResponse_FINISHED:
			return foreignError(r.GetException())
		case pb.GetProcedureResultResponse_NOT_FOUND:
			return a.poll(ctx, fmt.Sprintf("the outcome of procedure %d, which the master has forgotten", id), settled)
		}
		if err := pause(ctx, procedurePoll); err != nil {
			return fmt.Errorf("waiting for procedure %d: %w", id, err)
		}
	}
}

const procedurePoll = 100 * time.Millisecond

// poll waits until cond holds.
func (a *Admin) poll(ctx context.Context, what string, cond func() (bool, error)) error {
	for {
		ok, err := cond()
		if err != nil {
			return fmt.Errorf("waiting for %s: %w", what, err)
		}
		if ok {
			return nil
		}
		if err := pause(ctx, procedurePoll); err != nil {
			return fmt.Errorf("waiting for %s: %w", what, err)
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// foreignError is the failure of a procedure. The master may wrap the cause in text: "Class: message".
func foreignError(x *pb.ForeignExceptionMessage) error {
	if x == nil {
		return nil
	}
	g := x.GetGenericException()
	class, text := g.GetClassName(), firstLine(g.GetMessage())
	if inner, rest, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(inner, javaPrefix) && !strings.Contains(inner, " ") {
		class, text = inner, rest
	}
	e := javaError(classify(class, text, true), class, text)
	e.Err = fmt.Errorf("running the procedure on the master: %w", e.Err)
	return e
}

// ClusterVersion is the version of HBase the master runs, such as 2.6.4. Region servers may differ in an upgrade.
func (a *Admin) ClusterVersion(ctx context.Context) (string, error) {
	var r pb.GetClusterStatusResponse
	err := a.call(ctx, "GetClusterStatus", &pb.GetClusterStatusRequest{Options: []pb.Option{pb.Option_HBASE_VERSION}}, &r)
	if err != nil {
		return "", fmt.Errorf("reading the version of HBase: %w", err)
	}
	return r.GetClusterStatus().GetHbaseVersion().GetVersion(), nil
}

// MasterCoprocessors are the coprocessors of the master, by the names of their classes without the package.
func (a *Admin) MasterCoprocessors(ctx context.Context) ([]string, error) {
	var r pb.GetClusterStatusResponse
	err := a.call(ctx, "GetClusterStatus", &pb.GetClusterStatusRequest{Options: []pb.Option{pb.Option_MASTER_COPROCESSORS}}, &r)
	if err != nil {
		return nil, fmt.Errorf("reading the coprocessors of the master: %w", err)
	}
	var out []string
	for _, c := range r.GetClusterStatus().GetMasterCoprocessors() {
		out = append(out, c.GetName())
	}
	return out, nil
}

// CreateNamespace makes a namespace unless it is there.
func (a *Admin) CreateNamespace(ctx context.Context, name string) error {
	if err := validateTableName(name + ":t"); err != nil {
		return fmt.Errorf("creating namespace: %w", err)
	}
	n := newNonce()
	req := &pb.CreateNamespaceRequest{
		NamespaceDescriptor: &pb.NamespaceDescriptor{Name: []byte(name)}, NonceGroup: n.group, Nonce: n.id,
	}
	err := a.run(ctx, "CreateNamespace", req, &pb.CreateNamespaceResponse{}, func() (bool, error) {
		err := a.call(ctx, "GetNamespaceDescriptor", &pb.GetNamespaceDescriptorRequest{NamespaceName: &name}, &pb.GetNamespaceDescriptorResponse{})
		return err == nil, err
	})
	if err != nil && !isClass(err, classNamespaceExists) {
		return fmt.Errorf("creating namespace %s: %w", name, err)
	}
	return nil
}

// DeleteNamespace removes an empty namespace.
func (a *Admin) DeleteNamespace(ctx context.Context, name string) error {
	n := newNonce()
	err := a.run(ctx, "DeleteNamespace", &pb.DeleteNamespaceRequest{NamespaceName: &name, NonceGroup: n.group, Nonce: n.id},
		&pb.DeleteNamespaceResponse{}, func() (bool, error) {
			err := a.call(ctx, "GetNamespaceDescriptor", &pb.GetNamespaceDescriptorRequest{NamespaceName: &name}, &pb.GetNamespaceDescriptorResponse{})
			if isClass(err, "NamespaceNotFoundException") {
				return true, nil
			}
			return false, err
		})
	if err != nil {
		return fmt.Errorf("deleting namespace %s: %w", name, err)
	}
	return nil
}
