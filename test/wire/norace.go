//go:build !race

package main

// perCore is how many histories a core plays at once: they wait more than they work.
const perCore = 20
