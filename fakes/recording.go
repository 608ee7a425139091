package fakes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// Recording is a session of a real client with a scripted server, cut down to
// its opening, its first call and the questions it was asked.
type Recording struct {
	Client  string `json:"client"`
	Version string `json:"version"`
	// Era is "legacy" or "modern": what the server spoke.
	Era       string `json:"era"`
	Transport string `json:"transport"`
	// App holds what the program around a library chose by itself.
	App App `json:"app,omitzero"`
	// Note says how the client was run where it matters.
	Note  string `json:"note,omitempty"`
	Steps []Step `json:"-"`
}

// App is what an application gives the library that it uses as its client.
type App struct {
	ClientInfo   json.RawMessage   `json:"client_info,omitempty"`
	Capabilities json.RawMessage   `json:"capabilities,omitempty"`
	Answers      map[string]string `json:"answers,omitempty"`
}

// Step is one thing that happened, in order.
type Step struct {
	// Dir is "send" (from the client), "recv" (from the server) or "event".
	Dir string `json:"dir"`
	// Raw is the message as it was on the wire; "" when there was no body.
	Raw string `json:"raw,omitempty"`
	// Event is what happened to the server's process: "start", "eof", "sigint", "sigterm" or "exit".
	Event string `json:"event,omitempty"`
	// Later marks what comes after the first call: steps between were left out,
	// so that ids and tokens do not follow on.
	Later bool `json:"later,omitempty"`
	// Post numbers the HTTP request a step belongs to. Method and Header are of
	// the request, Status, Type (the content type) and Session of its answer.
	Post    int               `json:"post,omitempty"`
	Method  string            `json:"method,omitempty"`
	Header  map[string]string `json:"header,omitempty"`
	Status  int               `json:"status,omitempty"`
	Type    string            `json:"type,omitempty"`
	Session string            `json:"session,omitempty"`
}

// LoadRecording reads a recording: JSON Lines, the first of which describes it
// and each further one is a step.
func LoadRecording(path string) (*Recording, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the recording: %w", err)
	}
	r := &Recording{}
	for n, line := range bytes.Split(bytes.TrimSpace(raw), []byte("\n")) {
		if n == 0 {
			if err := strict(line, r); err != nil {
				return nil, fmt.Errorf("%s: line 1: %w", path, err)
			}
			continue
		}
		var s Step
		if err := strict(line, &s); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, n+1, err)
		}
		switch s.Dir {
		case "send", "recv", "event":
		default:
			return nil, fmt.Errorf("%s: line %d: dir is %q; it must be send, recv or event", path, n+1, s.Dir)
		}
		r.Steps = append(r.Steps, s)
	}
	if r.Client == "" || len(r.Steps) == 0 {
		return nil, fmt.Errorf("%s: no client or no steps; a recording has a line that describes it and then its steps", path)
	}
	return r, nil
}
