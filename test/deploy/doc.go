// Package deploy holds no program: its tests read the files that rowmark is deployed with (docker/, deploy/) by the libraries
// of those who will read them in earnest. It is a module of its own, so that these don't become rowmark's, and knows nothing
// of rowmark's packages: that the configurations load is a test of test/lint. Run it with -count=1: the files lie outside of
// the module, so that go test does not notice a change of them.
package deploy
