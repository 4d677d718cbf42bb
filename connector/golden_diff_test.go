package connector_test

import (
	"fmt"
	"strings"
)

// diffContext is the number of equal lines shown around a difference.
const diffContext = 2

// diff shows how to come from text a to text b, like a unified diff; empty if they are the same.
func diff(a, b []string) string {
	// common[i][j] is the length of the longest common part of a[i:] and b[j:].
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	type entry struct {
		line int // of a, from 1
		text string
	}
	var all []entry
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			all = append(all, entry{i + 1, " " + a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			all = append(all, entry{i + 1, "-" + a[i]})
			i++
		default:
			all = append(all, entry{i + 1, "+" + b[j]})
			j++
		}
	}
	var out []string
	shown := 0 // entries below are shown or passed
	for i, e := range all {
		if e.text[0] == ' ' {
			continue
		}
		from := max(shown, i-diffContext)
		if from > shown || shown == 0 {
			out = append(out, fmt.Sprintf("@@ line %d @@", all[from].line))
		}
		for shown = from; shown <= i; shown++ {
			out = append(out, all[shown].text)
		}
		for n := 0; n < diffContext && shown < len(all) && all[shown].text[0] == ' '; n++ {
			out = append(out, all[shown].text)
			shown++
		}
	}
	return strings.Join(out, "\n")
}
