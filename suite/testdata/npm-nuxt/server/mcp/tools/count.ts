import { z } from "zod";
import { defineMcpTool } from "@nuxtjs/mcp-toolkit/server";

export default defineMcpTool({
  name: "text_count",
  description: "Counts with progress.",
  inputSchema: { steps: z.number().int().default(3), ms: z.number().default(20) },
  handler: async ({ steps, ms }, extra: any) => {
    const token = extra._meta?.progressToken;
    for (let i = 1; i <= steps; i++) {
      await new Promise((r) => setTimeout(r, ms));
      if (token !== undefined)
        await extra.sendNotification({
          method: "notifications/progress",
          params: { progressToken: token, progress: i, total: steps },
        });
    }
    return { content: [{ type: "text", text: `counted ${steps}, token ${JSON.stringify(token ?? null)}` }] };
  },
});
