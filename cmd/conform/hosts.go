package main

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/suite"
)

// hostServer is one server in a hosts' file.
type hostServer struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	Cwd     string            `json:"cwd"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

// readHosts reads a file as hosts write it: servers by name under mcpServers, or
// under servers as VS Code has it.
func readHosts(path string) (map[string]hostServer, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, usage("--mcp-config: %v", err)
	}
	var file struct {
		Servers map[string]hostServer `json:"mcpServers"`
		VSCode  map[string]hostServer `json:"servers"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, usage("--mcp-config %s: %v", path, err)
	}
	if file.Servers == nil {
		file.Servers = file.VSCode
	}
	if len(file.Servers) == 0 {
		return nil, usage("--mcp-config %s names no server under mcpServers", path)
	}
	return file.Servers, nil
}

// hosts turns a hosts' file into one configuration a server.
func (f *runFlags) hosts(base suite.Config) ([]suite.Config, error) {
	servers, err := readHosts(f.mcpConfig)
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(servers))
	if f.server != "" {
		if _, ok := servers[f.server]; !ok {
			return nil, usage("--mcp-config %s has no server %q; it has %s", f.mcpConfig, report.Bound(f.server, 60), strings.Join(names, ", "))
		}
		names = []string{f.server}
	}
	var out []suite.Config
	for _, n := range names {
		e := servers[n]
		t := suite.FileTarget{Cwd: e.Cwd, URL: e.URL, Env: e.Env, Headers: e.Headers}
		if e.Command != "" {
			t.Command = append([]string{e.Command}, e.Args...)
		}
		if e.Command == "" && e.URL == "" {
			return nil, usage("--mcp-config %s: server %q has neither command nor url", f.mcpConfig, n)
		}
		c := base
		var secrets []string
		if c.Target, secrets, err = t.Resolve("", splitCommand); err != nil {
			return nil, usage("--mcp-config %s: server %q: %v", f.mcpConfig, n, err)
		}
		c.Target.Name = n
		c.Secrets = append(slices.Clone(base.Secrets), secrets...)
		out = append(out, c)
	}
	return out, nil
}
