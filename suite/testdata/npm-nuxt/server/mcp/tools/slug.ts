import { z } from "zod";
import { defineMcpTool } from "@nuxtjs/mcp-toolkit/server";

export default defineMcpTool({
  name: "text_slug",
  title: "Text Slug",
  description: "Turn a title into a lowercase URL slug.",
  inputSchema: {
    text: z.string().min(1).max(200).regex(/\S/),
    separator: z.enum(["-", "_", "."]).optional(),
    max: z.number().int().min(1).max(100).optional(),
  },
  annotations: {
    title: "Text Slug",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  inputExamples: [{ text: "Hello World" }],
  // @ts-expect-error icons are not in the toolkit's type; the test is whether they reach the wire
  icons: [{ src: "https://example.com/text/icon.svg" }],
  handler: async ({ text, separator = "-" }) => ({
    content: [{ type: "text", text: text.toLowerCase().trim().split(/\s+/).join(separator) }],
  }),
});
