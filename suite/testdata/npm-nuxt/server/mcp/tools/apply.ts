import { z } from "zod";
import { defineMcpTool } from "@nuxtjs/mcp-toolkit/server";

export default defineMcpTool({
  name: "text_apply",
  description: "Asks before applying.",
  inputSchema: { target: z.string() },
  handler: async ({ target }) => {
    const elicitation = useMcpElicitation();
    if (!elicitation.supports("form"))
      return { content: [{ type: "text", text: `applied to ${target} without asking` }] };
    const a = await elicitation.form({ message: `Apply to ${target}?`, schema: { confirm: z.boolean() } });
    return {
      content: [
        {
          type: "text",
          text:
            a.action === "accept"
              ? `applied to ${target}: ${JSON.stringify(a.content)}`
              : `not applied: ${a.action}`,
        },
      ],
    };
  },
});
