package lint

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strconv"
)

// coreFolder is the pure state machine: the same events give the same actions, or a simulated history could not be
// replayed from its seed.
const coreFolder = "connector/core"

// impure are packages through which a clock, chance, the system or other goroutines would come in.
var impure = []string{
	"math/rand", "math/rand/v2", "crypto/rand", "net", "net/http", "os", "os/exec", "os/signal", "syscall", "io/fs",
	"sync", "sync/atomic", "context", "runtime", "log", "log/slog", "maphash", "hash/maphash", "unsafe",
}

// impureTime are the functions of package time that read or wait for a clock.
var impureTime = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"}

// PureCore reports clocks, chance, sockets, files, goroutines and channels in connector/core, tests left out.
func PureCore(files []File) []string {
	var found []string
	for _, s := range parse(files) {
		if path.Dir(s.Path) != coreFolder || s.Test() {
			continue
		}
		clock := ""
		for _, i := range s.tree.Imports {
			p, _ := strconv.Unquote(i.Path.Value)
			if slices.Contains(impure, p) {
				found = append(found, fmt.Sprintf("%s: imports %s: the core must be replayable from its events", s.at(i), p))
			}
			if p == "time" {
				clock = "time"
				if i.Name != nil {
					clock = i.Name.Name
				}
			}
		}
		ast.Inspect(s.tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				found = append(found, s.at(n)+": a go statement: the core runs in its caller's goroutine")
			case *ast.ChanType, *ast.SelectStmt, *ast.SendStmt:
				found = append(found, s.at(n)+": a channel: events come in by calls, in an order that is recorded")
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && clock != "" && x.Name == clock && slices.Contains(impureTime, n.Sel.Name) {
					found = append(found, fmt.Sprintf("%s: time.%s: time comes in with the events", s.at(n), n.Sel.Name))
				}
			}
			return true
		})
	}
	return found
}
