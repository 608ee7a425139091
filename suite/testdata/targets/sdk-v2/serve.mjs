// Starts a factory the way argv asks:
//   (nothing)          serveStdio: both eras on stdio
//   --connect          plain server.connect(new StdioServerTransport()): the 2025 era alone
//   --legacy-reject    serveStdio refusing 2025 openings
//   --http PORT        createMcpHandler on node:http with host and origin guards, path /mcp
//   --http-bare PORT   the same without guards
//   --http-reject PORT createMcpHandler({ legacy: "reject" })
//   --http-sse PORT / --http-json PORT   pins responseMode
//   --http-session PORT   2025 sessionful Streamable HTTP (one server per session)
import { createServer } from "node:http";
import { randomUUID } from "node:crypto";
import { createMcpHandler, isInitializeRequest } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import {
  NodeStreamableHTTPServerTransport,
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from "@modelcontextprotocol/node";

export async function start(factory) {
  const [mode, arg] = process.argv.slice(2);
  const report = (error) => console.error(`[fixture] ${String(error?.message ?? error)}`);
  if (mode === undefined) return void serveStdio(factory, { onerror: report });
  if (mode === "--legacy-reject") return void serveStdio(factory, { legacy: "reject", onerror: report });
  if (mode === "--connect") {
    const server = factory({ era: "connect" });
    (server.server ?? server).onerror = report;
    return void (await server.connect(new StdioServerTransport()));
  }
  const port = Number(arg);
  if (mode === "--http-session") {
    const sessions = new Map();
    const http = createServer(async (req, res) => {
      const chunks = [];
      for await (const c of req) chunks.push(c);
      let body;
      try {
        body = chunks.length ? JSON.parse(Buffer.concat(chunks).toString("utf8")) : undefined;
      } catch {
        body = undefined;
      }
      const id = req.headers["mcp-session-id"];
      let transport = id ? sessions.get(id) : undefined;
      if (!transport && !id && isInitializeRequest(body)) {
        transport = new NodeStreamableHTTPServerTransport({
          sessionIdGenerator: () => randomUUID(),
          onsessioninitialized: (sid) => sessions.set(sid, transport),
        });
        await factory({ era: "legacy" }).connect(transport);
      }
      if (!transport) {
        res.writeHead(id ? 404 : 400, { "content-type": "application/json" });
        return res.end(
          JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message: "no session" } }),
        );
      }
      await transport.handleRequest(req, res, body);
    });
    return void http.listen(port, "127.0.0.1", () => console.error(`[fixture] listening ${port}`));
  }
  const options = { onerror: report };
  if (mode === "--http-reject") options.legacy = "reject";
  if (mode === "--http-sse") options.responseMode = "sse";
  if (mode === "--http-json") options.responseMode = "json";
  const handler = toNodeHandler(createMcpHandler(factory, options));
  const host = localhostHostValidation();
  const origin = localhostOriginValidation();
  const http = createServer((req, res) => {
    if (mode !== "--http-bare" && (!host(req, res) || !origin(req, res))) return;
    void handler(req, res);
  });
  http.listen(port, "127.0.0.1", () => console.error(`[fixture] listening ${port}`));
}
