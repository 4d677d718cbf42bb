package connector_test

import (
	"slices"
	"strings"
	"testing"
)

// Whichever answer of a history is changed, dropped or made up, the comparison must see it.
func TestGoldenSeesAChange(t *testing.T) {
	for name, lines := range histories(t) {
		for i, line := range lines {
			if !strings.HasPrefix(line, outIndent) {
				continue
			}
			changed := slices.Clone(lines)
			changed[i] += "0"
			dropped := slices.Delete(slices.Clone(lines), i, i+1)
			made := slices.Insert(slices.Clone(lines), i, line+"0")
			for how, spoilt := range map[string][]string{"changed": changed, "dropped": dropped, "made up": made} {
				got, err := replay(spoilt)
				if err != nil {
					t.Fatalf("%s: line %d %s: %v", name, i+1, how, err)
				}
				d := diff(spoilt, got)
				if d == "" {
					t.Fatalf("%s: line %d %s, and not seen: %s", name, i+1, how, line)
				}
				if sign := map[string]string{"changed": "+", "dropped": "+", "made up": "-"}[how]; !strings.Contains(d, "\n"+sign+outIndent) && !strings.HasPrefix(d, sign+outIndent) {
					t.Fatalf("%s: line %d %s, and the difference does not show it:\n%s", name, i+1, how, d)
				}
			}
		}
	}
}

// A script that HBase or Kafka could not play is refused: a history must not rest on answers that can't be.
func TestGoldenRefusesTheImpossible(t *testing.T) {
	begin := []string{
		"topic 1", "record a@1000 inc d:n 1", "record a@1001 inc d:n 2",
		"@0s start A", "@0s A assigned", "@0s A checkpoint r1", "@0s A log g1", "@0s A swapped s1 applied", "@0s A swapped s2 applied",
		"@0s A fetched f1 to 2", "@0s A swapped s3 applied",
	}
	for _, c := range []struct{ script, want string }{
		{"@0s A written w1 applied\nexpect a d:n 3", ""},
		{"@0s A written w1 unknown\nexpect a d:n none", ""},
		{"@0s lands w1\nexpect a d:n 3", ""},
		{"@0s A written w1 refused", "condition holds"},
		{"@0s A written w1 applied\nexpect a d:n 4", "holds 3"},
		{"@0s lands w1\n@0s lands w1", "landed before"},
		{"@0s A written w1 applied\n@0s A written w1 applied", "answered before"},
		{"@0s A swapped s3 applied", "answered before"},
		{"@0s A written w9 applied", "no action"},
		{"@0s A written s3 applied", "no action"},
		{"@0s A looked w1 mark 1", "no action"},
		{"@0s A fetched f2 to 9", "log ends at 2"},
		{"@0s crash A\n@0s A tick", "is not running"},
		{"@0s crash A\n@0s start B\n@0s B written w1 applied", "belongs to A"},
		{"@0s A dances", "no such event"},
		{"@0s A written w1 perhaps", "no such outcome"},
		{"@0s A written w1 unknown\n@60ms A tick\n@60ms A looked l1 mark 2", "mark is none"},
		{"@1s A tick\n@0s A tick", "goes back"},
		{"@0s start B lease=never", "lease"},
		{"record a 1000 inc", "reading record"},
	} {
		_, err := replay(append(slices.Clone(begin), strings.Split(c.script, "\n")...))
		if c.want == "" && err != nil {
			t.Errorf("%q: %v", c.script, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: got %v, want an error with %q", c.script, err, c.want)
		}
	}
}

func TestGoldenDiff(t *testing.T) {
	a := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}
	b := []string{"1", "2", "3", "4", "x", "6", "7", "8", "9"}
	if d := diff(a, a); d != "" {
		t.Errorf("of one text and itself:\n%s", d)
	}
	if got, want := diff(a, b), "@@ line 3 @@\n 3\n 4\n-5\n+x\n 6\n 7"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
