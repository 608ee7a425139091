// A fixture tool package on fastmcp (npm): stdio, or "--http PORT".
import { FastMCP, UserError } from "fastmcp";
import { z } from "zod";

const server = new FastMCP({ name: "text", version: "1.0.0", instructions: "Prefer text_slug for URLs." });
const wait = (ms) => new Promise((r) => setTimeout(r, ms));
server.addTool({
  name: "text_slug",
  description: "Turn a title into a lowercase URL slug.",
  parameters: z
    .object({
      text: z.string().min(1).max(200).regex(/\S/),
      separator: z.enum(["-", "_", "."]).optional(),
      max: z.number().int().min(1).max(100).optional(),
    })
    .strict(),
  annotations: {
    title: "Text Slug",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  execute: async ({ text, separator = "-" }) => text.toLowerCase().trim().split(/\s+/).join(separator),
});
const out = z.object({ word: z.string(), count: z.number().int() }).strict();
server.addTool({
  name: "text_lookup",
  description: "Look a word up.",
  parameters: z.object({ word: z.string() }),
  outputSchema: out,
  execute: async ({ word }) => ({
    content: [{ type: "text", text: `${word}: ${word.length}` }],
    structuredContent: { word, count: word.length },
  }),
});
server.addTool({
  name: "text_mismatch",
  description: "Does not fit.",
  parameters: z.object({ kind: z.string().optional() }),
  outputSchema: out,
  execute: async ({ kind }) =>
    kind === "missing"
      ? "none"
      : {
          content: [{ type: "text", text: "x" }],
          structuredContent: { wrod: "a", count: "x" },
          ...(kind === "iserror" && { isError: true }),
        },
});
server.addTool({
  name: "text_count",
  description: "Counts with progress.",
  parameters: z.object({
    steps: z.number().int().default(3),
    ms: z.number().default(20),
    total: z.boolean().optional(),
  }),
  execute: async ({ steps, ms }, { reportProgress }) => {
    for (let i = 1; i <= steps; i++) {
      await wait(ms);
      await reportProgress({ progress: i, total: steps });
    }
    return `counted ${steps}`;
  },
});
server.addTool({
  name: "text_throw",
  description: "Throws.",
  parameters: z.object({ what: z.string().optional() }),
  execute: async ({ what }) => {
    if (what === "user") throw new UserError("user\nerror");
    throw new Error("line one\nline two \u001b[31mred\u001b[0m\r\nline three");
  },
});
server.addTool({
  name: "text_log",
  description: "Logs.",
  parameters: z.object({}),
  execute: async (_a, { log }) => {
    log.debug("d");
    log.info("i");
    log.error("e");
    return "logged";
  },
});
const [mode, port] = process.argv.slice(2);
await server.start(
  mode === "--http"
    ? { transportType: "httpStream", httpStream: { port: Number(port) } }
    : { transportType: "stdio" },
);
