package main

import (
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newMan(s streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "man [COMMAND] | man --out DIR",
		Short: "Write the manual: one page to stdout, or all pages into a folder",
		Example: `  conform man run | man -l -
  conform man --out /usr/local/share/man/man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			header := &doc.GenManHeader{Section: "1", Source: "conform " + versionText(), Manual: "conform", Date: built()}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			if dir, _ := cmd.Flags().GetString("out"); dir != "" {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					return usage("--out: %v", err)
				}
				if err := doc.GenManTree(root, header, dir); err != nil {
					return usage("cannot write the manual: %v", err)
				}
				return nil
			}
			page, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usage("no command is called %q", rest)
			}
			return doc.GenMan(page, header, s.out)
		},
	}
	c.Flags().String("out", "", "folder for all pages")
	return c
}

// built is the day that the manual names: SOURCE_DATE_EPOCH where a build sets it,
// so that the same source gives the same pages.
func built() *time.Time {
	day := time.Now()
	if seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		day = time.Unix(seconds, 0).UTC()
	}
	return &day
}
