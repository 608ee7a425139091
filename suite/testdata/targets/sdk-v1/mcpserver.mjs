// stdio by default, Streamable HTTP with sessions on "--http PORT" ("--json" for JSON answers instead of SSE).
import { createServer } from "node:http";
import { randomUUID } from "node:crypto";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import { register } from "./tools.mjs";

const build = () => {
  const server = new McpServer({ name: "sdkv1-fixture", version: "1.0.0", title: "SDK v1 Fixture" });
  register(server);
  return server;
};

const at = process.argv.indexOf("--http");
if (at < 0) {
  await build().connect(new StdioServerTransport());
} else {
  const sessions = new Map();
  const http = createServer(async (req, res) => {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    let body;
    try {
      body = chunks.length ? JSON.parse(Buffer.concat(chunks).toString("utf8")) : undefined;
    } catch {
      res.writeHead(400, { "content-type": "application/json" });
      return res.end(
        JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } }),
      );
    }
    const id = req.headers["mcp-session-id"];
    let transport = id ? sessions.get(id) : undefined;
    if (!transport && !id && isInitializeRequest(body)) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        enableJsonResponse: process.argv.includes("--json"),
        onsessioninitialized: (sid) => sessions.set(sid, transport),
        onsessionclosed: (sid) => sessions.delete(sid),
      });
      await build().connect(transport);
    }
    if (!transport) {
      res.writeHead(id ? 404 : 400, { "content-type": "application/json" });
      const error = id
        ? { code: -32001, message: "Session not found" }
        : { code: -32000, message: "No session" };
      return res.end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
    }
    await transport.handleRequest(req, res, body);
  });
  http.listen(Number(process.argv[at + 1]), "127.0.0.1", () =>
    console.error(`listening on ${http.address().port}`),
  );
}
