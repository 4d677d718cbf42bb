package main

import "github.com/spf13/cobra"

func newDemo(*app) *cobra.Command { return &cobra.Command{Use: "demo"} }
