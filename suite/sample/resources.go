package sample

import (
	"encoding/base64"
	"strings"
)

const (
	menuURI    = "sample://tea/menu"
	counterURI = "sample://counter/last"
)

const menuText = "morning: green tea or assam\nnoon: white tea or black tea\nnight: camomile or rooibos\n"

// resource is one listed resource.
type resource struct {
	uri, name, title, description, mimeType string
	// read returns text or a blob.
	read func(s *Server) (text string, blob []byte)
}

func rightResources() []resource {
	picture := func(shape string) resource {
		return resource{
			uri: shapeURI(shape), name: shape, title: "Picture of a " + shape, description: "A small picture.", mimeType: "image/png",
			read: func(*Server) (string, []byte) { return "", drawing(shape) },
		}
	}
	return []resource{
		{
			uri: menuURI, name: "tea-menu", title: "Tea Menu", description: "What tea there is at which time of day.", mimeType: "text/plain",
			read: func(*Server) (string, []byte) { return menuText, nil },
		},
		{
			uri: counterURI, name: "last-count", title: "Last Count", description: "What count_up counted to last. Changes with each count.", mimeType: "text/plain",
			read: func(s *Server) (string, []byte) { return s.lastCount(), nil },
		},
		picture("circle"),
		picture("square"),
	}
}

func listResources(x *exchange) (object, *failure) {
	entries := list{}
	for _, r := range x.srv.resources {
		o := object{
			"uri": r.uri, "name": r.name, "title": r.title, "description": r.description, "mimeType": r.mimeType,
			"annotations": object{"audience": list{"user", "assistant"}, "priority": 0.5, "lastModified": "2026-01-02T03:04:05Z"},
		}
		if r.uri != counterURI {
			text, blob := r.read(x.srv)
			o["size"] = len(text) + len(blob)
		}
		entries = append(entries, o)
	}
	for _, edit := range x.srv.do.listing.resources {
		entries = edit(x, entries)
	}
	return x.page("resources", entries, x.srv.do.listing.resourcePage)
}

func listTemplates(x *exchange) (object, *failure) {
	entries := list{
		object{"uriTemplate": "sample://tea/{time}", "name": "tea-at", "title": "Tea at a Time", "description": "What tea there is in the morning, at noon or at night.", "mimeType": "text/plain"},
		object{"uriTemplate": "sample://shape/{shape}", "name": "shape", "title": "Picture of a Shape", "description": "A small picture of a circle or a square.", "mimeType": "image/png"},
	}
	for _, edit := range x.srv.do.listing.templates {
		entries = edit(x, entries)
	}
	return x.page("resourceTemplates", entries, 0)
}

// readResource answers with one piece of contents; what does not exist is an error.
func readResource(x *exchange) (object, *failure) {
	uri, ok := x.params["uri"].(string)
	if !ok {
		return nil, fail(codeInvalidParams, "uri must be a string")
	}
	contents := x.srv.contents(uri)
	if contents == nil {
		return x.srv.do.resources.missing(x, uri)
	}
	return object{"contents": list{contents}}, nil
}

func (s *Server) contents(uri string) object {
	for _, r := range s.resources {
		if r.uri != uri {
			continue
		}
		text, blob := r.read(s)
		o := object{"uri": uri, "mimeType": r.mimeType}
		if blob != nil {
			o["blob"] = base64.StdEncoding.EncodeToString(blob)
		} else {
			o["text"] = text
		}
		return o
	}
	if when, ok := strings.CutPrefix(uri, "sample://tea/"); ok {
		for line := range strings.Lines(menuText) {
			if name, tea, _ := strings.Cut(line, ": "); name == when {
				return object{"uri": uri, "mimeType": "text/plain", "text": tea}
			}
		}
	}
	return nil
}

func missingResource(x *exchange, uri string) (object, *failure) {
	code := codeResourceNotFound
	if x.modern {
		code = codeInvalidParams
	}
	return nil, fail(code, "Resource not found").with(object{"uri": uri})
}

func subscribe(x *exchange) (object, *failure) {
	uri, ok := x.params["uri"].(string)
	if !ok {
		return nil, fail(codeInvalidParams, "uri must be a string")
	}
	if x.srv.contents(uri) == nil {
		return missingResource(x, uri)
	}
	x.ses.mu.Lock()
	defer x.ses.mu.Unlock()
	x.ses.subscribed[uri] = true
	return object{}, nil
}

func unsubscribe(x *exchange) (object, *failure) {
	uri, ok := x.params["uri"].(string)
	if !ok {
		return nil, fail(codeInvalidParams, "uri must be a string")
	}
	x.ses.mu.Lock()
	defer x.ses.mu.Unlock()
	delete(x.ses.subscribed, uri)
	return object{}, nil
}

// counted remembers a count and tells those who subscribed to it.
func (s *Server) counted(to int) {
	s.mu.Lock()
	s.last = to
	s.mu.Unlock()
	s.announce("notifications/resources/updated", object{"uri": counterURI}, "resourceSubscriptions", counterURI)
}

func (s *Server) lastCount() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == 0 {
		return "Nothing was counted yet.\n"
	}
	return "The last count went to " + string(num(s.last)) + ".\n"
}

// watches says that a session of a handshake revision subscribed to a resource.
func (ses *session) watches(uri string) bool {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	return ses.subscribed[uri]
}
