// Command promql checks the expressions of the alerts and of the dashboard in docker by Prometheus's own parser: that they parse,
// and name only metrics and labels that docs/metrics.md has. It is a module of its own, since that parser's module asks for more
// than rowmark should.
package main
