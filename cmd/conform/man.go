package main

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func newMan(s streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "man [COMMAND] | man --out DIR",
		Short: "Write the manual: one page to stdout, or all pages into a folder",
		Example: `  conform man run | man -l -
  conform man --out /usr/local/share/man/man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if dir, _ := cmd.Flags().GetString("out"); dir != "" {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					return usage("--out: %v", err)
				}
				if err := writeManual(root, dir, built()); err != nil {
					return usage("cannot write the manual: %v", err)
				}
				return nil
			}
			page, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usage("no command is called %q", rest)
			}
			_, err = io.WriteString(s.out, manPage(page, built()))
			return err
		},
	}
	c.Flags().String("out", "", "folder for all pages")
	return c
}

// built is the day that the manual names: SOURCE_DATE_EPOCH where a build sets it,
// so that the same source gives the same pages.
func built() time.Time {
	if seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(seconds, 0).UTC()
	}
	return time.Now().UTC()
}

// writeManual writes the page of c and of every command below it into dir.
func writeManual(c *cobra.Command, dir string, day time.Time) error {
	for _, sub := range documented(c) {
		if err := writeManual(sub, dir, day); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, manName(c)+".1"), []byte(manPage(c, day)), 0o644) //nolint:gosec // manuals are for everyone
}

// documented are the commands below c that have a page.
func documented(c *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			out = append(out, sub)
		}
	}
	return out
}

// manName is the name of the page of c: conform-run.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }
