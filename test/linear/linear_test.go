package linear

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// at makes an event from when it was called and returned.
func at(client int, call, ret int64, outcome Outcome) Event {
	return Event{Client: client, Key: "s/t/0", Call: call, Return: ret, Outcome: outcome}
}

func read(client int, call, ret int64, got Value) RegisterOp {
	return RegisterOp{Event: at(client, call, ret, Applied), Kind: Read, Got: got}
}

func swap(client int, call, ret int64, outcome Outcome, expect, put Value) RegisterOp {
	return RegisterOp{Event: at(client, call, ret, outcome), Kind: Swap, Expect: expect, Put: put}
}

func TestRegisters(t *testing.T) {
	for _, c := range []struct {
		name string
		ok   bool
		ops  []RegisterOp
	}{
		{"nothing", true, nil},
		{"one owner after another", true, []RegisterOp{
			read(1, 0, 1, ""), swap(1, 2, 3, Applied, "", "a"), read(2, 4, 5, "a"), swap(2, 6, 7, Applied, "a", "b"), swap(1, 8, 9, Refused, "a", "c"), read(1, 10, 11, "b"),
		}},
		{"two race, one wins", true, []RegisterOp{
			swap(1, 0, 5, Applied, "", "a"), swap(2, 1, 4, Refused, "", "b"), read(1, 6, 7, "a"),
		}},
		{"lost update: both win", false, []RegisterOp{
			swap(1, 0, 5, Applied, "", "a"), swap(2, 1, 4, Applied, "", "b"), read(1, 6, 7, "a"),
		}},
		{"stale read after a swap", false, []RegisterOp{
			swap(1, 0, 1, Applied, "", "a"), swap(1, 2, 3, Applied, "a", "b"), read(2, 4, 5, "a"),
		}},
		{"a read during the swap may be of either", true, []RegisterOp{
			swap(1, 0, 1, Applied, "", "a"), swap(1, 2, 9, Applied, "a", "b"), read(2, 3, 4, "a"), read(2, 5, 6, "b"),
		}},
		{"but not back again", false, []RegisterOp{
			swap(1, 0, 1, Applied, "", "a"), swap(1, 2, 9, Applied, "a", "b"), read(2, 3, 4, "b"), read(2, 5, 6, "a"),
		}},
		{"refused, and yet it took effect", false, []RegisterOp{
			swap(1, 0, 1, Applied, "", "a"), swap(2, 2, 3, Refused, "b", "c"), read(2, 4, 5, "c"),
		}},
		{"refused, though the value was the expected one", false, []RegisterOp{
			swap(1, 0, 1, Applied, "", "a"), swap(1, 2, 3, Refused, "a", "b"), read(1, 4, 5, "a"),
		}},
		{"failed, and yet it took effect", false, []RegisterOp{
			swap(1, 0, 1, Failed, "", "a"), read(1, 2, 3, "a"),
		}},
		{"unknown and never done", true, []RegisterOp{
			swap(1, 0, 1, Unknown, "", "a"), read(1, 2, 3, ""), swap(2, 4, 5, Applied, "", "b"), read(2, 6, 7, "b"),
		}},
		{"unknown and done long after its return", true, []RegisterOp{
			swap(1, 0, 1, Unknown, "", "a"), read(1, 2, 3, ""), read(1, 90, 91, "a"), swap(2, 92, 93, Applied, "a", "b"),
		}},
		{"unknown explains a refusal", true, []RegisterOp{
			swap(1, 0, 1, Unknown, "", "a"), swap(2, 2, 3, Refused, "", "b"), read(2, 4, 5, "a"),
		}},
		{"unknown, but not done before it was called", false, []RegisterOp{
			read(2, 0, 1, "a"), swap(1, 2, 3, Unknown, "", "a"), read(2, 4, 5, "a"),
		}},
		{"doubled: an unknown one takes effect twice", false, []RegisterOp{
			swap(1, 0, 1, Unknown, "", "a"), read(2, 2, 3, "a"), swap(2, 4, 5, Applied, "a", "b"), swap(2, 6, 7, Applied, "b", ""), read(2, 8, 9, "a"),
		}},
		{"a value from nowhere", false, []RegisterOp{read(1, 0, 1, "x")}},
		{"restored, and the owner is told", true, []RegisterOp{
			swap(1, 0, 1, Applied, "", "a"), swap(1, 2, 3, Applied, "a", "b"),
			{Event: at(9, 4, 5, Applied), Kind: Set, Put: "a"},
			read(1, 6, 7, "a"), swap(1, 8, 9, Refused, "b", "c"),
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			report, err := CheckRegisters(c.ops, Options{})
			if err != nil || len(report.Undecided) > 0 {
				t.Fatalf("checking gave %+v, %v", report, err)
			}
			if ok := report.Err() == nil; ok != c.ok {
				t.Errorf("found right: %v, want %v", ok, c.ok)
			}
		})
	}
}

func write(client int, call, ret int64, outcome Outcome, first, next int64, payload Value) RowOp {
	return RowOp{Event: at(client, call, ret, outcome), Kind: RowWrite, First: first, Next: next, Payload: payload}
}

func see(call, ret, mark int64, data Value) RowOp {
	return RowOp{Event: at(7, call, ret, Applied), Kind: RowRead, Mark: mark, Data: data}
}

func replacing(o RowOp) RowOp {
	o.Replace = true
	return o
}

func TestRows(t *testing.T) {
	for _, c := range []struct {
		name string
		ok   bool
		ops  []RowOp
	}{
		{"in order", true, []RowOp{
			see(0, 1, 0, ""), write(1, 2, 3, Applied, 4, 5, "a"), see(4, 5, 5, "a"), write(1, 6, 7, Applied, 5, 8, "bc"), see(8, 9, 8, "abc"),
		}},
		{"a zombie is refused", true, []RowOp{
			write(1, 0, 1, Applied, 0, 3, "ab"), write(2, 2, 3, Refused, 0, 1, "a"), write(2, 4, 5, Refused, 2, 4, "bc"), see(6, 7, 3, "ab"),
		}},
		{"lost update: data is behind the mark", false, []RowOp{
			write(1, 0, 1, Applied, 0, 1, "a"), write(1, 2, 3, Applied, 1, 2, "b"), see(4, 5, 2, "b"),
		}},
		{"mark without its data", false, []RowOp{write(1, 0, 1, Applied, 0, 1, "a"), see(2, 3, 1, "")}},
		{"data without its mark", false, []RowOp{write(1, 0, 1, Applied, 0, 1, "a"), see(2, 3, 0, "a")}},
		{"stale read", false, []RowOp{
			write(1, 0, 1, Applied, 0, 1, "a"), write(1, 2, 3, Applied, 1, 2, "b"), see(4, 5, 1, "a"),
		}},
		{"refused, and yet it took effect", false, []RowOp{
			write(1, 0, 1, Applied, 0, 3, "ab"), write(2, 2, 3, Refused, 0, 1, "a"), see(4, 5, 3, "aba"),
		}},
		{"refused without a cause", false, []RowOp{write(1, 0, 1, Refused, 0, 1, "a"), see(2, 3, 0, "")}},
		{"applied twice", false, []RowOp{write(1, 0, 1, Applied, 0, 1, "a"), see(2, 3, 1, "aa")}},
		{"unknown and applied twice", false, []RowOp{
			write(1, 0, 1, Unknown, 0, 1, "a"), see(2, 3, 1, "a"), see(4, 5, 1, "aa"),
		}},
		{"applied under a higher mark", false, []RowOp{
			write(1, 0, 1, Applied, 0, 3, "ab"), write(2, 2, 3, Applied, 1, 2, "b"),
		}},
		{"two batch cuts, one lost answer", true, []RowOp{
			write(1, 0, 1, Unknown, 0, 3, "abc"), write(2, 2, 5, Applied, 0, 1, "a"), write(2, 6, 9, Applied, 1, 3, "bc"), see(10, 11, 3, "abc"),
		}},
		{"late, after the takeover", true, []RowOp{
			write(1, 0, 1, Unknown, 0, 3, "abc"), see(2, 3, 0, ""), see(40, 41, 3, "abc"), write(2, 42, 43, Refused, 0, 1, "a"),
		}},
		{"a put replaces", true, []RowOp{
			replacing(write(1, 0, 1, Applied, 0, 1, "a")), replacing(write(1, 2, 3, Applied, 1, 2, "b")), see(4, 5, 2, "b"),
		}},
		{"and takes the place of all", false, []RowOp{
			replacing(write(1, 0, 1, Applied, 0, 1, "a")), replacing(write(1, 2, 3, Applied, 1, 2, "b")), see(4, 5, 2, "ab"),
		}},
		{"restored and filled again", true, []RowOp{
			write(1, 0, 1, Applied, 0, 1, "a"), write(1, 2, 3, Applied, 1, 2, "b"),
			{Event: at(9, 4, 5, Applied), Kind: RowSet, Mark: 1, Data: "a"},
			write(2, 6, 7, Applied, 1, 2, "b"), see(8, 9, 2, "ab"),
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			report, err := CheckRows(c.ops, Options{})
			if err != nil || len(report.Undecided) > 0 {
				t.Fatalf("checking gave %+v, %v", report, err)
			}
			if ok := report.Err() == nil; ok != c.ok {
				t.Errorf("found right: %v, want %v", ok, c.ok)
			}
		})
	}
}

// A wrong key is named and shown, and does not hide in the company of right ones.
func TestAWrongKeyIsShown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pages")
	bad := []RegisterOp{swap(1, 0, 1, Applied, "", "\x01\xff"), read(2, 2, 3, "")}
	good := swap(1, 0, 1, Applied, "", "a")
	good.Key = "s/t/1"
	report, err := CheckRegisters(append(bad, good), Options{Dir: dir, Name: "seed 7 "})
	if err != nil {
		t.Fatal(err)
	}
	if report.Keys != 2 || report.Ops != 3 || len(report.Wrong) != 1 || report.Wrong[0].Key != "s/t/0" {
		t.Fatalf("the report is %+v", report)
	}
	page, err := os.ReadFile(report.Wrong[0].Page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"absent to 01ff: applied", "read absent"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not hold %q", want)
		}
	}
	if text := report.Err().Error(); !strings.Contains(text, "s/t/0") || !strings.Contains(text, report.Wrong[0].Page) {
		t.Errorf("the error %q names neither key nor page", text)
	}
}

// What can't be decided in time is not called right.
func TestUndecidedIsNotRight(t *testing.T) {
	var ops []RowOp
	for i := range int64(40) {
		ops = append(ops, write(int(i), 0, 1, Unknown, i, i+1, Value(fmt.Sprint(i, ","))))
	}
	ops = append(ops, see(2, 3, 40, "no subset of them gives this"))
	report, err := CheckRows(ops, Options{Budget: 50 * time.Millisecond})
	if err != nil || len(report.Undecided) != 1 || len(report.Wrong) != 0 || report.Err() == nil {
		t.Errorf("checking gave %+v, %v", report, err)
	}
}

func TestARecordWithoutSenseIsRefused(t *testing.T) {
	for _, o := range []RegisterOp{
		{},
		{Event: at(1, 0, 1, "maybe"), Kind: Read},
		{Event: at(1, 0, 1, Applied), Kind: "cas"},
		{Event: at(1, 0, 1, Refused), Kind: Read},
		{Event: at(1, 0, 1, Unknown), Kind: Read},
		{Event: at(1, 5, 1, Applied), Kind: Swap},
	} {
		if _, err := CheckRegisters([]RegisterOp{o}, Options{}); err == nil {
			t.Errorf("%+v was checked", o)
		}
	}
	for _, o := range []RowOp{
		{},
		{Event: at(1, 0, 1, Applied), Kind: RowWrite, First: 3, Next: 3},
		{Event: at(1, 0, 1, Refused), Kind: RowSet},
		{Event: at(1, 0, 1, Unknown), Kind: RowRead},
		{Event: at(1, 0, 1, ""), Kind: RowRead},
	} {
		if _, err := CheckRows([]RowOp{o}, Options{}); err == nil {
			t.Errorf("%+v was checked", o)
		}
	}
}

// The recorders are used by several clients at once, on a register that is one, and on one that is not.
func TestRecorders(t *testing.T) {
	for _, broken := range []bool{false, true} {
		var mu sync.Mutex
		var value, data string
		var mark int64
		var regs Registers
		var rows Rows
		var wg sync.WaitGroup
		for client := range 4 {
			wg.Go(func() {
				for i := range 25 {
					c := regs.Read(client, "k")
					mu.Lock()
					seen := value
					mu.Unlock()
					c.Got([]byte(seen))
					put := fmt.Sprint(client, ":", i)
					c = regs.Swap(client, "k", []byte(seen), []byte(put))
					mu.Lock()
					out := Refused
					if value == seen {
						out = Applied
						if !broken || i%7 != 3 {
							value = put
						}
					}
					mu.Unlock()
					if i%5 == 4 {
						continue // its answer is lost
					}
					c.Ended(out)
				}
			})
			wg.Go(func() {
				for i := range int64(25) {
					c := rows.Write(client, "r", i, i+1, []byte{byte('a' + i)}, false)
					mu.Lock()
					out := Refused
					if mark <= i || broken {
						mark, data, out = i+1, data+string(rune('a'+i)), Applied
					}
					mu.Unlock()
					c.Ended(out)
					c = rows.Read(client, "r")
					mu.Lock()
					m, d := mark, data
					mu.Unlock()
					c.Got(m, []byte(d))
				}
			})
		}
		wg.Wait()
		regs.Read(0, "k") // without an end: left out
		a, err := CheckRegisters(regs.Ops(), Options{})
		if err != nil || a.Ops != 200 || (len(a.Wrong) == 1) != broken || len(a.Undecided) > 0 {
			t.Errorf("broken %v: the register's report is %+v, %v", broken, a, err)
		}
		b, err := CheckRows(rows.Ops(), Options{})
		if err != nil || b.Ops != 200 || (len(b.Wrong) == 1) != broken || len(b.Undecided) > 0 {
			t.Errorf("broken %v: the row's report is %+v, %v", broken, b, err)
		}
	}
}

func TestOperationsAsJSON(t *testing.T) {
	in := []RegisterOp{swap(1, 2, 3, Unknown, "\xff\x00", "text")}
	raw, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out []RegisterOp
	if err := json.Unmarshal(raw, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%s was read as %+v, %v", raw, out, err)
	}
	rows := []RowOp{write(1, 2, 3, Applied, 4, 5, "\x80")}
	if raw, err = json.Marshal(rows); err != nil {
		t.Fatal(err)
	}
	var back []RowOp
	if err := json.Unmarshal(raw, &back); err != nil || !reflect.DeepEqual(rows, back) {
		t.Errorf("%s was read as %+v, %v", raw, back, err)
	}
}
