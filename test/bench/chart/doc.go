// Package chart draws the figures of a benchmark as SVG: panels of bars on a white ground, with whiskers from the least
// to the most. It knows nothing of what was measured, and fetches nothing: text stays text, in whatever sans-serif font the
// reader has.
package chart
