package main

import (
	"github.com/spf13/cobra"

	"github.com/agntn/conform/suite/sample"
)

func newServe(s streams) *cobra.Command {
	c := &cobra.Command{
		Use:                "serve [clean | FAULT...]",
		Short:              "Be the built-in sample server, right or with named faults",
		Long:               "Speaks MCP over stdio, or over HTTP with --http ADDR. 'conform list faults' names the faults.",
		DisableFlagParsing: true,
		ValidArgsFunction: func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			names := []string{"clean", "--http"}
			for _, f := range sample.Faults() {
				names = append(names, f.Name)
			}
			return completions(names, typed, false)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if code := sample.Main(cmd.Context(), args, s.in, s.out, s.err); code != 0 {
				return &exitError{code: code}
			}
			return nil
		},
	}
	return c
}
