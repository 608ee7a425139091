package sample

import (
	"encoding/base64"
	"slices"
)

// The name by which the server calls itself in texts; its title is for people only.
const (
	serverName    = "sample"
	serverTitle   = "Sample Server"
	serverVersion = "1.0.0"
)

// iconURI is a small picture that needs no network.
var iconURI = "data:image/png;base64," + base64.StdEncoding.EncodeToString(drawing("circle"))

// info is the serverInfo of initialize and of every result of 2026-07-28.
func (s *Server) info() object {
	return object{
		"name": serverName, "title": serverTitle, "version": serverVersion,
		"description": "Small tools that keep the protocol, to try clients and test suites on.",
		"websiteUrl":  "https://example.com/sample",
		"icons":       list{object{"src": iconURI, "mimeType": "image/png", "sizes": list{"16x16"}}},
	}
}

const instructions = "Small tools for texts, numbers and tea. All of them only read; tea_advice and gift_idea may ask a question."

// rightCapabilities are what the server offers to a request's revision.
func rightCapabilities(x *exchange) object {
	c := object{
		"tools":     object{"listChanged": true},
		"resources": object{"listChanged": true, "subscribe": true},
		"prompts":   object{"listChanged": true},
		"logging":   object{},
	}
	if x.revision == "" || x.knows("2025-03-26") {
		c["completions"] = object{}
	}
	return c
}

// initialize settles the revision of a connection. A second handshake would
// change what was settled, so it is refused.
func initialize(x *exchange) (object, *failure) {
	asked, ok := x.params["protocolVersion"].(string)
	if !ok {
		return nil, fail(codeInvalidParams, "protocolVersion must be a string")
	}
	capabilities, ok := x.params["capabilities"].(object)
	if !ok {
		return nil, fail(codeInvalidParams, "capabilities must be an object")
	}
	if asObject(x.params["clientInfo"]) == nil {
		return nil, fail(codeInvalidParams, "clientInfo must be an object")
	}
	if x.revision != "" {
		return nil, fail(codeInvalidRequest, "The connection is initialized already")
	}
	revision, f := x.srv.do.opening.negotiate(x.srv.do.revisions, asked)
	if f != nil {
		return nil, f
	}
	x.ses.mu.Lock()
	x.ses.revision, x.ses.capabilities = revision, capabilities
	x.ses.mu.Unlock()
	x.revision = revision
	return object{
		"protocolVersion": revision, "capabilities": x.srv.do.capabilities(x),
		"serverInfo": x.srv.info(), "instructions": instructions,
	}, nil
}

// negotiate gives a client the revision it asks for, or else the newest.
func negotiate(supported []string, asked string) (string, *failure) {
	if slices.Contains(supported, asked) {
		return asked, nil
	}
	return supported[0], nil
}

func ping(*exchange) (object, *failure) { return object{}, nil }

func discover(x *exchange) (object, *failure) {
	return object{
		"supportedVersions": list{revisionModern}, "capabilities": x.srv.do.capabilities(x),
		"instructions": instructions,
	}, nil
}

// cachingHints says how long a result may be kept and by whom. What changes with
// use may not be kept at all.
func cachingHints(x *exchange, result object) {
	result["ttlMs"], result["cacheScope"] = 60000, "public"
	if x.params["uri"] == counterURI {
		result["ttlMs"] = 0
	}
}
