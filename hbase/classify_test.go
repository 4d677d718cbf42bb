package hbase

import (
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"rowmark/hbase/pb"
)

// Each class of FACTS about exceptions with its sort as the answer for one row, and for a whole call.
var classCases = []struct {
	class, text string
	row, call   Fault
}{
	{"NotServingRegionException", "", FaultRelocate, FaultRelocate},
	{"exceptions.RegionMovedException", "", FaultRelocate, FaultRelocate},
	{"exceptions.RegionOpeningException", "", FaultRelocate, FaultRelocate},
	{"regionserver.WrongRegionException", "", FaultRelocate, FaultRelocate},
	{"regionserver.RegionServerStoppedException", "", FaultAmbiguous, FaultRelocate},
	{"regionserver.RegionServerAbortedException", "", FaultAmbiguous, FaultRelocate},
	{"ipc.ServerNotRunningYetException", "", FaultRelocate, FaultRelocate},
	{"regionserver.RegionServerRunningException", "", FaultAmbiguous, FaultAmbiguous},
	{"YouAreDeadException", "", FaultAmbiguous, FaultAmbiguous},
	{"CallQueueTooBigException", "", FaultBusy, FaultBusy},
	{"CallDroppedException", "", FaultBusy, FaultBusy},
	{"RegionTooBusyException", "", FaultBusy, FaultBusy},
	{"quotas.RpcThrottlingException", "", FaultBusy, FaultBusy},
	{"RetryImmediatelyException", "", FaultBusy, FaultBusy},
	{"MultiActionResultTooLarge", "", FaultBusy, FaultBusy},
	{"PleaseHoldException", "", FaultBusy, FaultBusy},
	{"MasterNotRunningException", "", FaultBusy, FaultBusy},
	{"exceptions.TimeoutIOException", "Timed out waiting for lock for row: x", FaultBusy, FaultBusy},
	{"exceptions.TimeoutIOException", "", FaultAmbiguous, FaultAmbiguous},
	{"regionserver.wal.WALSyncTimeoutIOException", "", FaultAmbiguous, FaultAmbiguous},
	{"regionserver.wal.DamagedWALException", "", FaultAmbiguous, FaultAmbiguous},
	{"regionserver.wal.FailedSyncBeforeLogCloseException", "", FaultAmbiguous, FaultAmbiguous},
	{"regionserver.wal.WALClosedException", "", FaultAmbiguous, FaultAmbiguous},
	{"DroppedSnapshotException", "", FaultAmbiguous, FaultAmbiguous},
	{"DoNotRetryIOException", "Field is not a long", FaultRow, FaultRow},
	{"DoNotRetryIOException", "Requested row out of range 'x'", FaultRelocate, FaultRelocate},
	{"DoNotRetryIOException", "region is read only", FaultSchema, FaultSchema},
	{"DoNotRetryIOException", "t is in STANDBY state", FaultSchema, FaultSchema},
	{"regionserver.NoSuchColumnFamilyException", "", FaultSchema, FaultSchema},
	{"exceptions.FailedSanityCheckException", "Timestamp for KV is out of range", FaultRow, FaultRow},
	{"exceptions.FailedSanityCheckException", "Requested row out of range for x", FaultRelocate, FaultRelocate},
	{"exceptions.RequestTooBigException", "", FaultRow, FaultRow},
	{"exceptions.UnknownProtocolException", "", FaultUnsupported, FaultUnsupported},
	{"security.AccessDeniedException", "", FaultRow, FaultRow},
	{"TableNotFoundException", "", FaultTable, FaultTable},
	{"TableExistsException", "", FaultTable, FaultTable},
	{"TableNotEnabledException", "", FaultTable, FaultTable},
	{"TableNotDisabledException", "", FaultTable, FaultTable},
	{"NamespaceNotFoundException", "", FaultTable, FaultTable},
	{"NamespaceExistException", "", FaultTable, FaultTable},
	{"InvalidFamilyOperationException", "", FaultSchema, FaultSchema},
	{"ConcurrentTableModificationException", "", FaultBusy, FaultBusy},
	{"quotas.QuotaExceededException", "", FaultBusy, FaultBusy},
	{"quotas.SpaceLimitingException", "", FaultBusy, FaultBusy},
	{"quotas.ThrottlingException", "", FaultBusy, FaultBusy},
	{"coprocessor.CoprocessorException", "", FaultRow, FaultRow},
	{"constraint.ConstraintException", "", FaultRow, FaultRow},
	{"regionserver.RowTooBigException", "", FaultRow, FaultRow},
	{"client.RowTooBigException", "", FaultRow, FaultRow},
	{"client.WrongRowIOException", "", FaultRow, FaultRow},
	{"io.hfile.CorruptHFileException", "", FaultBusy, FaultBusy},
	{"client.DoNotRetryRegionException", "", FaultRelocate, FaultRelocate},
	{"client.NoServerForRegionException", "", FaultRelocate, FaultRelocate},
	{"UnknownRegionException", "", FaultRelocate, FaultRelocate},
	{"exceptions.MergeRegionException", "", FaultTable, FaultTable},
	{"exceptions.MasterStoppedException", "", FaultBusy, FaultBusy},
	{"NotAllMetaRegionsOnlineException", "", FaultBusy, FaultBusy},
	{"ipc.UnknownServiceException", "", FaultUnsupported, FaultUnsupported},
	{"ipc.UnsupportedCellCodecException", "", FaultUnsupported, FaultUnsupported},
	{"security.visibility.InvalidLabelException", "", FaultRow, FaultRow},
	{"UnknownScannerException", "", FaultBusy, FaultBusy},
	{"exceptions.OutOfOrderScannerNextException", "", FaultBusy, FaultBusy},
	{"exceptions.ScannerResetException", "", FaultBusy, FaultBusy},
	{"regionserver.LeaseException", "", FaultBusy, FaultBusy},
	{"SomethingNew", "", FaultAmbiguous, FaultAmbiguous},
}

func TestClassifyEachClass(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range classCases {
		tested[c.class] = true
		if got := pairError(exceptionPair(c.class, c.text)); got.Fault != c.row {
			t.Errorf("%s %q for a row: %d, want %d", c.class, c.text, got.Fault, c.row)
		}
		x := &pb.ExceptionResponse{ExceptionClassName: proto.String(javaPrefix + c.class), StackTrace: proto.String(c.class + ": " + c.text)}
		if got := exceptionError(x, methodMulti, "a:1"); got.Fault != c.call {
			t.Errorf("%s %q for a call: %d, want %d", c.class, c.text, got.Fault, c.call)
		}
	}
	for _, m := range []map[string]Fault{faults, callFaults} {
		for class := range m {
			if !tested[class] {
				t.Errorf("%s has no case here", class)
			}
		}
	}
	for _, class := range []string{"java.io.IOException", "java.io.InterruptedIOException", "java.lang.NullPointerException", ""} {
		if got := classify(class, "", true); got != FaultAmbiguous {
			t.Errorf("%q: %d, want ambiguous", class, got)
		}
	}
}

func TestClassifyHonoursDoNotRetry(t *testing.T) {
	for _, c := range []struct {
		class, method string
		want          Fault
	}{
		{javaPrefix + "SomethingNew", "ExecService", FaultRow},
		{javaPrefix + "SomethingNew", methodMulti, FaultAmbiguous}, // earlier rows may be written
		{javaPrefix + "regionserver.wal.SomethingNew", "ExecService", FaultAmbiguous},
	} {
		x := &pb.ExceptionResponse{ExceptionClassName: &c.class, DoNotRetry: proto.Bool(true)}
		if got := exceptionError(x, c.method, "a:1"); got.Fault != c.want {
			t.Errorf("%s of %s: %d, want %d", c.class, c.method, got.Fault, c.want)
		}
	}
}

func TestParseThrottle(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"number of requests exceeded - wait 250ms":                          250 * time.Millisecond,
		"write size limit exceeded - wait 1sec, 5ms":                        1005 * time.Millisecond,
		"request size limit exceeded - wait 2min(s), 3sec, 0ms":             123 * time.Second,
		"request size limit exceeded - wait 1hr(s), 2min(s), 3sec, 4ms":     maxThrottle,
		"request size limit exceeded - wait 99999999999999hr(s), 1ms":       maxThrottle,
		"number of requests exceeded":                                       0,
		"o.a.h.h.quotas.RpcThrottlingException: read - wait 10ms\n\tat x.y": 10 * time.Millisecond,
	} {
		if got := parseThrottle(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestParseMoved(t *testing.T) {
	got := parseMoved("x: Region moved to: hostname=h.example port=16020 startCode=5. As of locationSeqNum=42.")
	if got != (movedTo{"h.example:16020", "5", 42}) {
		t.Errorf("hint is %+v", got)
	}
	if got := parseMoved("hostname=h port=x"); got != (movedTo{}) {
		t.Errorf("hint of nonsense is %+v", got)
	}
}
