// A McpServer of SDK v2 with a prompt and a resource and no tool.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
serveStdio(() => {
  const s = new McpServer({ name: "prompts", version: "1.0.0" });
  s.registerPrompt("hello", { title: "Hello", argsSchema: z.object({ who: z.string() }) }, ({ who }) => ({
    messages: [{ role: "user", content: { type: "text", text: who } }],
  }));
  s.registerResource("r", "file:///a", {}, async (u) => ({ contents: [{ uri: u.href, text: "x" }] }));
  return s;
});
