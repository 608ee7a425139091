package fakes_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/fakes"
)

// recorded lists the recordings by "client/era/transport".
func recorded(t *testing.T) map[string]*fakes.Recording {
	t.Helper()
	files, err := filepath.Glob(recordings + "/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*fakes.Recording{}
	for _, f := range files {
		r, err := fakes.LoadRecording(f)
		if err != nil {
			t.Fatal(err)
		}
		if want := r.Client + "-" + r.Era + "-" + r.Transport + ".jsonl"; filepath.Base(f) != want {
			t.Errorf("%s holds %s", f, want)
		}
		out[r.Client+"/"+r.Era+"/"+r.Transport] = r
	}
	return out
}

// What a fake sends is either recorded or read somewhere that the file names.
func TestEveryDriverHasASource(t *testing.T) {
	t.Parallel()
	have := recorded(t)
	// Observed in these eras over stdio alone, or in a terminal: the file's notes say so.
	without := map[string]bool{"claude-code/legacy/http": true, "claude-code/modern/http": true}
	for _, p := range load(t).All() {
		if !p.Drives {
			continue
		}
		if p.Source != "observed" {
			if len(p.Documents) == 0 || !slices.ContainsFunc(p.Notes, func(n string) bool { return strings.Contains(strings.ToLower(n), "not ") }) {
				t.Errorf("%s is not observed: it must name documents, and its notes what is not known", p.ID)
			}
			continue
		}
		for _, transport := range p.Transports {
			eras := []string{}
			if p.Opening.Legacy != "" {
				eras = append(eras, "legacy")
			}
			if p.Opening.Probe != nil {
				eras = append(eras, "modern")
			}
			for _, era := range eras {
				key := p.ID + "/" + era + "/" + transport
				if have[key] == nil && !without[key] {
					t.Errorf("%s claims to be observed, but there is no recording %s", p.ID, key)
				}
				delete(without, key)
			}
		}
	}
	if len(without) > 0 {
		t.Errorf("needless exceptions: %v", without)
	}
}

func TestRecordingsFitTheProfiles(t *testing.T) {
	t.Parallel()
	set := load(t)
	for key, r := range recorded(t) {
		p, ok := set.Get(r.Client)
		switch {
		case !ok:
			t.Errorf("%s: there is no such client", key)
		case p.Source != "observed":
			t.Errorf("%s: recorded, but the profile says %s", key, p.Source)
		case p.Version != r.Version:
			t.Errorf("%s is of version %s, the profile of %s", key, r.Version, p.Version)
		case !slices.Contains(p.Transports, r.Transport):
			t.Errorf("%s: the profile does not speak %s", key, r.Transport)
		}
	}
}

// Recordings were made on somebody's machine: nothing of it may be left in them.
func TestRecordingsAreClean(t *testing.T) {
	t.Parallel()
	private := regexp.MustCompile(`/(root|tmp|Users|home/(?:[^d]|d[^e]))|sk-[A-Za-z0-9]|[Bb]earer |[a-z0-9.]+@(?:[^ce]|c[^o]|e[^x])[a-z0-9-]*\.[a-z]+|127\.0\.0\.1|localhost`)
	files, _ := filepath.Glob(recordings + "/*.jsonl")
	total := 0
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		total += len(raw)
		if m := private.Find(raw); m != nil {
			t.Errorf("%s holds %q", f, m)
		}
	}
	if total > 400<<10 {
		t.Errorf("the recordings are %d bytes; keep them under 400 KiB", total)
	}
}

// A profile's raw members go out on a line of their own, and what For makes of
// a profile has to stay whole.
func TestProfilesOnEverySide(t *testing.T) {
	t.Parallel()
	for _, p := range load(t).All() {
		if p.Seen == "" || p.Product == "" {
			t.Errorf("%s: no product, or not seen", p.ID)
		}
		for _, transport := range append([]string{"in-process"}, p.Transports...) {
			for _, revision := range append(fakes.Revisions(), "") {
				e := p.For(transport, revision)
				for name, raw := range map[string]json.RawMessage{
					"client_info": e.ClientInfo, "capabilities": e.Capabilities, "meta": e.Asking.Meta,
					"call_meta": e.Asking.CallMeta, "listen": e.Opening.Listen,
				} {
					if bytes.ContainsAny(raw, "\n\r") || raw != nil && !json.Valid(raw) {
						t.Errorf("%s: %s is not one line of JSON: %s", p.ID, name, raw)
					}
				}
				if p.Drives && (e.Asking.Order == "" || e.Answers.Form == "" || e.ID != p.ID || len(e.Stdio.Steps()) == 0) {
					t.Errorf("%s over %s in %q lost something: %+v", p.ID, transport, revision, e)
				}
				over := transport == "http" && p.Over.HTTP != nil ||
					revision != "" && fakes.Modern(revision) && (p.Over.Modern != nil || p.ModernCapabilities != nil)
				if same := cmp.Equal(e, p); over == same {
					t.Errorf("%s over %s in %q: the differences of that side are not there", p.ID, transport, revision)
				}
			}
		}
	}
}

func TestEveryWantedClientIsThere(t *testing.T) {
	t.Parallel()
	set := load(t)
	observed := []string{"claude-code", "claude-code-2.1.197", "claude-code-print", "codex", "gemini-cli", "copilot-cli", "opencode",
		"qwen-code", "cline", "continue", "inspector", "ai-sdk", "openai-agents", "langchain", "mastra", "mcp-use", "mcporter", "go-sdk",
		"sdk-v1", "sdk-v2"}
	read := []string{"pi", "omp", "chatgpt", "openai-responses", "claude-ai", "claude-desktop", "vscode", "cursor", "zed", "goose",
		"windsurf", "jetbrains", "librechat"}
	for _, id := range observed {
		if p, ok := set.Get(id); !ok || p.Source != "observed" || !p.Drives {
			t.Errorf("%s is missing, or not observed", id)
		}
	}
	for _, id := range read {
		if p, ok := set.Get(id); !ok || p.Source == "observed" {
			t.Errorf("%s is missing, or said to be observed", id)
		}
	}
	if n := len(set.All()); n < len(observed)+len(read) {
		t.Errorf("%d clients", n)
	}
}
