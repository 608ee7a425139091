package requirements

import "strings"

// site is where the specification is published, one folder a revision.
const site = "https://modelcontextprotocol.io/specification/"

// Links returns the addresses of the sections in the order of Sections. A
// section that is not a page of the specification (an extension) has no link.
func (r Requirement) Links() []string {
	var links []string
	for _, s := range r.Sections {
		page, anchor, found := strings.Cut(s, "#")
		rev := r.revisionOf(page)
		if strings.Contains(page, " ") || rev == "" {
			continue
		}
		link := site + rev + "/" + strings.TrimSuffix(page, "/index")
		if found {
			link += "#" + anchor
		}
		links = append(links, link)
	}
	return links
}

// revisionOf returns the newest revision of the requirement that has the page.
// 2026-07-28 moved some pages and brought others, so a rule for older revisions
// can point to a page of the newest one.
func (r Requirement) revisionOf(page string) string {
	const newest = "2026-07-28"
	switch page {
	case "basic/lifecycle", "basic/transports", "basic/utilities/ping",
		"basic/utilities/cancellation", "basic/utilities/progress", "basic/utilities/tasks":
		for i := len(r.Revisions) - 1; i >= 0; i-- {
			if r.Revisions[i] != newest {
				return r.Revisions[i]
			}
		}
		return "2025-11-25"
	case "basic/versioning", "server/discover", "server/utilities/caching":
		return newest
	}
	if strings.HasPrefix(page, "basic/patterns/") || strings.HasPrefix(page, "basic/transports/") {
		return newest
	}
	if len(r.Revisions) == 0 {
		return ""
	}
	return r.Revisions[len(r.Revisions)-1]
}
