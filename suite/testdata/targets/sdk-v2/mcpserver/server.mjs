// A realistic tool package on McpServer.registerTool (TypeScript SDK v2).
import { McpServer, acceptedContent, inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { z } from "zod";
import { start } from "../serve.mjs";

const ICON = { src: "https://example.com/text/icon.svg", mimeType: "image/svg+xml", sizes: ["any"] };
const text = (t, extra = {}) => ({ content: [{ type: "text", text: t }], ...extra });
const wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    const t = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(t);
      reject(new Error("aborted"));
    });
  });

function build() {
  const server = new McpServer(
    {
      name: "text",
      version: "1.0.0",
      title: "Text Tools",
      description: "Turns titles into slugs.",
      icons: [ICON],
      websiteUrl: "https://example.com/text",
    },
    { capabilities: { tools: {}, logging: {} }, instructions: "Prefer text_slug for URLs." },
  );

  server.registerTool(
    "text_slug",
    {
      title: "Text Slug",
      description: "Turn a title into a lowercase URL slug.",
      inputSchema: z
        .object({
          text: z.string().min(1).max(200).regex(/\S/).describe("Title to slug"),
          separator: z.enum(["-", "_", "."]).optional().describe("Joins the words"),
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
      icons: [ICON],
      _meta: { "example.com/kind": "pure", ui: { resourceUri: "ui://text/slug" } },
    },
    async ({ text: input, separator = "-" }) =>
      text(
        input
          .normalize("NFKD")
          .replace(/[^\p{L}\p{N}\s]/gu, "")
          .trim()
          .toLowerCase()
          .split(/\s+/)
          .join(separator),
      ),
  );

  const lookupOut = z.object({ word: z.string(), count: z.number().int() }).strict();
  server.registerTool(
    "text_lookup",
    {
      title: "Look up",
      description: "Look a word up.",
      inputSchema: z.object({ word: z.string() }),
      outputSchema: lookupOut,
    },
    async ({ word }) => text(`${word}: ${word.length}`, { structuredContent: { word, count: word.length } }),
  );
  server.registerTool(
    "text_mismatch",
    {
      description: "Returns details that do not fit the output schema.",
      inputSchema: z.object({ kind: z.string().optional() }),
      outputSchema: lookupOut,
    },
    async ({ kind = "two" }) => {
      if (kind === "missing") return text("no structured content");
      if (kind === "iserror") return text("it failed", { isError: true, structuredContent: { wrong: 1 } });
      if (kind === "extra") return text("extra", { structuredContent: { word: "a", count: 1, more: true } });
      if (kind === "array") return text("array", { structuredContent: [1, 2] });
      if (kind === "one") return text("one", { structuredContent: { word: "a", count: "x" } });
      return text("two", { structuredContent: { wrod: "a", count: "x" } });
    },
  );
  server.registerTool(
    "text_count",
    {
      title: "Count slowly",
      description: "Counts with progress.",
      inputSchema: z.object({
        steps: z.number().int().default(3),
        ms: z.number().default(20),
        total: z.boolean().default(true),
      }),
    },
    async ({ steps, ms, total }, ctx) => {
      const token = ctx.mcpReq._meta?.progressToken;
      try {
        for (let i = 1; i <= steps; i++) {
          await wait(ms, ctx.mcpReq.signal);
          if (token !== undefined)
            await ctx.mcpReq.notify({
              method: "notifications/progress",
              params: {
                progressToken: token,
                progress: i,
                ...(total && { total: steps }),
                message: `step ${i}`,
              },
            });
        }
      } catch (e) {
        console.error(`[fixture] text_count stopped: ${e.message}`);
        throw e;
      }
      return text(`counted ${steps}, token ${token === undefined ? "none" : JSON.stringify(token)}`);
    },
  );
  const yes = z.object({ confirm: z.boolean() });
  server.registerTool(
    "text_apply",
    {
      title: "Apply",
      description: "Asks before applying.",
      inputSchema: z.object({ target: z.string(), twice: z.boolean().optional() }),
    },
    async ({ target, twice }, ctx) => {
      const state = ctx.mcpReq.requestState();
      const key = state === "second" ? "second" : "confirm";
      const view = inputResponse(ctx.mcpReq.inputResponses, key);
      if (view.kind === "elicit" && view.action !== "accept") return text(`not applied: ${view.action}`);
      const answer = acceptedContent(ctx.mcpReq.inputResponses, key, yes);
      const ask = (k, message, requestState) =>
        inputRequired({
          inputRequests: { [k]: inputRequired.elicit({ message, requestedSchema: yes }) },
          requestState,
        });
      if (answer === undefined)
        return ask(
          key,
          key === "second" ? `Really apply to ${target}?` : `Apply to ${target}?`,
          key === "second" ? "second" : `first:${target}`,
        );
      if (twice && key !== "second") return ask("second", `Really apply to ${target}?`, "second");
      return text(
        `applied to ${target}: ${answer.confirm}; state ${JSON.stringify(state ?? null)}; keys ${Object.keys(ctx.mcpReq.inputResponses ?? {}).join(",")}`,
      );
    },
  );
  server.registerTool(
    "text_kinds",
    { description: "Asks in other ways.", inputSchema: z.object({ kind: z.string() }) },
    async ({ kind }, ctx) => {
      if (ctx.mcpReq.inputResponses) return text(`got ${JSON.stringify(ctx.mcpReq.inputResponses)}`);
      const state = ctx.mcpReq.requestState();
      if (kind === "url")
        return inputRequired({
          inputRequests: {
            go: inputRequired.elicitUrl({ message: "Sign in", url: "https://example.com/auth" }),
          },
        });
      if (kind === "sampling")
        return inputRequired({
          inputRequests: {
            s: inputRequired.createMessage({
              messages: [{ role: "user", content: { type: "text", text: "hi" } }],
              maxTokens: 10,
            }),
          },
        });
      if (kind === "roots") return inputRequired({ inputRequests: { r: inputRequired.listRoots() } });
      if (kind === "state")
        return state === undefined ? inputRequired({ requestState: "s1" }) : text(`state ${state}`);
      if (kind === "forever")
        return inputRequired({ requestState: `n${Number(String(state ?? "n0").slice(1)) + 1}` });
      if (kind === "empty") return { resultType: "input_required" };
      if (kind === "badkind")
        return { resultType: "input_required", inputRequests: { x: { method: "tools/list", params: {} } } };
      return text("unknown kind");
    },
  );
  server.registerTool(
    "text_push",
    { description: "Asks the 2025 way (elicitInput).", inputSchema: z.object({}) },
    async (_a, ctx) => {
      const answer = await ctx.mcpReq.elicitInput({
        message: "Push?",
        requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
      });
      return text(`pushed ${JSON.stringify(answer)}`);
    },
  );
  server.registerTool(
    "text_throw",
    { description: "Throws.", inputSchema: z.object({ what: z.string().optional() }) },
    async ({ what }) => {
      if (what === "string") throw "bare\nstring";
      if (what === "undefined") throw undefined;
      throw new Error("line one\nline two \u001b[31mred\u001b[0m\r\nline three");
    },
  );
  server.registerTool("text_log", { description: "Logs.", inputSchema: z.object({}) }, async (_a, ctx) => {
    await ctx.mcpReq.log("debug", "d");
    await ctx.mcpReq.log("info", "i");
    await ctx.mcpReq.log("error", { e: 1 }, "text");
    return text("logged");
  });
  server.registerTool(
    "text_region",
    {
      description: "Mirrors an argument into a header.",
      inputSchema: z.object({
        region: z.string().meta({ "x-mcp-header": "Region" }),
        n: z.number().optional(),
      }),
    },
    async ({ region }) => text(`region ${region}`),
  );
  server.registerTool("text_noschema", { description: "No input schema." }, async (a) =>
    text(`args ${JSON.stringify(Object.keys(a ?? {})).slice(0, 60)}`),
  );
  server.registerTool("text_grow", { description: "Adds a tool.", inputSchema: z.object({}) }, async () => {
    server.registerTool(`text_new_${Date.now()}`, { description: "new" }, async () => text("new"));
    return text("grown");
  });
  return server;
}
await start(build);
