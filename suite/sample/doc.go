// Package sample is a Model Context Protocol server of our own, written on raw
// JSON-RPC without an SDK. It is right in every respect by default, serves both
// eras (the handshake revisions 2024-11-05 to 2025-11-25 and the stateless
// 2026-07-28) over stdio and Streamable HTTP, and keeps the house contract.
//
// Any of the faults that [Faults] lists can be planted in it by name; each is
// one deviation from the right server. [Shapes] lists variants that are right
// too. Together they prove that a check can fail and can pass.
//
// The package imports nothing else of this module: what is tested and what
// tests must not share their mistakes.
//
// The code is laid out by what a message meets on its way: stdio.go and http*.go
// carry frames, message.go reads them, dispatch.go finds the era and the method,
// the files named after methods answer, exchange.go sends. A behaviour holds
// every decision that a fault may turn; the faults_*.go files turn one each.
package sample
