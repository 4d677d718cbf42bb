// Package config is rowmark's YAML file as one struct: read strictly, checked as a whole, every fault named with
// file, line, key, what stands there and what is allowed. Settings from the environment and from flags are laid
// over the file as Overrides before anything is checked, and are named as the origin of their faults.
//
// No password is part of the struct: the file names the file or environment variable that holds it.
package config
