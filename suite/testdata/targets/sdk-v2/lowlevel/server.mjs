// A tool package on the low-level Server of SDK v2, through the adapter beside it.
import { start } from "../serve.mjs";
import { createMcpServer } from "./adapter.mjs";

const wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    const t = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(t), reject(new Error("aborted"))));
  });
const object = (properties, required = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const confirm = object({ confirm: { type: "boolean", title: "Go on" } }, ["confirm"]);
let flips = 0;

const tools = [
  {
    name: "text_slug",
    title: "Text Slug",
    effect: "read",
    description: "Turn a title into a lowercase URL slug.",
    input: object(
      {
        text: { type: "string", minLength: 1, maxLength: 200, pattern: "\\S", description: "Title to slug" },
        separator: { enum: ["-", "_", "."] },
        max: { type: "integer", minimum: 1, maximum: 100 },
      },
      ["text"],
    ),
    icons: [{ src: "https://example.com/text/icon.svg", mimeType: "image/svg+xml", sizes: ["any"] }],
    run: ({ text, separator = "-" }) => ({
      text: text
        .normalize("NFKD")
        .replace(/[^\p{L}\p{N}\s]/gu, "")
        .trim()
        .toLowerCase()
        .split(/\s+/)
        .join(separator),
    }),
  },
  {
    name: "text_lookup",
    title: "Look up",
    effect: "read",
    description: "Look a word up.",
    input: object({ word: { type: "string" } }, ["word"]),
    output: object({ word: { type: "string" }, count: { type: "integer" } }, ["word", "count"]),
    meta: { "openai/outputTemplate": "ui://text/lookup" },
    run: ({ word }) => ({ text: `${word}: ${word.length}`, details: { word, count: word.length } }),
  },
  {
    name: "text_mismatch",
    title: "Mismatch",
    effect: "read",
    description: "Details that lie about their shape.",
    input: object({ kind: { type: "string" } }),
    output: object({ word: { type: "string" }, count: { type: "integer" } }, ["word", "count"]),
    run: ({ kind }) =>
      kind === "iserror"
        ? { text: "it failed", isError: true, details: { wrong: 1 } }
        : kind === "missing"
          ? { text: "none" }
          : kind === "one"
            ? { text: "one", details: { word: "a", count: "x" } }
            : { text: "two", details: { wrod: "a", count: "x" } },
  },
  {
    name: "text_count",
    title: "Count slowly",
    effect: "read",
    description: "Counts with progress.",
    input: object({ steps: { type: "integer" }, ms: { type: "number" }, total: { type: "boolean" } }),
    run: async ({ steps = 3, ms = 20, total = true }, { signal, progress }) => {
      for (let i = 1; i <= steps; i++) {
        try {
          await wait(ms, signal);
        } catch (e) {
          console.error("[fixture] text_count stopped");
          throw e;
        }
        progress?.({ message: `step ${i}`, ...(total && { total: steps }) });
      }
      return { text: `counted ${steps}, progress ${progress ? "on" : "off"}` };
    },
  },
  {
    name: "text_apply",
    title: "Apply",
    effect: "destructive",
    description: "Asks before applying.",
    input: object({ target: { type: "string" }, twice: { type: "boolean" }, flip: { type: "boolean" } }, [
      "target",
    ]),
    run: async ({ target, twice, flip }, { ask }) => {
      if (!ask) return { text: `applied to ${target} without asking` };
      const shown = flip ? `${target} #${++flips}` : target;
      const first = await ask({ message: `Apply to ${shown}?`, schema: confirm });
      if (first.action !== "accept") return { text: `not applied: ${first.action}` };
      if (twice) {
        const second = await ask({ message: `Really apply to ${shown}?`, schema: confirm });
        if (second.action !== "accept") return { text: `not applied: ${second.action}` };
      }
      return { text: `applied to ${shown}: ${first.content.confirm}` };
    },
  },
  {
    name: "text_throw",
    title: "Throw",
    effect: "write",
    description: "Throws.",
    input: object({ what: { type: "string" } }),
    run: ({ what }) => {
      if (what === "string") throw "bare\nstring";
      throw new Error("line one\nline two \u001b[31mred\u001b[0m\r\nline three");
    },
  },
];
await start(() =>
  createMcpServer(
    {
      name: "text",
      version: "1.0.0",
      title: "Text Tools",
      description: "Turns titles into slugs.",
      websiteUrl: "https://example.com/text",
    },
    tools,
  ),
);
