package report

import (
	"regexp"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
)

// link is a basis as the page shows it; a named source has no URL.
type link struct {
	Text, URL string
}

var (
	specPage     = regexp.MustCompile(`^(?:basic|server|client|schema|architecture|changelog)(?:/[a-z0-9-]+)*(?:#[A-Za-z0-9_.-]+)?$`)
	specRevision = regexp.MustCompile(`^20\d\d-\d\d-\d\d$`)
)

// modern is the first revision without a handshake; a basis "a | b" names the page
// of the revisions before it and the page from then on.
const modern = "2026-07-28"

// specLinks turns the basis of a finding into links to the specification's own
// site, at the revision that was judged.
func specLinks(basis []string, revision string, offered []string) []link {
	if !specRevision.MatchString(revision) {
		revision = newest(offered)
	}
	var out []link
	for _, b := range basis {
		before, after, two := strings.Cut(b, "|")
		if two && revision >= modern {
			before = after
		}
		page := strings.TrimSpace(before)
		l := link{Text: Visible(Bound(page, shortText))}
		if specPage.MatchString(page) {
			l.URL = "https://modelcontextprotocol.io/specification/" + revision + "/" + strings.Replace(page, "/index", "", 1)
		}
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// basis shows what a check rests on, nil when nothing is named.
func basis(links []link) g.Node {
	if len(links) == 0 {
		return nil
	}
	return el("div", class("basis"), el("span", class("dim"), text("Basis")), each(links, func(l link) g.Node {
		return g.Group{text(" "), l.node()}
	}))
}

func (l link) node() g.Node {
	if to := away(l.URL); to != nil {
		return el("a", to, text(l.Text))
	}
	return el("span", text(l.Text))
}

// BasisLines names the sources of a check, one a line, each with its address at
// the newest revision it knows where there is one.
func BasisLines(basis []string) []string {
	var out []string
	for _, l := range specLinks(basis, "", nil) {
		if l.URL != "" {
			l.Text += "  " + l.URL
		}
		out = append(out, l.Text)
	}
	return out
}

// newest is the latest revision of a list, or the last one with a handshake.
func newest(revisions []string) string {
	best := ""
	for _, r := range revisions {
		if specRevision.MatchString(r) {
			best = max(best, r)
		}
	}
	if best == "" {
		return "2025-11-25"
	}
	return best
}
