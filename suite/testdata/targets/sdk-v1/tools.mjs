// A small tool package registered on the high-level McpServer of SDK v1.
import { z } from "zod";

const WORDS = {
  marmot: { word: "marmot", kind: "animal", letters: 6 },
  larch: { word: "larch", kind: "tree", letters: 5 },
};

const slugify = (text, separator) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(separator);

const text = (s) => ({ content: [{ type: "text", text: s }] });

const pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new Error("stopped"));
    });
  });

export function register(server) {
  server.registerTool(
    "text_slug",
    {
      title: "Text Slug",
      description: "Turn a title into a lowercase URL slug.",
      inputSchema: {
        text: z.string().min(1).max(200).describe("Title to slug"),
        separator: z.enum(["-", "_", "."]).optional().describe("Joins the words, '-' when omitted"),
      },
      annotations: { title: "Text Slug", readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ text: title, separator }) => text(slugify(title, separator ?? "-")),
  );

  server.registerTool(
    "word_lookup",
    {
      title: "Word Lookup",
      description: "Look a word up in a tiny dictionary.",
      inputSchema: { word: z.string().min(1) },
      outputSchema: { word: z.string(), kind: z.string(), letters: z.number().int() },
      annotations: { title: "Word Lookup", readOnlyHint: true, openWorldHint: false },
    },
    ({ word }) => {
      const hit = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
      if (!hit) return { ...text(`No entry for ${JSON.stringify(word)}`), isError: true };
      return { ...text(`${hit.word}: ${hit.kind}, ${hit.letters} letters`), structuredContent: hit };
    },
  );

  server.registerTool(
    "slow_count",
    {
      title: "Slow Count",
      description: "Count up to a number, reporting progress after every step.",
      inputSchema: {
        upTo: z.number().int().min(1).max(50),
        stepMs: z.number().int().min(0).max(1000).optional(),
      },
      annotations: { title: "Slow Count", readOnlyHint: true },
    },
    async ({ upTo, stepMs }, extra) => {
      const progressToken = extra._meta?.progressToken;
      for (let n = 1; n <= upTo; n++) {
        await pause(stepMs ?? 20, extra.signal);
        if (progressToken === undefined) continue;
        await extra.sendNotification({
          method: "notifications/progress",
          params: { progressToken, progress: n, total: upTo, message: `step ${n}` },
        });
      }
      return text(`Counted to ${upTo}`);
    },
  );

  server.registerTool(
    "apply_change",
    {
      title: "Apply Change",
      description: "Ask the person before applying a change.",
      inputSchema: { target: z.string().min(1) },
      annotations: { title: "Apply Change", readOnlyHint: false, destructiveHint: true },
    },
    async ({ target }, extra) => {
      const answer = await server.server.elicitInput(
        {
          message: `Apply the change to ${target}?`,
          requestedSchema: {
            type: "object",
            properties: {
              confirm: { type: "boolean", title: "Confirm" },
              note: { type: "string", title: "Note", maxLength: 40 },
            },
            required: ["confirm"],
          },
        },
        { signal: extra.signal, relatedRequestId: extra.requestId },
      );
      if (answer.action !== "accept") return text(`Not applied (${answer.action})`);
      return text(answer.content?.confirm ? `Applied to ${target}` : "Not applied (answer was no)");
    },
  );

  server.registerTool(
    "always_throws",
    { title: "Always Throws", description: "Throws an error with a message of two lines.", inputSchema: {} },
    () => {
      throw new Error("first line\nsecond line with \u001b[31mcolour\u001b[0m");
    },
  );

  server.registerTool(
    "drifted_output",
    {
      title: "Drifted Output",
      description: "Returns data that no longer fits its output schema.",
      inputSchema: {},
      outputSchema: { id: z.string(), count: z.number().int() },
    },
    () => ({ ...text("3 items"), structuredContent: { identifier: "a1", count: "three" } }),
  );
}
