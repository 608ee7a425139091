package ajv

import "strings"

// resolveURL resolves a reference against a base URI by RFC 3986.
func resolveURL(base, ref string) string {
	return resolveParts(splitURI(base), splitURI(ref)).String()
}

// uri holds the parts of a URI reference; nil parts are absent.
type uri struct {
	scheme, authority *string
	path              string
	query, fragment   *string
}

func splitURI(text string) uri {
	var u uri
	if before, fragment, ok := strings.Cut(text, "#"); ok {
		text, u.fragment = before, &fragment
	}
	if before, query, ok := strings.Cut(text, "?"); ok {
		text, u.query = before, &query
	}
	if i := strings.IndexAny(text, ":/"); i > 0 && text[i] == ':' {
		scheme := strings.ToLower(text[:i])
		text, u.scheme = text[i+1:], &scheme
	}
	if rest, ok := strings.CutPrefix(text, "//"); ok {
		end := strings.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		authority := strings.ToLower(rest[:end])
		text, u.authority = rest[end:], &authority
	}
	u.path = text
	return u
}

func resolveParts(base, ref uri) uri {
	target := uri{scheme: ref.scheme, authority: ref.authority, path: removeDots(ref.path), query: ref.query, fragment: ref.fragment}
	if ref.scheme != nil {
		return target
	}
	target.scheme = base.scheme
	if ref.authority != nil {
		return target
	}
	target.authority = base.authority
	switch {
	case ref.path == "":
		target.path = base.path
		if ref.query == nil {
			target.query = base.query
		}
	case !strings.HasPrefix(ref.path, "/"):
		merged := base.path[:strings.LastIndexByte(base.path, '/')+1] + ref.path
		if base.authority != nil && base.path == "" {
			merged = "/" + ref.path
		}
		target.path = removeDots(merged)
	}
	return target
}

func removeDots(path string) string {
	if !strings.Contains(path, ".") {
		return path
	}
	var out []string
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		last := i == len(segments)-1
		switch segment {
		case ".":
			if last {
				out = append(out, "")
			}
		case "..":
			if len(out) > 1 || len(out) == 1 && out[0] != "" {
				out = out[:len(out)-1]
			}
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, segment)
		}
	}
	return strings.Join(out, "/")
}

func (u uri) String() string {
	var b strings.Builder
	if u.scheme != nil {
		b.WriteString(*u.scheme + ":")
	}
	if u.authority != nil {
		b.WriteString("//" + *u.authority)
	}
	b.WriteString(u.path)
	if u.query != nil {
		b.WriteString("?" + *u.query)
	}
	if u.fragment != nil {
		b.WriteString("#" + *u.fragment)
	}
	return b.String()
}
