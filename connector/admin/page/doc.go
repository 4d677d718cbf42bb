// Package page is the status page of a running connector: one HTML page without outside requests, and the stream of
// snapshots that keeps it live. The page's text is open, the stream is the part to protect: the page asks for a token when
// the stream answers 401. It knows nothing of engines, listeners and tokens: who serves it guards it.
package page
