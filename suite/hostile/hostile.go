// Package hostile holds servers that no client should have to meet: they flood,
// hang, linger, lie about lengths and put into every text what means something
// to a terminal, a browser or a reader's eye. Tests run conform against each one
// and look at what is left: its time, its memory, its processes and its reports.
package hostile

import (
	"net"
	"slices"
)

// Server is one hostile server. It speaks over stdio, over HTTP, or both.
type Server struct {
	Name string
	// About is one sentence: what the server does.
	About string
	// Stdio runs it on the streams of its own process until it ends, if ever.
	Stdio func(p *Process)
	// HTTP serves connections until the listener is closed.
	HTTP func(l net.Listener)
	// TLS says that the address begins with https.
	TLS bool
	// Texts says that it puts attacks on readers into its texts.
	Texts bool
}

// Servers lists all of them. elsewhere is the address of somebody who must never
// be asked for anything: the servers name it wherever an address can stand.
func Servers(elsewhere string) []Server {
	return slices.Concat(
		streamServers(), processServers(), floodServers(), frameServers(elsewhere), schemaServers(elsewhere), listServers(elsewhere),
		textServers(elsewhere), answerServers(), httpServers(elsewhere), connectionServers(), streamEventServers(),
	)
}

// Named finds a server.
func Named(name, elsewhere string) (Server, bool) {
	all := Servers(elsewhere)
	i := slices.IndexFunc(all, func(s Server) bool { return s.Name == name })
	if i < 0 {
		return Server{}, false
	}
	return all[i], true
}
