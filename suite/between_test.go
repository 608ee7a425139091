package suite

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTapesHoldNoLogins records between a host and a server: what proves who
// somebody is does not come onto the tape, and still goes to the server.
func TestTapesHoldNoLogins(t *testing.T) {
	t.Parallel()
	sent := http.Header{
		"Authorization": {"Bearer secret"}, "Proxy-Authorization": {"secret"}, "Cookie": {"a=secret", "b=secret"}, "X-Api-Key": {"secret"},
		"Mcp-Session-Id": {"session"}, "Accept": {"text/event-stream"},
	}
	want := http.Header{
		"Authorization": {"Bearer ***"}, "Proxy-Authorization": {"***"}, "Cookie": {"***", "***"}, "X-Api-Key": {"***"},
		"Mcp-Session-Id": {"session"}, "Accept": {"text/event-stream"},
	}
	if diff := cmp.Diff(want, withoutLogins(sent)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if sent.Get("Authorization") != "Bearer secret" {
		t.Errorf("the header that goes on to the server was changed: %v", sent)
	}
	for given, want := range map[string]string{
		"https://example.com/mcp":                         "https://example.com/mcp",
		"https://somebody:secret@example.com/mcp":         "https://somebody:xxxxx@example.com/mcp",
		"https://example.com/mcp?key=secret&token=secret": "https://example.com/mcp?key=%2A%2A%2A&token=%2A%2A%2A",
	} {
		u, err := url.Parse(given)
		if err != nil {
			t.Fatal(err)
		}
		if got := withoutKeys(u); got != want {
			t.Errorf("%s is recorded as %s, want %s", given, got, want)
		}
	}
}
