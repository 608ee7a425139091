package sample

import (
	"net/http"
	"strings"
)

// metadataPath is where the metadata of a protected resource lies.
const metadataPath = "/.well-known/oauth-protected-resource"

// Token opens the shape "protected".
const Token = "sample-token"

// wantToken refuses a request without the token, and says where to get one.
func wantToken(rw http.ResponseWriter, r *http.Request) bool {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if ok && token == Token {
		return true
	}
	rw.Header().Set("WWW-Authenticate", `Bearer resource_metadata="http://`+r.Host+metadataPath+endpoint+`", scope="tools"`)
	refuse(rw, http.StatusUnauthorized, nil, fail(codeInvalidRequest, "Authorization needed"))
	return false
}

// resourceMetadata describes the endpoint as a protected resource.
func resourceMetadata(rw http.ResponseWriter, r *http.Request) {
	writeMetadata(rw, object{
		"resource": "http://" + r.Host + endpoint, "authorization_servers": list{"https://auth.example.com"},
		"scopes_supported": list{"tools"}, "bearer_methods_supported": list{"header"},
	})
}

// wellKnown answers at the well-known addresses: what is protected, and, for
// 2025-03-26, which takes the server for its own, who gives tokens out.
func wellKnown(rw http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasPrefix(r.URL.Path, metadataPath):
		resourceMetadata(rw, r)
	case r.URL.Path == "/.well-known/oauth-authorization-server":
		writeMetadata(rw, object{
			"issuer": "https://auth.example.com", "authorization_endpoint": "https://auth.example.com/authorize",
			"token_endpoint": "https://auth.example.com/token", "response_types_supported": list{"code"},
			"code_challenge_methods_supported": list{"S256"},
		})
	default:
		http.NotFound(rw, r)
	}
}

func writeMetadata(rw http.ResponseWriter, metadata object) {
	rw.Header().Set("Content-Type", "application/json")
	rw.Write(encode(metadata, plainOrder)) //nolint:errcheck // the client may be gone
}
