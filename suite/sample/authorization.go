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

func writeMetadata(rw http.ResponseWriter, metadata object) {
	rw.Header().Set("Content-Type", "application/json")
	rw.Write(encode(metadata, plainOrder)) //nolint:errcheck // the client may be gone
}
