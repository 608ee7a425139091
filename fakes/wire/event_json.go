package wire

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// eventJSON is an event as recordings hold it: bytes that are text stay
// readable, others are base64.
type eventJSON struct {
	AtUS   int64     `json:"at_us"`
	Kind   Kind      `json:"kind"`
	Raw    *string   `json:"raw,omitempty"`
	Raw64  string    `json:"raw64,omitempty"`
	Probe  string    `json:"probe,omitempty"`
	Post   int       `json:"post,omitempty"`
	HTTP   *HTTPMeta `json:"http,omitempty"`
	Chunks []int     `json:"chunks,omitempty"`
	Cut    int       `json:"cut,omitempty"`
	Status string    `json:"status,omitempty"`
}

// MarshalJSON writes the event for a recording; times are in microseconds.
func (e Event) MarshalJSON() ([]byte, error) {
	j := eventJSON{AtUS: e.At.Microseconds(), Kind: e.Kind, Probe: e.Probe, Post: e.Post, HTTP: e.HTTP, Chunks: e.Chunks, Cut: e.Cut, Status: e.Status}
	switch {
	case e.Raw == nil:
	case utf8.Valid(e.Raw):
		s := string(e.Raw)
		j.Raw = &s
	default:
		j.Raw64 = base64.StdEncoding.EncodeToString(e.Raw)
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads an event of a recording.
func (e *Event) UnmarshalJSON(b []byte) error {
	var j eventJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	*e = Event{At: time.Duration(j.AtUS) * time.Microsecond, Kind: j.Kind, Probe: j.Probe, Post: j.Post, HTTP: j.HTTP, Chunks: j.Chunks, Cut: j.Cut, Status: j.Status}
	switch {
	case j.Raw != nil:
		e.Raw = []byte(*j.Raw)
	case j.Raw64 != "":
		raw, err := base64.StdEncoding.DecodeString(j.Raw64)
		if err != nil {
			return fmt.Errorf("raw64 of an event: %w", err)
		}
		e.Raw = raw
	}
	return nil
}
