// Package admintest asks admin servers in tests. It knows nothing of what they serve.
package admintest
