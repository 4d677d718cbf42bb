package e2e

import (
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
)

// audited is what rowmark verify says.
type audited struct {
	Found    int
	Findings []struct{ Kind, Row, Column, Why string }
	Sources  []struct{ Records, Rows, Right, Lost int64 }
}

// audit runs rowmark verify from the beginning of the log.
func (w *world) audit(config string, code int) audited {
	w.t.Helper()
	p := command(w.t, nil, "verify", "--from", "earliest", "-o", "json", "--log-level", "error", "-c", config)
	p.ends(code)
	out := p.output()
	if i := strings.LastIndex(out, "}\n"); i >= 0 {
		out = out[:i+1] // the error of what is wrong comes behind it
	}
	var a audited
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		w.t.Fatalf("reading what verify says: %v\n%s", err, out)
	}
	return a
}

// TestVerified audits the tables while the connector writes, is killed and starts again, and finds nothing; and then what
// others do to them.
func TestVerified(t *testing.T) {
	w, _, config, more := mixedWorld(t, 2, 3000)
	p := w.start(config)
	p.says("partition taken", 2)
	for range 3 {
		more(1500)
		if a := w.audit(config, 0); a.Found > 0 {
			t.Errorf("%+v", a)
		}
	}
	p.kill()
	p = w.start(config)
	more(1500)
	w.caughtUp(config, 2)
	a := w.audit(config, 0)
	if a.Found > 0 || len(a.Sources) != 2 || a.Sources[0].Records+a.Sources[1].Records != 9000 || a.Sources[0].Right == 0 {
		t.Errorf("%+v", a)
	}
	table := w.name + "_rows"
	row := w.cells(table)[0].Row
	w.hbase("deleteall", table, hex.EncodeToString([]byte(row)))
	a = w.audit(config, 13)
	for _, f := range a.Findings {
		if f.Kind != "lost" || f.Row != hex.EncodeToString([]byte(row)) {
			t.Errorf("%+v", f)
		}
	}
	if a.Found == 0 || a.Sources[0].Lost+a.Sources[1].Lost == 0 {
		t.Errorf("%+v", a)
	}
	command(t, nil, "inspect", "record", w.name+"_in/0/0", "-c", config).ends(0, "below the checkpoint")
	p.kill()
}
