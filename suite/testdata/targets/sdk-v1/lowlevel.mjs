// The careful variant: the low-level Server, with its own listing, look-up, validation and error text.
// Text that came from outside is escaped, every problem has a line of its own, nothing leaves as a JSON-RPC error.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const oneLine = (s) =>
  JSON.stringify(String(s))
    .slice(1, -1)
    .replace(
      /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
      (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"),
    );
const text = (s, more) => ({ content: [{ type: "text", text: s }], ...more });
const fail = (s) => text(s, { isError: true });

const tools = new Map([
  [
    "text_slug",
    {
      listing: {
        name: "text_slug",
        title: "Text Slug",
        description: "Turn a title into a lowercase URL slug.",
        icons: [{ src: "https://example.com/slug.svg", mimeType: "image/svg+xml", sizes: ["any"] }],
        inputSchema: {
          type: "object",
          properties: {
            text: {
              type: "string",
              minLength: 1,
              maxLength: 200,
              pattern: "\\S",
              description: "Title to slug",
            },
            separator: { enum: ["-", "_", "."], description: "Joins the words. '-' when omitted" },
          },
          required: ["text"],
          additionalProperties: false,
        },
        annotations: {
          title: "Text Slug",
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      check(args) {
        const problems = [];
        if (args.text === undefined) problems.push("text: required");
        else if (typeof args.text !== "string") problems.push("text: must be a string");
        else if (!/\S/.test(args.text) || args.text.length > 200)
          problems.push("text: must hold 1 to 200 characters, not only spaces");
        if (args.separator !== undefined && !["-", "_", "."].includes(args.separator))
          problems.push('separator: must be one of "-", "_", "."');
        for (const key of Object.keys(args))
          if (key !== "text" && key !== "separator") problems.push(`${oneLine(key)}: unknown property`);
        return problems;
      },
      run: ({ text: title, separator = "-" }) =>
        text(
          title
            .normalize("NFD")
            .replace(/\p{M}/gu, "")
            .toLowerCase()
            .split(/[^\p{L}\p{N}]+/u)
            .filter(Boolean)
            .join(separator),
        ),
    },
  ],
  [
    "always_throws",
    {
      listing: {
        name: "always_throws",
        title: "Always Throws",
        inputSchema: { type: "object", additionalProperties: false },
        annotations: { title: "Always Throws", readOnlyHint: true },
      },
      check: (args) => Object.keys(args).map((key) => `${oneLine(key)}: unknown property`),
      run: () => {
        throw new Error("first line\nsecond line");
      },
    },
  ],
]);

const server = new Server({ name: "sdkv1-lowlevel", version: "1.0.0" }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [...tools.values()].map((t) => t.listing),
}));

server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const tool = tools.get(params.name);
  if (!tool) return fail(`Unknown sdkv1-lowlevel tool: "${oneLine(params.name)}"`);
  const args = params.arguments ?? {};
  const problems = tool.check(args);
  if (problems.length) return fail([`${params.name}: invalid input`, ...problems].join("\n"));
  try {
    return await tool.run(args);
  } catch (error) {
    return fail(`${params.name} failed: ${oneLine(error instanceof Error ? error.message : error)}`);
  }
});

await server.connect(new StdioServerTransport());
