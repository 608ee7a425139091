// The tool package of ../lowlevel with one fault planted, named by the environment variable FAULT; without
// it the server is right. Faults that the SDK itself prevents are planted on the wire, in front of it.
import { Transform } from "node:stream";
import { createHash } from "node:crypto";
import { Server, inputRequired } from "@modelcontextprotocol/server";
import { listTools, oneLine, problems } from "../lowlevel/adapter.mjs";
import { start } from "../serve.mjs";

export const FAULTS = [
  "accepts-misfit",
  "accepts-tampered-state",
  "carries-yes-over",
  "drops-question-cancel",
  "hangs-on-decline",
  "asks-without-capability",
  "progress-after-answer",
  "progress-without-token",
  "answers-cancelled-call",
  "differs-in-one-text",
];
const fault = process.env.FAULT ?? "";
if (fault !== "" && !FAULTS.includes(fault)) {
  console.error(`unknown fault ${JSON.stringify(fault)}; one of ${FAULTS.join(", ")}`);
  process.exit(2);
}
const has = (name) => fault === name;
const META = "io.modelcontextprotocol/clientCapabilities";

if (has("drops-question-cancel")) {
  // The SDK takes the question of a cancelled call back by itself; here the line never leaves.
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (chunk, ...rest) =>
    String(chunk).includes('"notifications/cancelled"') ? true : write(chunk, ...rest);
}
if (has("asks-without-capability")) {
  // The SDK asks nobody who did not declare forms; here everybody seems to have.
  const forms = { elicitation: { form: {} } };
  let rest = "";
  const forged = new Transform({
    transform(chunk, _, done) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        try {
          const m = JSON.parse(line);
          if (m.params?._meta?.[META] && !m.params._meta[META].elicitation) m.params._meta[META] = forms;
          if (m.method === "initialize" && !m.params.capabilities?.elicitation) m.params.capabilities = forms;
          this.push(JSON.stringify(m) + "\n");
        } catch {
          this.push(line + "\n");
        }
      }
      done();
    },
  });
  const stdin = process.stdin.setEncoding("utf8");
  Object.defineProperty(process, "stdin", { value: stdin.pipe(forged) });
}

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

const tools = [
  {
    name: "text_slug",
    title: "Text Slug",
    effect: "read",
    description: "Turn a title into a lowercase URL slug.",
    input: object({ text: { type: "string", minLength: 1, maxLength: 200, description: "Title to slug" } }, ["text"]),
    run: ({ text }, { modern }) =>
      text.trim().toLowerCase().split(/\s+/).join("-") + (modern && has("differs-in-one-text") ? "." : ""),
  },
  {
    name: "text_count",
    title: "Count slowly",
    effect: "read",
    description: "Counts with progress.",
    input: object({ steps: { type: "integer", minimum: 1, maximum: 50 }, ms: { type: "integer", minimum: 1, maximum: 500 } }),
    run: async ({ steps = 3, ms = 20 }, { signal, progress }) => {
      for (let i = 1; i <= steps; i++) {
        await wait(ms, signal);
        progress?.(i, steps);
      }
      return `counted ${steps}`;
    },
  },
  {
    name: "text_apply",
    title: "Apply",
    effect: "destructive",
    description: "Asks before applying.",
    input: object({ target: { type: "string", minLength: 1 } }, ["target"]),
    run: async ({ target }, { ask }) => {
      if (!ask) return `applied to ${target} without asking`;
      const answer = await ask({ message: `Apply to ${target}?`, schema: confirm });
      if (answer.action === "decline" && has("hangs-on-decline")) await new Promise(() => {});
      if (answer.action !== "accept") return `not applied: ${answer.action}`;
      return `applied to ${target}: ${answer.content?.confirm}`;
    },
  },
];

class NeedsAnswer extends Error {
  constructor(result) {
    super("needs an answer");
    this.result = result;
  }
}
const fingerprint = (form) => createHash("sha256").update(JSON.stringify(form)).digest("base64url").slice(0, 16);
const pack = (state) => Buffer.from(JSON.stringify(state)).toString("base64url");
const unpack = (raw) => {
  try {
    return JSON.parse(Buffer.from(String(raw), "base64url").toString("utf8")) ?? {};
  } catch {
    return {};
  }
};

// asker asks one question a call, and takes an answer only to that very question.
const asker = (state, answer, args) => async (question) => {
  const form = { message: question.message, requestedSchema: question.schema };
  const mine = fingerprint(form);
  const same = has("carries-yes-over") || has("accepts-tampered-state") ? state.pending !== undefined : state.pending === mine;
  const wellFormed = answer !== null && typeof answer === "object" && ["accept", "decline", "cancel"].includes(answer.action);
  const fits = () =>
    answer.action !== "accept" || has("accepts-misfit") || problems(question.schema, answer.content ?? {}).length === 0;
  if (same && wellFormed && fits()) return answer;
  throw new NeedsAnswer(
    inputRequired({
      inputRequests: { answer: inputRequired.elicit(form) },
      requestState: pack({ pending: mine, ...(has("accepts-tampered-state") && { target: args.target }) }),
    }),
  );
};

const fail = (text) => ({ content: [{ type: "text", text }], isError: true });

await start(() => {
  const server = new Server({ name: "text", version: "1.0.0", title: "Text Tools" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => listTools(tools));
  server.setRequestHandler("tools/call", async (request, ctx) => {
    const { name, arguments: given = {} } = request.params;
    const { signal, id } = ctx.mcpReq;
    const tool = tools.find((t) => t.name === name);
    if (!tool) return fail(`Unknown text tool: "${oneLine(name)}"`);
    const bad = problems(tool.input, given);
    if (bad.length) return fail([`Invalid input for ${tool.name}:`, ...bad].join("\n"));
    const envelope = ctx.mcpReq.envelope?.[META];
    const declared = envelope ?? server.getClientCapabilities();
    const forms = declared?.elicitation && (declared.elicitation.form || !declared.elicitation.url);
    const state = unpack(ctx.mcpReq.requestState());
    const args = has("accepts-tampered-state") && state.target !== undefined ? { ...given, target: state.target } : given;
    const token = ctx.mcpReq._meta?.progressToken ?? (has("progress-without-token") ? "text_count" : undefined);
    const report = (progress, total) =>
      server
        .notification({ method: "notifications/progress", params: { progressToken: token, progress, total } }, { relatedRequestId: id })
        .catch((e) => server.onerror?.(e));
    if (has("answers-cancelled-call"))
      signal.addEventListener("abort", () => {
        const result = { ...fail("stopped"), ...(envelope && { resultType: "complete" }) };
        process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\n");
      });
    try {
      const text = await tool.run(args, {
        signal,
        modern: envelope !== undefined,
        ask: forms ? asker(state, ctx.mcpReq.inputResponses?.answer, args) : undefined,
        progress: token === undefined ? undefined : report,
      });
      if (has("progress-after-answer") && token !== undefined && name === "text_count")
        setTimeout(() => report((args.steps ?? 3) + 1, (args.steps ?? 3) + 1), 80);
      return { content: [{ type: "text", text }] };
    } catch (error) {
      if (error instanceof NeedsAnswer) return error.result;
      return fail(`${tool.name} failed: ${oneLine(error.message)}`);
    }
  });
  return server;
});
