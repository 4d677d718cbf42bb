package hbase

import (
	"fmt"
	"strings"

	"rowmark/hbase/pb"
)

// javaPrefix is the package of HBase's own classes; the table below leaves it out.
const javaPrefix = "org.apache.hadoop.hbase."

// faults sorts the Java classes of answers to atomic and conditional writes. Classes that are not here, above all
// java.io.IOException, say nothing about what was written: they are ambiguous.
var faults = map[string]Fault{
	"NotServingRegionException":                 FaultRelocate, // also a closing region, and a disabled table
	"exceptions.RegionMovedException":           FaultRelocate,
	"exceptions.RegionOpeningException":         FaultRelocate,
	"regionserver.WrongRegionException":         FaultRelocate,
	"ipc.ServerNotRunningYetException":          FaultRelocate,
	"client.DoNotRetryRegionException":          FaultRelocate,
	"client.NoServerForRegionException":         FaultRelocate,
	"UnknownRegionException":                    FaultRelocate,
	"CallQueueTooBigException":                  FaultBusy,
	"CallDroppedException":                      FaultBusy,
	"RegionTooBusyException":                    FaultBusy,
	"quotas.RpcThrottlingException":             FaultBusy,
	"RetryImmediatelyException":                 FaultBusy,
	"MultiActionResultTooLarge":                 FaultBusy,
	"PleaseHoldException":                       FaultBusy,
	"MasterNotRunningException":                 FaultBusy,
	"exceptions.MasterStoppedException":         FaultBusy,
	"NotAllMetaRegionsOnlineException":          FaultBusy,
	"ConcurrentTableModificationException":      FaultBusy,
	"quotas.QuotaExceededException":             FaultBusy, // a full quota or a broken file is no fault of the row:
	"quotas.SpaceLimitingException":             FaultBusy, // wait for the operator
	"quotas.ThrottlingException":                FaultBusy,
	"io.hfile.CorruptHFileException":            FaultBusy,
	"UnknownScannerException":                   FaultBusy, // the scan is opened again
	"exceptions.OutOfOrderScannerNextException": FaultBusy,
	"exceptions.ScannerResetException":          FaultBusy,
	"regionserver.LeaseException":               FaultBusy,
	"TableNotFoundException":                    FaultTable,
	"TableExistsException":                      FaultTable,
	"TableNotEnabledException":                  FaultTable,
	"TableNotDisabledException":                 FaultTable,
	"NamespaceNotFoundException":                FaultTable,
	"NamespaceExistException":                   FaultTable,
	"exceptions.MergeRegionException":           FaultTable,
	"regionserver.NoSuchColumnFamilyException":  FaultSchema,
	"InvalidFamilyOperationException":           FaultSchema,
	"DoNotRetryIOException":                     FaultRow, // see refine
	"exceptions.FailedSanityCheckException":     FaultRow,
	"exceptions.RequestTooBigException":         FaultRow,
	"security.AccessDeniedException":            FaultRow,
	"security.visibility.InvalidLabelException": FaultRow,
	"coprocessor.CoprocessorException":          FaultRow,
	"constraint.ConstraintException":            FaultRow,
	"regionserver.RowTooBigException":           FaultRow,
	"client.RowTooBigException":                 FaultRow,
	"client.WrongRowIOException":                FaultRow,
	"exceptions.UnknownProtocolException":       FaultUnsupported,
	"ipc.UnknownServiceException":               FaultUnsupported,
	"ipc.UnsupportedCellCodecException":         FaultUnsupported,
}

// callFaults are classes that only as the answer to a whole call tell that nothing was started.
var callFaults = map[string]Fault{
	"regionserver.RegionServerStoppedException": FaultRelocate,
	"regionserver.RegionServerAbortedException": FaultRelocate,
}

// classify sorts a Java class. text is its message, wholeCall whether it answered the call and not one of its rows.
func classify(class, text string, wholeCall bool) Fault {
	name, ours := strings.CutPrefix(class, javaPrefix)
	if !ours {
		return FaultAmbiguous
	}
	if wholeCall {
		if f, ok := callFaults[name]; ok {
			return f
		}
	}
	if f, ok := faults[name]; ok {
		return refine(f, text)
	}
	if name == "exceptions.TimeoutIOException" && strings.Contains(text, "Timed out waiting for lock for row") {
		return FaultBusy // the lock was never had, so the row was not begun
	}
	return FaultAmbiguous
}

// refine tells apart what HBase throws under one class.
func refine(f Fault, text string) Fault {
	if f != FaultRow {
		return f
	}
	switch {
	case strings.Contains(text, "row out of range"):
		return FaultRelocate // the region was split, or the batch spans a new border
	case strings.Contains(text, "is read only"), strings.Contains(text, "STANDBY state"):
		return FaultSchema
	}
	return f
}

// exceptionError is the error of an answer to a whole call.
func exceptionError(x *pb.ExceptionResponse, method, addr string) *Error {
	class, text := x.GetExceptionClassName(), firstLine(x.GetStackTrace())
	fault := classify(class, text, true)
	if fault == FaultAmbiguous && x.GetDoNotRetry() && method != methodMulti && !walClass(class) {
		// Of a Multi, earlier rows may be written. Other calls end before they write anything.
		fault = FaultRow
	}
	e := javaError(fault, class, text)
	e.Err = fmt.Errorf("calling %s of %s: %w", method, addr, e.Err)
	if fault == FaultRelocate && x.GetHostname() != "" && x.GetPort() > 0 {
		e.moved.addr = joinHostPort(x.GetHostname(), uint32(x.GetPort()))
	}
	return e
}

// walClass tells the classes of a log in trouble: the write may be in it, whatever their flags say.
func walClass(class string) bool { return strings.HasPrefix(class, javaPrefix+"regionserver.wal.") }

// pairError is the error of one row, or of one RegionAction.
func pairError(p *pb.NameBytesPair) *Error {
	text := firstLine(string(p.GetValue()))
	return javaError(classify(p.GetName(), text, false), p.GetName(), text)
}

func javaError(fault Fault, class, text string) *Error {
	e := &Error{Fault: fault, Class: class, Err: fmt.Errorf("server answered %s", answerText(class, text))}
	if strings.HasSuffix(class, "ThrottlingException") {
		e.Wait = parseThrottle(text)
	}
	if strings.HasSuffix(class, ".RegionMovedException") {
		e.moved = parseMoved(text)
	}
	return e
}

func answerText(class, text string) string {
	switch {
	case text == "":
		return class
	case strings.HasPrefix(text, class):
		return text
	}
	return class + ": " + text
}

// firstLine is the message of a stack trace, cut to a length that suits a log.
func firstLine(trace string) string {
	line, _, _ := strings.Cut(trace, "\n")
	if len(line) > 500 {
		line = line[:500] + "…"
	}
	return strings.TrimSpace(line)
}
