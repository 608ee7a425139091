package main

import (
	"os"
	"time"

	"github.com/mattn/go-shellwords"
	"github.com/spf13/cobra"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
)

func newRun(s streams) *cobra.Command {
	var cmdline, url, client, profile, allow, jsonFile, htmlFile string
	var globs, revisions []string
	c := &cobra.Command{
		Use:   "run [flags] [-- command args...]",
		Short: "Run the checks against a server",
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg := suite.Config{Profile: scenarios.Profile(profile), Allow: suite.Allow(allow), Scenarios: globs, Revisions: revisions, Version: versionText()}
			cfg.Target.URL = url
			cfg.Target.Command = args
			if cmdline != "" {
				words, err := shellwords.Parse(cmdline)
				if err != nil {
					return usage("--cmd %q: %v", cmdline, err)
				}
				cfg.Target.Command = words
			}
			if cfg.Target.URL == "" && len(cfg.Target.Command) == 0 {
				self, err := os.Executable()
				if err != nil {
					return err
				}
				cfg.Target.Command = []string{self, "serve"}
			}
			set, err := fakes.Load()
			if err != nil {
				return err
			}
			if client != "" {
				if cfg.Clients, err = set.Select(client); err != nil {
					return usage("%v", err)
				}
			}
			r, _, err := suite.Run(cmd.Context(), cfg)
			if err != nil {
				return usage("%v", err)
			}
			if jsonFile != "" {
				f := os.Stdout
				if jsonFile != "-" {
					if f, err = os.Create(jsonFile); err != nil {
						return usage("%v", err)
					}
				}
				if err := report.WriteJSON(f, r); err != nil {
					return err
				}
			}
			if htmlFile != "" {
				f, err := os.Create(htmlFile)
				if err != nil {
					return usage("%v", err)
				}
				if err := report.WriteHTML(f, r, report.HTMLOptions{}); err != nil {
					return err
				}
				f.Close()
			}
			_ = time.Now
			return &exitError{code: r.Exit}
		},
	}
	f := c.Flags()
	f.StringVar(&cmdline, "cmd", "", "command")
	f.StringVar(&url, "url", "", "url")
	f.StringVar(&client, "client", "", "clients")
	f.StringVar(&profile, "profile", "hosts", "profile")
	f.StringVar(&allow, "allow", "read-only", "allow")
	f.StringVar(&jsonFile, "json", "", "json")
	f.StringVar(&htmlFile, "html", "", "html")
	f.StringSliceVar(&globs, "scenario", nil, "globs")
	f.StringSliceVar(&revisions, "revision", nil, "revisions")
	return c
}
