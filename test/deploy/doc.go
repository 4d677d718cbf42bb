// Package deploy holds no program: its tests read the files that rowmark is deployed with (docker/, deploy/) by the libraries
// of those who will read them in earnest. It is a module of its own, so that these don't become rowmark's.
package deploy
