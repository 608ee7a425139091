// Tools that misbehave on purpose, to record what McpServer v1 puts on the wire. Add "--low" for the low-level Server.
import { z } from "zod";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ElicitResultSchema,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

const text = (s) => ({ content: [{ type: "text", text: s }] });
class Odd extends Error {}
const throwers = {
  throw_error: () => {
    throw new Error("one line");
  },
  throw_multiline: () => {
    throw new Error("first\nsecond\r\nthird \u001b[31mred\u001b[0m");
  },
  throw_empty: () => {
    throw new Error("");
  },
  throw_subclass: () => {
    throw new Odd("odd");
  },
  throw_cause: () => {
    throw new Error("outer", { cause: new Error("inner") });
  },
  throw_code: () => {
    throw Object.assign(new Error("with code"), { code: -32099, data: { a: 1 } });
  },
  throw_string: () => {
    throw "just a string\nnext";
  },
  throw_number: () => {
    throw 42;
  },
  throw_object: () => {
    throw { message: "an object", code: 7 };
  },
  throw_null: () => {
    throw null;
  },
  throw_undefined: () => {
    throw undefined;
  },
  throw_symbol: () => {
    throw Symbol("s");
  },
  reject_async: async () => {
    await null;
    throw new Error("later\nline");
  },
};
const odd = {
  ret_undefined: () => undefined,
  ret_null: () => null,
  ret_string: () => "hello",
  ret_number: () => 5,
  ret_array: () => [text("x")],
  ret_empty: () => ({}),
  ret_content_null: () => ({ content: null }),
  ret_content_string: () => ({ content: "hello" }),
  ret_bad_block: () => ({ content: [{ type: "text" }] }),
  ret_unknown_block: () => ({ content: [{ type: "video", url: "x" }] }),
  ret_bad_base64: () => ({ content: [{ type: "image", data: "***", mimeType: "image/png" }] }),
  ret_sc_array: () => ({ ...text("x"), structuredContent: [1] }),
  ret_iserror_string: () => ({ ...text("x"), isError: "yes" }),
  ret_extra: () => ({ ...text("x"), foo: 1, _meta: { a: 1 } }),
  ret_bigint: () => ({ ...text("x"), structuredContent: { n: 10n } }),
  ret_control: () => text("a\u0000b\u001b[31mc\u0007\u2028d\u202ee"),
};
const out = { id: z.string(), count: z.number().int() };
const outputs = {
  out_ok: () => ({ ...text("ok"), structuredContent: { id: "a", count: 1 } }),
  out_extra_key: () => ({ ...text("ok"), structuredContent: { id: "a", count: 1, more: true } }),
  out_missing: () => text("no structured content"),
  out_mismatch: () => ({ ...text("bad"), structuredContent: { id: 5, count: "x" } }),
  out_empty: () => ({ ...text("bad"), structuredContent: {} }),
  out_iserror_only: () => ({ ...text("failed"), isError: true }),
  out_iserror_mismatch: () => ({ ...text("failed"), isError: true, structuredContent: { id: 5 } }),
  out_iserror_ok: () => ({ ...text("failed"), isError: true, structuredContent: { id: "a", count: 1 } }),
  out_no_content: () => ({ structuredContent: { id: "a", count: 1 } }),
  out_throws: () => {
    throw new Error("boom");
  },
};

if (process.argv.includes("--low")) {
  const all = { ...throwers, ...odd, ...outputs };
  const server = new Server({ name: "probe-low", version: "1" }, { capabilities: { tools: {} } });
  server.onerror = (e) => console.error("onerror", e.message.slice(0, 200));
  const listed = (name) => ({
    name,
    inputSchema: { type: "object" },
    icons: null,
    foo: 1,
    annotations: { title: 5 },
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: Object.keys(all).map(listed) }));
  server.setRequestHandler(CallToolRequestSchema, async (request, extra) =>
    all[request.params.name](request.params.arguments, extra),
  );
  await server.connect(new StdioServerTransport());
} else {
  const server = new McpServer(
    {
      name: "probe",
      version: "1.0.0",
      title: "Probe",
      websiteUrl: "https://example.com",
      icons: [{ src: "https://example.com/i.png", sizes: ["48x48"], mimeType: "image/png" }],
      description: "d",
    },
    { instructions: "Use it well." },
  );
  server.server.onerror = (e) => console.error("onerror", e.message.slice(0, 200));
  for (const [name, fn] of Object.entries({ ...throwers, ...odd }))
    server.registerTool(name, { description: name, inputSchema: {} }, fn);
  for (const [name, fn] of Object.entries(outputs))
    server.registerTool(name, { description: name, inputSchema: {}, outputSchema: out }, fn);
  // input validation
  const echo = (args) => text(JSON.stringify(args));
  const inputs = {
    args3: { name: z.string().min(2), age: z.number().int().min(0), tags: z.array(z.enum(["a", "b"])) },
    args_strict: z.object({ name: z.string() }).strict(),
    args_refine: z
      .object({ a: z.string().optional(), b: z.string().optional() })
      .refine((v) => v.a || v.b, "Give a or b"),
    args_regex: { slug: z.string().regex(/^[a-z]+$/), email: z.email(), when: z.iso.datetime() },
    args_union: { v: z.union([z.string(), z.number()]) },
  };
  for (const [name, inputSchema] of Object.entries(inputs))
    server.registerTool(name, { description: name, inputSchema }, echo);
  server.registerTool("no_schema", { description: "no input schema" }, (...rest) =>
    text(`argc=${rest.length} keys=${Object.keys(rest[0] ?? {}).includes("signal")}`),
  );
  server.tool("legacy_tool", "old style", { a: z.string() }, { readOnlyHint: true }, ({ a }) => text(a));

  // listing: which of these fields reach tools/list?
  server.registerTool(
    "meta_icons",
    {
      title: "T",
      description: "D",
      inputSchema: {},
      icons: [{ src: "https://e.x/i.svg" }],
      annotations: { title: "AT", readOnlyHint: true, custom: 1 },
      _meta: { "openai/outputTemplate": "ui://x", ui: { a: 1 } },
    },
    () => text("x"),
  );

  // elicitation: through elicitInput (checks capabilities and content) and through sendRequest (checks neither)
  server.registerTool("elicit_raw", { inputSchema: { params: z.any() } }, async ({ params }, extra) => {
    const answer = await server.server.elicitInput(params, {
      signal: extra.signal,
      relatedRequestId: extra.requestId,
    });
    return text(JSON.stringify(answer));
  });
  server.registerTool("elicit_sendRequest", { inputSchema: {} }, async (_args, extra) => {
    const params = {
      mode: "form",
      message: "m",
      requestedSchema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
    };
    return text(
      JSON.stringify(await extra.sendRequest({ method: "elicitation/create", params }, ElicitResultSchema)),
    );
  });

  // cancellation, notifications
  server.registerTool("wait", { inputSchema: { ms: z.number() } }, async ({ ms }, extra) => {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      extra.signal.addEventListener("abort", () => {
        clearTimeout(timer);
        console.error("aborted", extra.requestId, String(extra.signal.reason));
        resolve();
      });
    });
    return text(`waited ${extra.signal.aborted ? "aborted" : ms}`);
  });
  server.registerTool("noisy", { inputSchema: {} }, async (_args, extra) => {
    await extra.sendNotification({ method: "notifications/message", params: { level: "info", data: "x" } });
    return text("sent");
  });
  server.registerTool("progress_always", { inputSchema: {} }, async (_args, extra) => {
    const progressToken = extra._meta?.progressToken ?? "none";
    for (const progress of [1, 1, 0.5]) {
      await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress } });
    }
    return text("done");
  });
  const off = server.registerTool("turned_off", { inputSchema: {} }, () => text("x"));
  off.disable();
  await server.connect(new StdioServerTransport());
}
