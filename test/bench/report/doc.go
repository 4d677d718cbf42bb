// Package report turns the figures of a benchmark into Markdown: medians, spreads, ratios, tables, and the parts of a
// README that are made by the command. It measures nothing.
package report
