package matrix

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Matrix is the counts so far. It is safe for concurrent use; the zero value is ready.
type Matrix struct {
	mu       sync.Mutex
	cells    map[cell]count
	columns  []string
	points   map[string]bool
	bad      int
	cases    int
	skipped  int
	examples []string
}

type cell struct{ effect, instant, column string }

type count struct{ cases, bad int }

// most is how many violations are kept in words.
const most = 40

// Column names a column, in the order of printing; columns not named come after, sorted.
func (m *Matrix) Column(names ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, n := range names {
		if !slices.Contains(m.columns, n) {
			m.columns = append(m.columns, n)
		}
	}
}

// Case counts one case at a point, which any text names, and what was wrong with it. errs empty: nothing.
func (m *Matrix) Case(effect, instant, column, point, what string, errs []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cells == nil {
		m.cells, m.points = map[cell]count{}, map[string]bool{}
	}
	if !slices.Contains(m.columns, column) {
		m.columns = append(m.columns, column)
	}
	k := cell{effect, instant, column}
	c := m.cells[k]
	c.cases++
	m.cases++
	m.points[point] = true
	if len(errs) > 0 {
		c.bad++
		m.violate(what, errs)
	}
	m.cells[k] = c
}

// Skip counts a case that could not be run, because its point did not come again.
func (m *Matrix) Skip() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.skipped++
}

// Violation counts something wrong that is no case's.
func (m *Matrix) Violation(what string, errs ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.violate(what, errs)
}

func (m *Matrix) violate(what string, errs []string) {
	m.bad++
	if len(m.examples) < most {
		m.examples = append(m.examples, what+": "+strings.Join(errs[:min(3, len(errs))], "; "))
	}
}

// Reached gives the effects at which a case was run.
func (m *Matrix) Reached() map[string]bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string]bool{}
	for k, c := range m.cells {
		if c.cases > 0 {
			out[k.effect] = true
		}
	}
	return out
}

// Totals are the points at which something was run, the cases, and the violations.
func (m *Matrix) Totals() (points, cases, violations int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.points), m.cases, m.bad
}

// Print writes the table: for each effect and instant the cases in each column, violations after a !, and the first
// violations in words.
func (m *Matrix) Print(w io.Writer, title string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	rows := map[[2]string]bool{}
	for k := range m.cells {
		rows[[2]string{k.effect, k.instant}] = true
	}
	order := slices.SortedFunc(maps.Keys(rows), func(a, b [2]string) int {
		if a[0] != b[0] {
			return strings.Compare(a[0], b[0])
		}
		return rank(a[1]) - rank(b[1])
	})
	var b strings.Builder
	fmt.Fprintf(&b, "%-26s %-9s", title, "crash")
	for _, c := range m.columns {
		fmt.Fprintf(&b, " %11s", c)
	}
	b.WriteByte('\n')
	for _, r := range order {
		fmt.Fprintf(&b, "%-26s %-9s", r[0], r[1])
		for _, col := range m.columns {
			c := m.cells[cell{r[0], r[1], col}]
			text := fmt.Sprint(c.cases)
			if c.cases == 0 {
				text = "-"
			}
			if c.bad > 0 {
				text += fmt.Sprintf("!%d", c.bad)
			}
			fmt.Fprintf(&b, " %11s", text)
		}
		b.WriteByte('\n')
	}
	if m.skipped > 0 {
		fmt.Fprintf(&b, "%d points did not come again, and were left out\n", m.skipped)
	}
	for _, e := range m.examples {
		fmt.Fprintf(&b, "violation: %s\n", e)
	}
	_, _ = io.WriteString(w, b.String()) // there is nowhere to tell of a failure
}

func rank(instant string) int { return slices.Index([]string{"before", "landed", "answered"}, instant) }
