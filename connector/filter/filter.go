package filter

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// Filter is a compiled expression. It is safe for concurrent use.
type Filter struct {
	ast     *cel.Ast
	program cel.Program
}

var environment = sync.OnceValue(func() *cel.Env {
	env, err := cel.NewEnv(
		cel.Variable("value", cel.DynType), cel.Variable("key", cel.DynType),
		cel.Variable("before", cel.DynType), cel.Variable("event", cel.DynType), cel.Variable("topic", cel.StringType),
		cel.Variable("partition", cel.IntType), cel.Variable("offset", cel.IntType), cel.Variable("timestamp", cel.IntType),
		cel.Variable("header", cel.MapType(cel.StringType, cel.DynType)), cel.CrossTypeNumericComparisons(true),
	)
	if err != nil {
		panic(fmt.Sprintf("declaring the names of filters: %v", err)) // fixed declarations: can't be
	}
	return env
})

// Compile reads an expression. An error tells line and column.
func Compile(text string) (*Filter, error) {
	ast, issues := environment().Compile(text)
	if issues.Err() != nil {
		first := issues.Errors()[0]
		return nil, fmt.Errorf("at %d:%d: %s", first.Location.Line(), first.Location.Column()+1, first.Message)
	}
	if t := ast.OutputType(); t != cel.BoolType && t != cel.DynType {
		return nil, fmt.Errorf("it gives %s, and a filter gives true or false", t)
	}
	program, err := environment().Program(ast, cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		return nil, err
	}
	return &Filter{ast: ast, program: program}, nil
}

var errNoTruth = errors.New("it gives neither true nor false")

// Passes says whether a record is to be mapped. An error tells the place in the expression, and nothing of the record.
func (f *Filter) Passes(in *Input) (bool, error) {
	out, _, err := f.program.Eval(in)
	if err != nil {
		return false, f.explain(err)
	}
	yes, ok := out.(types.Bool)
	if !ok {
		return false, errNoTruth
	}
	return bool(yes), nil
}

// reasons are what the library says without telling what the record holds; after a colon it may.
var reasons = []string{
	"no such overload", "no such key", "integer overflow", "unsigned integer overflow", "division by zero", "modulus by zero",
	"index out of bounds", errLarge, errFraction,
}

func (f *Filter) explain(err error) error {
	reason := "it can't be evaluated"
	for _, r := range reasons {
		if strings.HasPrefix(err.Error(), r) {
			reason = r
		}
	}
	if e, ok := errors.AsType[*types.Err](err); ok && e.NodeID() != 0 {
		at := f.ast.NativeRep().SourceInfo().GetStartLocation(e.NodeID())
		return fmt.Errorf("at %d:%d: %s", at.Line(), at.Column()+1, reason)
	}
	return errors.New(reason)
}

// FailsWithoutValue says whether a record without a value makes the expression fail, whatever else it has.
func (f *Filter) FailsWithoutValue() error {
	program, err := environment().Program(f.ast, cel.EvalOptions(cel.OptPartialEval))
	if err != nil {
		return err
	}
	var unknown []*cel.AttributePatternType
	for _, name := range []string{"key", "topic", "partition", "offset", "timestamp", "header"} {
		unknown = append(unknown, cel.AttributePattern(name))
	}
	vars, err := cel.PartialVars(map[string]any{"value": types.NullValue, "before": types.NullValue, "event": types.NullValue}, unknown...)
	if err != nil {
		return err
	}
	if _, _, err = program.Eval(vars); err != nil {
		return f.explain(err)
	}
	return nil
}
