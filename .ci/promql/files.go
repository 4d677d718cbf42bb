package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"

	"go.yaml.in/yaml/v3"
)

// query is an expression, and the texts that show labels of its result.
type query struct {
	where, expr string
	texts       []string
}

func load(path string, decode func([]byte, any) error, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := decode(text, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func alerts(path string) ([]query, error) {
	var file struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Annotations map[string]string
			}
		}
	}
	if err := load(path, yaml.Unmarshal, &file); err != nil {
		return nil, err
	}
	var out []query
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			q := query{where: r.Alert, expr: r.Expr}
			for _, a := range r.Annotations {
				q.texts = append(q.texts, a)
			}
			out = append(out, q)
		}
	}
	return out, nil
}

// valuesRE takes the selector out of a variable's query.
var valuesRE = regexp.MustCompile(`^label_values\((.+), (\w+)\)$`)

func dashboard(path string) ([]query, error) {
	var file struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr, LegendFormat string }
		}
		Templating struct {
			List []struct {
				Name  string
				Query any
			}
		}
		Annotations struct {
			List []struct{ Name, Expr, TitleFormat string }
		}
	}
	if err := load(path, json.Unmarshal, &file); err != nil {
		return nil, err
	}
	var out []query
	for _, p := range file.Panels {
		for _, t := range p.Targets {
			out = append(out, query{p.Title, t.Expr, []string{t.LegendFormat}})
		}
	}
	for _, a := range file.Annotations.List {
		out = append(out, query{a.Name, a.Expr, []string{a.TitleFormat}})
	}
	for _, v := range file.Templating.List {
		if q, ok := v.Query.(map[string]any); ok {
			m := valuesRE.FindStringSubmatch(fmt.Sprint(q["query"]))
			if m == nil {
				return nil, fmt.Errorf("%s: the variable %s is not label_values(selector, label)", path, v.Name)
			}
			out = append(out, query{"variable " + v.Name, m[1], []string{"{{" + m[2] + "}}"}})
		}
	}
	return out, nil
}
