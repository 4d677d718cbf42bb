package decode

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func csvOf(columns ...string) *Separated {
	f := &Separated{Word: "csv", Delimiter: ',', Quote: '"'}
	for _, c := range columns {
		f.Columns = append(f.Columns, []byte(c))
	}
	return f
}

func TestSeparated(t *testing.T) {
	null, empty := `\N`, ""
	abc := csvOf("a", "b", "c")
	nulls, empties := *abc, *abc
	nulls.Null, empties.Null = &null, &empty
	tsv := Separated{Word: "tsv", Columns: abc.Columns, Delimiter: '\t', Null: &null}
	semicolon := Separated{Word: "csv", Columns: abc.Columns, Delimiter: ';', Quote: '\''}
	for _, c := range []struct {
		name   string
		format *Separated
		in     string
		want   string // JSON, or a part of the reason, after !
	}{
		{"plain", abc, "1,x y,", `{"a":"1","b":"x y","c":""}`},
		{"line end", abc, "1,2,3\n", `{"a":"1","b":"2","c":"3"}`},
		{"line end of Windows", abc, "1,2,3\r\n", `{"a":"1","b":"2","c":"3"}`},
		{"byte order mark", abc, "\xef\xbb\xbf1,2,3", `{"a":"1","b":"2","c":"3"}`},
		{"byte order mark before a quote", abc, "\xef\xbb\xbf\"1\",2,3", `{"a":"1","b":"2","c":"3"}`},
		{"quoted", abc, `"1","a,b","c"`, `{"a":"1","b":"a,b","c":"c"}`},
		{"doubled quotes", abc, `"""a""",""""," "" "`, `{"a":"\"a\"","b":"\"","c":" \" "}`},
		{"line breaks in quotes", abc, "1,\"a\r\nb\",\"\n\"\n", `{"a":"1","b":"a\u000d\u000ab","c":"\u000a"}`},
		{"spaces belong to the field", abc, ` 1 , 2,3 `, `{"a":" 1 ","b":" 2","c":"3 "}`},
		{"null", &nulls, `\N,"\N",`, `{"a":null,"b":"\\N","c":""}`},
		{"not null", &nulls, `\n,N,\N `, `{"a":"\\n","b":"N","c":"\\N "}`},
		{"empty is null", &empties, `,"",x`, `{"a":null,"b":"","c":"x"}`},
		{"tsv", &tsv, "1\t\"a\"\t\\N", `{"a":"1","b":"\"a\"","c":null}`},
		{"other characters right", &semicolon, `'1;''';",";2`, `{"a":"1;'","b":"\",\"","c":"2"}`},
		{"too few", abc, "1,2", "!it has 2 fields, and columns names 3"},
		{"too many", abc, "1,2,3,4,5", "!it has 5 fields, and columns names 3"},
		{"too many and quoted", abc, `1,2,3,"a""b"`, "!it has 4 fields, and columns names 3"},
		{"empty", abc, "", "!it has 1 fields, and columns names 3"},
		{"one column", csvOf("a"), "", `{"a":""}`},
		{"two lines", abc, "1,2,3\n4,5,6", "!reading field 3: it has more than one line"},
		{"two line ends", abc, "1,2,3\n\n", "!it has more than one line"},
		{"open quote", abc, `1,2,"3`, "!reading field 3: a quote is not closed"},
		{"quote within", abc, `1,2"3",4`, "!reading field 2: a quote stands in a field"},
		{"text behind a quote", abc, `1,"2"3,4`, "!reading field 2: text stands behind the quote"},
		{"not UTF-8", abc, "1,2,\xff", "!not valid UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var tree Tree
			v, err := c.format.Decode(&tree, []byte(c.in))
			if reason, bad := strings.CutPrefix(c.want, "!"); bad {
				if err == nil || !strings.Contains(err.Error(), reason) {
					t.Errorf("got %v, %v", err, v.any())
				}
				return
			}
			if err != nil || string(v.AppendJSON(nil)) != c.want {
				t.Errorf("got %s, %v; want %s", v.AppendJSON(nil), err, c.want)
			}
		})
	}
}

// What encoding/csv writes as one record is read as it was; and what is read, encoding/csv reads alike.
func TestSeparatedAgreesWithEncodingCSV(t *testing.T) {
	field := rapid.StringOf(rapid.SampledFrom([]rune("ab,\"\n é;")))
	rapid.Check(t, func(t *rapid.T) {
		fields := rapid.SliceOfN(field, 1, 5).Draw(t, "fields")
		var buf bytes.Buffer
		w := csv.NewWriter(&buf)
		_ = w.Write(fields)
		w.Flush()
		text := buf.Bytes()
		if rapid.Bool().Draw(t, "break") {
			i := rapid.IntRange(0, len(text)-1).Draw(t, "at")
			text[i] = rapid.SampledFrom([]byte("\",a\n")).Draw(t, "byte")
		}
		r := csv.NewReader(bytes.NewReader(text))
		want, err := r.Read()
		if err == nil {
			if _, more := r.Read(); more != io.EOF {
				err = errLines
			}
		}
		if !utf8.Valid(text) || bytes.HasPrefix(text, []byte("\n")) || bytes.HasSuffix(text, []byte("\n\n")) {
			return // what the other takes, and empty lines, which it passes over
		}
		columns := csvOf()
		for i := range max(1, len(want)) {
			columns.Columns = append(columns.Columns, fmt.Append(nil, i))
		}
		var tree Tree
		v, mine := columns.Decode(&tree, text)
		if (err == nil) != (mine == nil) && err != nil {
			t.Fatalf("%q is read, and encoding/csv says %v", text, err)
		}
		if err != nil {
			return
		}
		if mine != nil {
			t.Fatalf("%q: %v", text, mine)
		}
		for i, w := range want {
			if got := v.At1(fmt.Sprint(i)); string(got.Text) != w {
				t.Fatalf("%q: field %d is %q, want %q", text, i, got.Text, w)
			}
		}
	})
}

func TestSeparatedAllocatesNothing(t *testing.T) {
	f := csvOf("a", "b", "c")
	var tree Tree
	data := []byte(`1,"a,b",text`)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := f.Decode(&tree, data); err != nil {
			t.Fatal(err)
		}
		tree.Drop()
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
