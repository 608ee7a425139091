// Registrations that McpServer v1 accepts and then trips over at run time ("--date" breaks the whole tools/list).
import { z } from "zod";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const text = (s) => ({ content: [{ type: "text", text: s }] });
const either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
const server = new McpServer({ name: "odd-schemas", version: "1.0.0" });

server.registerTool("out_union", { inputSchema: {}, outputSchema: either }, () => ({
  ...text("x"),
  structuredContent: { a: "x" },
}));
server.registerTool("in_union", { inputSchema: either }, (args) => text(JSON.stringify(args)));
server.registerTool("in_array", { inputSchema: z.array(z.string()) }, (args) => text(JSON.stringify(args)));
server.registerTool("in_default", { inputSchema: { n: z.number().default(5) } }, (args) =>
  text(JSON.stringify(args)),
);
server.registerTool("a b\nc", { inputSchema: {} }, () => text("x"));
if (process.argv.includes("--date"))
  server.registerTool("in_date", { inputSchema: { day: z.date() } }, () => text("x"));

await server.connect(new StdioServerTransport());
