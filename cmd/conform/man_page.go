package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manPage is the manual page of a command in the man macros of roff.
func manPage(c *cobra.Command, day time.Time) string {
	c.InitDefaultHelpFlag()
	var p roff
	p.macro("nh") // options are not to be hyphenated
	p.macro("TH", strings.ToUpper(manName(c)), "1", day.Format(time.DateOnly), "conform "+versionText(), "conform")
	p.macro("SH", "NAME")
	p.text(manName(c) + " - " + c.Short)
	p.macro("SH", "SYNOPSIS")
	p.line(bold(c.UseLine()))
	p.macro("SH", "DESCRIPTION")
	p.prose(cmp.Or(c.Long, c.Short))
	p.options("OPTIONS", c.NonInheritedFlags())
	p.options("OPTIONS INHERITED FROM PARENT COMMANDS", c.InheritedFlags())
	if c.Example != "" {
		p.macro("SH", "EXAMPLES")
		p.verbatim(strings.Split(c.Example, "\n"))
	}
	p.seeAlso(c)
	return p.String()
}

// options lists flags, each with what it takes, what it does and its default.
func (p *roff) options(head string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	p.macro("SH", head)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		takes, does := pflag.UnquoteUsage(f)
		name := bold("--" + f.Name)
		if f.Shorthand != "" {
			name = bold("-"+f.Shorthand) + ", " + name
		}
		if takes != "" {
			name += " " + italic(takes)
		}
		switch f.DefValue {
		case "", "0", "0s", "false", "[]": // nothing, or what the text tells
		default:
			does += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		p.macro("TP")
		p.line(name)
		p.text(does)
	})
}

// seeAlso names the pages above and below.
func (p *roff) seeAlso(c *cobra.Command) {
	var pages []string
	if c.HasParent() {
		pages = append(pages, bold(manName(c.Parent())+"(1)"))
	}
	for _, sub := range documented(c) {
		pages = append(pages, bold(manName(sub)+"(1)"))
	}
	if len(pages) > 0 {
		p.macro("SH", "SEE ALSO")
		p.line(strings.Join(pages, ",\n"))
	}
}

// roff gathers the lines of a page.
type roff struct{ strings.Builder }

// line adds what is roff already.
func (p *roff) line(s string) { p.WriteString(s + "\n") }

// macro adds a request with arguments that are plain text. Dates are read with
// plain hyphens alone.
func (p *roff) macro(name string, args ...string) {
	for _, a := range args {
		name += ` "` + strings.NewReplacer(`"`, `\(dq`, `\-`, "-").Replace(escaped(a)) + `"`
	}
	p.line("." + name)
}

// text adds a line of plain text.
func (p *roff) text(s string) {
	s = escaped(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s // not a request
	}
	p.line(s)
}

// prose adds paragraphs as the help of commands has them: lines that begin with a
// tab or two spaces are shown as they are, those with #### are headings.
func (p *roff) prose(s string) {
	start := true // a heading begins a paragraph by itself
	for _, block := range strings.Split(strings.Trim(s, "\n"), "\n\n") {
		if head, ok := strings.CutPrefix(block, "#### "); ok {
			p.macro("SS", head)
			start = true
			continue
		}
		if !start {
			p.macro("PP")
		}
		start = false
		lines := strings.Split(block, "\n")
		if strings.HasPrefix(block, "\t") || strings.HasPrefix(block, "  ") {
			p.verbatim(lines)
			continue
		}
		for _, l := range lines {
			p.text(l)
		}
	}
}

// verbatim adds lines that keep their breaks.
func (p *roff) verbatim(lines []string) {
	p.macro("EX")
	for _, l := range lines {
		p.text(strings.TrimPrefix(l, "\t"))
	}
	p.macro("EE")
}

func bold(s string) string   { return `\fB` + escaped(s) + `\fR` }
func italic(s string) string { return `\fI` + escaped(s) + `\fR` }

// escaped makes plain text of what roff would take for its own or typeset otherwise.
func escaped(s string) string {
	return strings.NewReplacer(`\`, `\(rs`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`).Replace(s)
}
