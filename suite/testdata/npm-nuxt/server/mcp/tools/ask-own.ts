import { z } from "zod";
import { defineMcpTool } from "@nuxtjs/mcp-toolkit/server";
import { ElicitResultSchema } from "@modelcontextprotocol/sdk/types.js";

// Asks through the call's own request context, so the question rides the call's stream.
export default defineMcpTool({
  name: "text_ask_own",
  description: "Asks on the call's own stream.",
  inputSchema: { target: z.string() },
  handler: async ({ target }, extra: any) => {
    extra.signal.addEventListener("abort", () => console.log("[fixture] call aborted"));
    const a = await extra.sendRequest(
      {
        method: "elicitation/create",
        params: {
          message: `Apply to ${target}?`,
          requestedSchema: {
            type: "object",
            properties: { confirm: { type: "boolean" } },
            required: ["confirm"],
          },
        },
      },
      ElicitResultSchema,
      { signal: extra.signal },
    );
    return { content: [{ type: "text", text: `${a.action}: ${JSON.stringify(a.content ?? null)}` }] };
  },
});
