// The asking tool with a signed requestState (createRequestStateCodec): a tampered state is refused by the SDK.
import {
  McpServer,
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { start } from "../serve.mjs";
const codec = createRequestStateCodec({
  key: new TextEncoder().encode("0123456789abcdef0123456789abcdef"),
  ttlSeconds: Number(process.env.TTL ?? 300),
});
await start(() => {
  const server = new McpServer(
    { name: "text", version: "1.0.0" },
    { requestState: { verify: codec.verify } },
  );
  const yes = z.object({ confirm: z.boolean() });
  server.registerTool(
    "text_apply",
    {
      description: "Asks.",
      inputSchema: z.object({
        target: z.string(),
        twice: z.boolean().optional(),
        flip: z.boolean().optional(),
      }),
    },
    async ({ target }, ctx) => {
      const state = ctx.mcpReq.requestState();
      const a = acceptedContent(ctx.mcpReq.inputResponses, "confirm", yes);
      if (a && state?.target === target)
        return { content: [{ type: "text", text: `applied to ${target}: ${a.confirm}` }] };
      return inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({ message: `Apply to ${target}?`, requestedSchema: yes }),
        },
        requestState: await codec.mint({ target }),
      });
    },
  );
  return server;
});
