// Two small servers of SDK v2: without argument a low-level Server that offers both eras but no tool, and with
// "json" a McpServer whose tool is registered with a JSON Schema instead of zod.
import { McpServer, Server, fromJsonSchema } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
if (process.argv[2] === "json") {
  const s = new McpServer({ name: "jsonschema", version: "1.0.0" }, {});
  s.registerTool(
    "t",
    {
      inputSchema: fromJsonSchema({
        type: "object",
        properties: { text: { type: "string", minLength: 1, pattern: "\\S" }, n: { type: "integer" } },
        required: ["text"],
        additionalProperties: false,
      }),
    },
    async () => ({ content: [] }),
  );
  await s.connect(new StdioServerTransport());
} else {
  const s = new Server(
    { name: "empty", version: "1.0.0" },
    { capabilities: { tools: {} }, supportedProtocolVersions: ["2026-07-28", "2025-11-25"] },
  );
  s.setRequestHandler("tools/list", () => ({ tools: [] }));
  await s.connect(new StdioServerTransport());
}
