package report

import "strings"

// Table is a table in Markdown.
type Table struct {
	Head []string
	Rows [][]string
}

// String writes it, a line for each row. A bar in a cell would end the cell, so it is escaped.
func (t Table) String() string {
	var b strings.Builder
	line := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| ")
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(c, "|", `\|`), "\n", " "))
			b.WriteByte(' ')
		}
		b.WriteString("|\n")
	}
	line(t.Head)
	for range t.Head {
		b.WriteString("|---")
	}
	b.WriteString("|\n")
	for _, r := range t.Rows {
		line(r)
	}
	return b.String()
}
