// A server of both eras over HTTP without sessions, in the manner of a small
// framework that routes MCP itself: it answers unknown tools with a JSON-RPC
// error before any tool is asked, every answer is one JSON body, so progress
// reaches nobody, and a question can be asked in 2026-07-28 alone, where it is
// the answer. Tools keep the house contract.
//
//   node server.mjs --http PORT
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const MODERN = "2026-07-28";
const LEGACY = ["2025-11-25", "2025-06-18"];
const META = "io.modelcontextprotocol/";
const serverInfo = { name: "text", version: "1.0.0", title: "Text" };
const capabilities = { tools: {} };
const key = randomBytes(32);

const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const text = (t) => ({ content: [{ type: "text", text: t }] });
const failed = (t) => ({ ...text(t), isError: true });

// visible writes a text as JSON does, without what hides or moves on a screen.
const visible = (t) =>
  JSON.stringify(t).replace(/[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));

const tools = new Map(
  [
    {
      name: "text_slug",
      title: "Slug Text",
      description: "Turns a text into a slug.",
      inputSchema: { type: "object", properties: { text: { type: "string", description: "Text to turn" } }, required: ["text"], additionalProperties: false },
      run: ({ text: t }) => text(t.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")),
    },
    {
      name: "text_throw",
      title: "Fail on Purpose",
      description: "Fails with a message of two lines.",
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
      run: () => {
        throw new Error("first line\nsecond line");
      },
    },
    {
      name: "text_apply",
      title: "Apply a Change",
      description: "Asks before it applies a change, where the client can be asked.",
      inputSchema: { type: "object", properties: { target: { type: "string", description: "What the change goes to" } }, required: ["target"], additionalProperties: false },
      run: apply,
    },
  ].map((t) => [t.name, t]),
);

const sign = (t) => createHmac("sha256", key).update(t).digest("base64url");

// showsForms: an elicitation capability that names no mode stands for forms.
const showsForms = ({ elicitation: e }) => plain(e) && (plain(e.form) || Object.keys(e).length === 0);

// apply asks once; the state holds the question, signed, so that a yes to one is none to another.
function apply({ target }, call) {
  if (!call.modern || !showsForms(call.capabilities)) return text(`applied to ${visible(target)} without asking`);
  const wanted = sign(target);
  const state = call.params.requestState;
  const same = typeof state === "string" && state.length === wanted.length && timingSafeEqual(Buffer.from(state), Buffer.from(wanted));
  const answer = same ? call.params.inputResponses?.confirm : undefined;
  if (answer?.action === "decline" || answer?.action === "cancel") return text(`not applied to ${visible(target)}`);
  if (answer?.action === "accept" && typeof answer.content?.confirm === "boolean")
    return text(answer.content.confirm ? `applied to ${visible(target)}` : `not applied to ${visible(target)}`);
  return {
    resultType: "input_required",
    requestState: wanted,
    inputRequests: {
      confirm: {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: `Apply to ${visible(target)}?`,
          requestedSchema: { type: "object", properties: { confirm: { type: "boolean", title: "Apply" } }, required: ["confirm"] },
        },
      },
    },
  };
}

// problems are what keeps arguments from their schema, one line each.
function problems(schema, args) {
  const out = [];
  for (const name of schema.required ?? []) if (!Object.hasOwn(args, name)) out.push(`${name}: is missing`);
  for (const [name, value] of Object.entries(args)) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (!property) out.push(`${visible(name)}: is not known`);
    else if (typeof value !== property.type) out.push(`${name}: is no ${property.type}`);
  }
  return out;
}

class RPCError extends Error {
  constructor(code, message, data) {
    super(message);
    Object.assign(this, { code, data });
  }
}

const done = (modern, result) => (modern ? { resultType: "complete", _meta: { [META + "serverInfo"]: serverInfo }, ...result } : result);
const cached = (modern, result) => (modern ? { ...result, ttlMs: 60000, cacheScope: "public" } : result);

function callTool(call) {
  const { name, arguments: args = {} } = call.params;
  if (typeof name !== "string") throw new RPCError(-32602, "name must be a string");
  const tool = tools.get(name);
  if (!tool) throw new RPCError(-32602, `Tool ${visible(name.slice(0, 100))} not found`);
  if (typeof args !== "object" || args === null || Array.isArray(args)) return failed("arguments: are no object");
  const wrong = problems(tool.inputSchema, args);
  if (wrong.length > 0) return failed(wrong.join("\n"));
  try {
    return tool.run(args, call);
  } catch (e) {
    return failed(`${tool.name} failed: ${e.message.replace(/\s*\n\s*/g, " ")}`);
  }
}

function listTools(call) {
  if (call.params.cursor !== undefined) throw new RPCError(-32602, "cursor is not known");
  return { tools: [...tools.values()].map(({ run, ...tool }) => ({ ...tool, annotations: { title: tool.title, ...hints } })) };
}

function serve(call) {
  const { method, modern, params } = call;
  switch (true) {
    case method === "tools/list":
      return cached(modern, listTools(call));
    case method === "tools/call":
      return callTool(call);
    case method === "server/discover" && modern:
      return cached(true, { supportedVersions: [MODERN], capabilities, serverInfo });
    case method === "initialize" && !modern:
      if (typeof params.protocolVersion !== "string" || !params.capabilities || !params.clientInfo) throw new RPCError(-32602, "initialize wants protocolVersion, capabilities and clientInfo");
      return { protocolVersion: LEGACY.includes(params.protocolVersion) ? params.protocolVersion : LEGACY[0], capabilities, serverInfo };
    case method === "ping" && !modern:
      return {};
  }
  throw new RPCError(-32601, "Method not found");
}

// read finds the era of a request and what its client says of itself, or throws.
function read(message, headers) {
  const params = message.params ?? {};
  const version = params._meta?.[META + "protocolVersion"];
  const header = headers["mcp-protocol-version"];
  if (version === undefined && header !== MODERN) {
    if (header !== undefined && !LEGACY.includes(header)) throw new RPCError(-32600, `Unsupported protocol version ${visible(header)}`);
    return { method: message.method, params, modern: false };
  }
  const mismatch = (why) => new RPCError(-32020, `Header mismatch: ${why}`);
  if (typeof version !== "string") throw new RPCError(-32602, `_meta wants ${META}protocolVersion`);
  if (!plain(params._meta[META + "clientCapabilities"])) throw new RPCError(-32602, `_meta wants ${META}clientCapabilities`);
  if (header !== version) throw mismatch("MCP-Protocol-Version");
  if (version !== MODERN) throw new RPCError(-32022, `Unsupported protocol version ${visible(version)}`, { supported: [MODERN], requested: version });
  if (headers["mcp-method"] !== message.method) throw mismatch("Mcp-Method");
  if (message.method === "tools/call" && decode(headers["mcp-name"]) !== params.name) throw mismatch("Mcp-Name");
  return { method: message.method, params, modern: true, capabilities: params._meta[META + "clientCapabilities"] };
}

// decode reads a header that may be in base64.
function decode(value) {
  const coded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? "");
  return coded ? Buffer.from(coded[1], "base64").toString() : value;
}

const statusOf = (code, modern) => (code === -32020 || code === -32022 || code === -32602 && modern === undefined ? 400 : code === -32601 && modern ? 404 : code === -32600 ? 400 : 200);

function answer(message, headers) {
  const id = message.id;
  let call;
  try {
    call = read(message, headers);
    return [200, { jsonrpc: "2.0", id, result: done(call.modern, serve(call)) }];
  } catch (e) {
    if (!(e instanceof RPCError)) throw e;
    return [statusOf(e.code, call?.modern), { jsonrpc: "2.0", id, error: { code: e.code, message: e.message, data: e.data } }];
  }
}

function local(headers) {
  const named = (v) => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(v);
  return named(headers.host ?? "") && (headers.origin === undefined || named(headers.origin.replace(/^https?:\/\//, "")));
}

const plain = (o) => typeof o === "object" && o !== null && !Array.isArray(o);

const server = createServer((req, res) => {
  const say = (status, body) => {
    res.writeHead(status, body === undefined ? {} : { "Content-Type": "application/json" });
    res.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const refuse = (status, code, message) => say(status, { jsonrpc: "2.0", id: null, error: { code, message } });
  if (!local(req.headers)) return refuse(403, -32600, "Origin not allowed");
  if (req.method !== "POST") return res.writeHead(405, { Allow: "POST" }).end();
  if (!/^application\/json\b/.test(req.headers["content-type"] ?? "")) return refuse(415, -32600, "Content-Type must be application/json");
  if (!/application\/json|\*\/\*|application\/\*/i.test(req.headers.accept ?? "")) return refuse(406, -32600, "Accept must list application/json");
  const chunks = [];
  req.on("data", (c) => chunks.push(c));
  req.on("end", () => {
    let message;
    try {
      message = JSON.parse(Buffer.concat(chunks).toString());
    } catch {
      return refuse(400, -32700, "Parse error");
    }
    if (!plain(message) || message.jsonrpc !== "2.0" || (message.params !== undefined && !plain(message.params))) return refuse(400, -32600, "Invalid request");
    if (message.method === undefined && (message.result !== undefined || message.error !== undefined))
      return req.headers["mcp-protocol-version"] === MODERN ? refuse(400, -32600, "Nothing was asked of a client") : say(202);
    if (typeof message.method !== "string") return refuse(400, -32600, "Invalid request");
    if (message.id === undefined) return say(202);
    if (typeof message.id !== "string" && !Number.isInteger(message.id)) return refuse(400, -32600, "id must be a string or an integer");
    say(...answer(message, req.headers));
  });
});

server.listen(Number(process.argv[process.argv.indexOf("--http") + 1]), "127.0.0.1");
