package report

import (
	"fmt"
	"strings"
)

// Part rewrites what stands between a part's two marker comments, and leaves all else as it is. A page without them,
// or with them twice, is an error: nothing is guessed.
func Part(page, name, text string) (string, error) {
	begin, end := "<!-- bench: "+name+" -->", "<!-- end of bench: "+name+" -->"
	for _, m := range []string{begin, end} {
		if n := strings.Count(page, m); n != 1 {
			return "", fmt.Errorf("rewriting the part %q: the page holds the comment %s %d times, want once", name, m, n)
		}
	}
	before, rest, _ := strings.Cut(page, begin)
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		return "", fmt.Errorf("rewriting the part %q: its end stands before its beginning", name)
	}
	return before + begin + "\n" + strings.TrimSpace(text) + "\n" + end + after, nil
}
