package main

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// grafana are the variables of dashboards, with a value that parses in their place.
var grafana = []struct {
	variable *regexp.Regexp
	value    string
}{
	{regexp.MustCompile(`\$__(rate_interval|range|interval)\b`), "5m"},
	{regexp.MustCompile(`\$(instance|topic)\b`), "x"},
}

// placeRE finds the labels that a text shows: {{topic}} of a legend, {{ $labels.topic }} of an alert.
var placeRE = regexp.MustCompile(`\{\{\s*(?:\$labels\.)?([a-z]+)\s*\}\}`)

// check gives what is wrong with an expression, and with the texts that show the labels of its result.
func (k known) check(expr string, texts ...string) []string {
	for _, g := range grafana {
		expr = g.variable.ReplaceAllString(expr, g.value)
	}
	tree, err := parser.NewParser(parser.Options{}).ParseExpr(expr)
	if err != nil {
		return []string{fmt.Sprintf("%s: %v", expr, err)}
	}
	var found []string
	wrong := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)+": "+expr) }
	parser.Inspect(tree, func(n parser.Node, _ []parser.Node) error {
		switch n := n.(type) {
		case *parser.VectorSelector:
			k.selector(n, wrong)
		case *parser.AggregateExpr:
			k.has(n.Expr, n.Grouping, wrong)
		case *parser.BinaryExpr:
			if m := n.VectorMatching; m != nil {
				k.has(n.LHS, m.MatchingLabels, wrong)
				k.has(n.RHS, m.MatchingLabels, wrong)
				k.has(n, m.Include, wrong)
			}
		}
		return nil
	})
	for _, text := range texts {
		for _, m := range placeRE.FindAllStringSubmatch(text, -1) {
			k.shows(tree, m[1], wrong)
		}
	}
	return found
}

func (k known) selector(n *parser.VectorSelector, wrong func(string, ...any)) {
	have, ok := k[n.Name]
	if !ok {
		wrong("there is no metric %s", n.Name)
		return
	}
	for _, m := range n.LabelMatchers {
		if m.Name != labels.MetricName && !slices.Contains(have, m.Name) && !slices.Contains(scraped, m.Name) {
			wrong("%s has no label %s", n.Name, m.Name)
		}
	}
}

// has looks for labels among those of the metrics below a node.
func (k known) has(n parser.Expr, names []string, wrong func(string, ...any)) {
	below := k.below(n)
	for _, name := range names {
		if !slices.Contains(below, name) {
			wrong("nothing here has a label %s", name)
		}
	}
}

// shows looks for a label in the result of an expression: those of an aggregation are the ones it names.
func (k known) shows(n parser.Expr, name string, wrong func(string, ...any)) {
	left := k.below(n)
	parser.Inspect(n, func(n parser.Node, _ []parser.Node) error {
		if a, ok := n.(*parser.AggregateExpr); ok && !a.Without {
			left = slices.DeleteFunc(left, func(l string) bool { return slices.Contains(k.below(a.Expr), l) && !slices.Contains(a.Grouping, l) })
		}
		return nil
	})
	if !slices.Contains(left, name) {
		wrong("the result has no label %s", name)
	}
}

func (k known) below(n parser.Expr) []string {
	out := slices.Clone(scraped)
	parser.Inspect(n, func(n parser.Node, _ []parser.Node) error {
		if v, ok := n.(*parser.VectorSelector); ok {
			out = append(out, k[v.Name]...)
		}
		return nil
	})
	return out
}
