package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// outputs are the files a report goes to; "-" is stdout.
type outputs struct {
	json, html, junit, sarif, markdown, badge, dir string
}

func (o *outputs) bind(l *pflag.FlagSet) {
	l.StringVar(&o.json, "json", "", "write the report as JSON to `FILE`")
	l.StringVar(&o.html, "html", "", "write the report as an HTML page to `FILE`")
	l.StringVar(&o.junit, "junit", "", "write the report as JUnit XML to `FILE`")
	l.StringVar(&o.sarif, "sarif", "", "write the report as SARIF to `FILE`")
	l.StringVar(&o.markdown, "markdown", "", "write the report as Markdown to `FILE`")
	l.StringVar(&o.badge, "badge", "", "write a badge to `FILE`: .svg, or .json for shields")
	l.StringVar(&o.dir, "out", "", "write every format into `DIR`")
}

// stdout says whether one of the formats goes to stdout.
func (o *outputs) stdout() bool {
	for _, f := range []string{o.json, o.html, o.junit, o.sarif, o.markdown, o.badge} {
		if f == "-" {
			return true
		}
	}
	return false
}

// write writes every format that was asked for.
func (o *outputs) write(stdout io.Writer, r report.Report, src report.Sources) error {
	texts, titles, err := texts(scenarios.All())
	if err != nil {
		return err
	}
	locate := func() *report.Locations { return report.Locate(r, src) }
	type format struct {
		file, name string
		write      func(io.Writer) error
	}
	formats := []format{
		{o.json, "report.json", func(w io.Writer) error { return report.WriteJSON(w, r) }},
		{o.html, "report.html", func(w io.Writer) error {
			return report.WriteHTML(w, r, report.HTMLOptions{Texts: texts, Scenarios: titles})
		}},
		{o.junit, "junit.xml", func(w io.Writer) error { return report.WriteJUnit(w, r, texts) }},
		{o.sarif, "conform.sarif", func(w io.Writer) error { return report.WriteSARIF(w, r, texts, locate()) }},
		{o.markdown, "report.md", func(w io.Writer) error { return report.WriteMarkdown(w, r, texts) }},
		{o.badge, "badge.svg", func(w io.Writer) error { return report.WriteBadge(w, r, badgeKind(o.badge, "badge.svg")) }},
	}
	if o.dir != "" {
		if err := os.MkdirAll(o.dir, 0o755); err != nil {
			return usage("--out: %v", err)
		}
		formats = append(formats, format{"", "badge.json", func(w io.Writer) error { return report.WriteBadge(w, r, ".json") }})
	}
	for _, f := range formats {
		if f.file != "" {
			if err := writeFile(f.file, stdout, f.write); err != nil {
				return err
			}
		}
		if o.dir != "" {
			write := f.write
			if f.name == "badge.svg" {
				write = func(w io.Writer) error { return report.WriteBadge(w, r, ".svg") }
			}
			if err := writeFile(filepath.Join(o.dir, f.name), stdout, write); err != nil {
				return err
			}
		}
	}
	return nil
}

func badgeKind(file, standard string) string {
	if ext := filepath.Ext(file); ext != "" {
		return ext
	}
	return filepath.Ext(standard)
}

// writeFile writes beside the file first and then moves into place, so that
// an old report is never lost to a half-written one.
func writeFile(name string, stdout io.Writer, write func(io.Writer) error) error {
	if name == "-" {
		return write(stdout)
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".conform-*")
	if err != nil {
		return usage("cannot write %s: %v", name, err)
	}
	defer os.Remove(tmp.Name())
	err = write(tmp)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(tmp.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return &exitError{report.ExitSuite, fmt.Sprintf("cannot write %s: %v", name, err)}
	}
	return nil
}
