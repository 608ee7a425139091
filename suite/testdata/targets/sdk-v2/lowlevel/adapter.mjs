// An adapter from plain tool records to the low-level Server of SDK v2 that keeps the tool contract of
// --profile house: unknown names escaped, one line a problem, throws on one line, details checked against
// the output schema, progress only with a token, questions asked through input_required and asked again
// whenever the answer, the state or the question does not fit.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { Server, inputRequired } from "@modelcontextprotocol/server";

export const oneLine = (s) =>
  JSON.stringify(String(s))
    .slice(1, -1)
    .replace(/\\"/g, '"')
    .replace(/[\u007f-\u009f\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
const quote = (s) => `"${oneLine(s).replaceAll('"', '\\"')}"`;

export function problems(schema, value, path = "") {
  const at = path === "" ? "input" : path;
  const out = [];
  const types = schema.type === undefined ? [] : [].concat(schema.type);
  const is = (t) =>
    t === "object"
      ? value !== null && typeof value === "object" && !Array.isArray(value)
      : t === "array"
        ? Array.isArray(value)
        : t === "integer"
          ? Number.isInteger(value)
          : t === "null"
            ? value === null
            : typeof value === t;
  if (types.length && !types.some(is)) return [`${at}: must be ${types.join(" or ")}`];
  if (schema.enum && !schema.enum.includes(value))
    out.push(`${at}: must be one of ${schema.enum.map((v) => JSON.stringify(v)).join(", ")}`);
  if (typeof value === "string") {
    if (schema.minLength !== undefined && [...value].length < schema.minLength)
      out.push(`${at}: must have at least ${schema.minLength} characters`);
    if (schema.maxLength !== undefined && [...value].length > schema.maxLength)
      out.push(`${at}: must have at most ${schema.maxLength} characters`);
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value))
      out.push(`${at}: must match ${schema.pattern}`);
  }
  if (typeof value === "number") {
    if (schema.minimum !== undefined && value < schema.minimum)
      out.push(`${at}: must be at least ${schema.minimum}`);
    if (schema.maximum !== undefined && value > schema.maximum)
      out.push(`${at}: must be at most ${schema.maximum}`);
  }
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    for (const key of schema.required ?? [])
      if (!Object.hasOwn(value, key)) out.push(`${path ? `${path}.` : ""}${oneLine(key)}: is required`);
    for (const key of Object.keys(value)) {
      const sub = `${path ? `${path}.` : ""}${oneLine(key)}`;
      if (Object.hasOwn(schema.properties ?? {}, key))
        out.push(...problems(schema.properties[key], value[key], sub));
      else if (schema.additionalProperties === false) out.push(`${sub}: is not allowed`);
    }
  }
  return out;
}

class NeedsAnswer extends Error {
  constructor(result) {
    super("needs an answer");
    this.result = result;
  }
}
const fingerprint = (question) =>
  createHash("sha256").update(JSON.stringify(question)).digest("base64url").slice(0, 16);
const pack = (state) => Buffer.from(JSON.stringify(state)).toString("base64url");
function unpack(raw) {
  try {
    const state = JSON.parse(Buffer.from(String(raw), "base64url").toString("utf8"));
    const ok =
      state !== null &&
      typeof state === "object" &&
      Array.isArray(state.answers) &&
      state.answers.every((a) => a && typeof a.q === "string" && typeof a.action === "string");
    return ok
      ? { answers: state.answers, pending: typeof state.pending === "string" ? state.pending : undefined }
      : undefined;
  } catch {
    return undefined;
  }
}

function asker(requestState, inputResponses) {
  const state = unpack(requestState) ?? { answers: [], pending: undefined };
  const given = [];
  let fresh = inputResponses?.answer;
  return async (question) => {
    const form = { message: question.message, requestedSchema: question.schema };
    const q = fingerprint(form);
    const fits = (a) => a.action !== "accept" || problems(question.schema, a.content ?? {}).length === 0;
    const old = state.answers[given.length];
    if (old && old.q === q && fits(old)) {
      given.push(old);
      return { action: old.action, content: old.content };
    }
    if (!old && fresh !== undefined && state.pending === q) {
      const a = fresh;
      fresh = undefined;
      const wellFormed =
        a !== null && typeof a === "object" && ["accept", "decline", "cancel"].includes(a.action);
      if (wellFormed && fits(a)) {
        given.push({ q, action: a.action, ...(a.action === "accept" && { content: a.content }) });
        return { action: a.action, content: a.content };
      }
    }
    throw new NeedsAnswer(
      inputRequired({
        inputRequests: { answer: inputRequired.elicit(form) },
        requestState: pack({ answers: given, pending: q }),
      }),
    );
  };
}

export function listTools(tools) {
  return {
    tools: tools.map((t) => ({
      name: t.name,
      title: t.title,
      description: t.description,
      inputSchema: t.input,
      ...(t.output && { outputSchema: t.output }),
      annotations: {
        title: t.title,
        readOnlyHint: t.effect === "read",
        destructiveHint: t.effect === "destructive",
        idempotentHint: t.idempotent ?? t.effect === "read",
        openWorldHint: t.openWorld ?? false,
      },
      ...(t.icons && { icons: t.icons }),
      ...(t.meta && { _meta: t.meta }),
    })),
  };
}

const fail = (text) => ({ content: [{ type: "text", text }], isError: true });

export async function callTool(info, tools, name, args, context = {}) {
  const tool = tools.find((t) => t.name === name);
  if (!tool) return fail(`Unknown ${info.name} tool: ${quote(name)}`);
  const bad = problems(tool.input, args ?? {});
  if (bad.length) return fail([`Invalid input for ${tool.name}:`, ...bad].join("\n"));
  let result;
  try {
    result = await tool.run(args ?? {}, context);
  } catch (error) {
    if (error instanceof NeedsAnswer) return error.result;
    return fail(
      `${tool.name} failed: ${oneLine(error instanceof Error ? error.message : String(error)).replace(/(\\r)?\\n/g, " ")}`,
    );
  }
  if (result.isError) return fail(result.text);
  const answer = { content: [{ type: "text", text: result.text }] };
  if (tool.output) {
    const wrong = problems(tool.output, result.details, "");
    if (wrong.length)
      return fail([`${tool.name} returned details that don't match its output schema`, ...wrong].join("\n"));
    answer.structuredContent = result.details;
  }
  return answer;
}

export function createMcpServer(info, tools) {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => listTools(tools));
  server.setRequestHandler("tools/call", (request, ctx) => {
    const { name, arguments: args } = request.params;
    const token = ctx.mcpReq._meta?.progressToken;
    const declared =
      ctx.mcpReq.envelope?.["io.modelcontextprotocol/clientCapabilities"] ?? server.getClientCapabilities();
    const form = declared?.elicitation && (declared.elicitation.form || !declared.elicitation.url);
    let n = 0;
    return callTool(info, tools, name, args, {
      signal: ctx.mcpReq.signal,
      ask: form ? asker(ctx.mcpReq.requestState(), ctx.mcpReq.inputResponses) : undefined,
      progress:
        token === undefined
          ? undefined
          : ({ message, total }) => {
              n += 1;
              ctx.mcpReq
                .notify({
                  method: "notifications/progress",
                  params: {
                    progressToken: token,
                    progress: n,
                    ...(total !== undefined && { total }),
                    message,
                  },
                })
                .catch((e) => server.onerror?.(e));
            },
    });
  });
  return server;
}
