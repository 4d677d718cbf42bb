// Package status is what a running connector tells of itself: to its metrics, its probes and its status page. It holds types
// alone, and knows nothing of those who fill or show them.
package status
