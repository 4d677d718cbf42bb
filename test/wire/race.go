//go:build race

package main

// perCore is how many histories a core plays at once: the race detector makes them six times as dear.
const perCore = 5
