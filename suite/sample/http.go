package sample

import "net/http"

// Handler serves Streamable HTTP at /mcp.
func (s *Server) Handler() http.Handler { return http.NotFoundHandler() }

func (s *Server) endSessions() {}
