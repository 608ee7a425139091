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
		RunE: func(cmd *cobra.Command, args []string) error {
			if code := sample.Main(cmd.Context(), args, s.in, s.out, s.err); code != 0 {
				return &exitError{code: code}
			}
			return nil
		},
	}
	return c
}
