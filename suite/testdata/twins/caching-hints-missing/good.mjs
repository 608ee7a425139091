// The good twin of caching-hints-missing: tools/list carries ttlMs and cacheScope.
import http from 'node:http';
import { createHash } from 'node:crypto';
const NAME = 'twin-caching-hints-missing', V = '2026-07-28', KEY = 'io.modelcontextprotocol/';
const PORT = Number(process.argv[process.argv.indexOf('--http') + 1]), NEAR = [`127.0.0.1:${PORT}`, `localhost:${PORT}`];
const LEVELS = [undefined, 'debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const hints = (title) => ({ title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false });
const object = (properties, required = []) => ({ type: 'object', properties, required, additionalProperties: false });
const TOOLS = [
  { name: 'gift_idea', title: 'Gift Idea', description: 'Suggests a gift. Asks for the budget where the client can show a form, else takes a middling one.', annotations: hints('Gift Idea'),
    inputSchema: object({ person: { type: 'string', minLength: 1, maxLength: 60, description: 'Who gets it' } }, ['person']),
    asks: ({ person }) => ({ budget: { message: `How much may a gift for ${esc(person)} cost?`,
      form: { type: 'object', properties: { budget: { type: 'integer', title: 'Budget', minimum: 1, maximum: 500 } }, required: ['budget'] } } }),
    run: ({ person }, { budget: { budget } = { budget: 20 } }) => ({ say: `For ${esc(person)}, up to ${budget}: ${budget < 15 ? 'a book' : 'a pair of good socks'}` }) },
  { name: 'table_check', title: 'Check Table', description: 'Says whether a table would be free. Books nothing.', annotations: hints('Check Table'),
    inputSchema: object({ guests: { type: 'integer', minimum: 1, maximum: 12, description: 'How many people' }, date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Day, YYYY-MM-DD' },
      area: { type: 'string', enum: ['garden', 'hall', 'bar'], description: 'Where to sit' } }, ['guests', 'date', 'area']),
    run: ({ guests, date, area }) => ({ say: `${area}: ${guests > 8 ? 'no table' : 'a table is free'} for ${guests} on ${date}` }) },
];
const isObj = (v) => typeof v === 'object' && v !== null && !Array.isArray(v);
const hex = (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0');
const esc = (s, max = 200) => JSON.stringify(s.slice(0, max)).replace(/[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, hex);
const no = (id, code, message, data) => ({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message, ...(data && { data }) } });
const ok = (id, result) => ({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result, _meta: { [KEY + 'serverInfo']: { name: NAME, version: '1.0.0' } } } });
const said = (id, s, isError) => ok(id, { content: [{ type: 'text', text: s }], ...(isError && { isError }) });
const IS = { string: (v) => typeof v === 'string', integer: Number.isInteger, number: Number.isFinite, boolean: (v) => typeof v === 'boolean' };
const fits = (s, v) => IS[s.type](v) && !(s.enum && !s.enum.includes(v)) && !(s.pattern && !new RegExp(s.pattern, 'u').test(v)) &&
  (s.type === 'string' ? !([...v].length < s.minLength || [...v].length > s.maxLength) : !(v < s.minimum || v > s.maximum));
const wants = (s) => (s.enum ? `one of ${s.enum.join(', ')}` : s.type) + ('minimum' in s ? ` from ${s.minimum} to ${s.maximum}` : '') +
  ('maxLength' in s ? ` of ${s.minLength} to ${s.maxLength} characters` : '') + (s.pattern ? ` like ${s.pattern}` : '');
const check = ({ properties: known, required = [], additionalProperties }, value) => [ // one entry per problem
  ...(additionalProperties === false ? Object.keys(value).filter((k) => !Object.hasOwn(known, k)).map((k) => `${esc(k)} is not known here`) : []),
  ...required.filter((k) => !Object.hasOwn(value, k)).map((k) => `${esc(k)} is missing`),
  ...Object.keys(known).filter((k) => Object.hasOwn(value, k) && !fits(known[k], value[k])).map((k) => `${esc(k)} must be ${wants(known[k])}`),
];
const digest = (name, questions) => createHash('sha256').update(JSON.stringify([name, questions])).digest('base64url').slice(0, 22);
function question(id, tool, args, capabilities, given, state) {
  const e = capabilities.elicitation, questions = tool.asks(args), content = {};
  if (!isObj(e) || (Object.keys(e).length && !isObj(e.form)))
    return no(id, -32021, 'Client cannot show forms', { requiredCapabilities: { elicitation: { form: {} } } });
  const mark = digest(tool.name, questions); // answers count only for the very questions they were given to
  for (const [key, { form }] of state === mark ? Object.entries(questions) : []) {
    const reply = Object.hasOwn(given, key) ? given[key] : undefined;
    if (reply?.action === 'decline' || reply?.action === 'cancel') return said(id, `Nothing to tell: the question was answered with ${reply.action}`);
    if (reply?.action === 'accept' && isObj(reply.content) && !check(form, reply.content).length) content[key] = reply.content;
  }
  if (Object.keys(questions).every((key) => content[key])) return said(id, tool.run(args, content).say);
  const inputRequests = Object.fromEntries(Object.entries(questions).map(([key, { message, form }]) =>
    [key, { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: form } }]));
  return ok(id, { resultType: 'input_required', inputRequests, requestState: mark });
}
function call(id, { name, arguments: args = {}, inputResponses: given = {}, requestState: state }, capabilities) {
  if (typeof name !== 'string' || !isObj(args) || !isObj(given)) return no(id, -32602, 'tools/call needs a name and objects');
  if (state !== undefined && typeof state !== 'string') return no(id, -32602, 'requestState must be a string');
  const tool = TOOLS.find((t) => t.name === name);
  if (!tool) return no(id, -32602, `Unknown tool: ${esc(name)}`);
  const problems = check(tool.inputSchema, args);
  if (problems.length) return said(id, problems.join('\n'), true);
  return tool.asks ? question(id, tool, args, capabilities, given, state) : said(id, tool.run(args).say);
}
function answer({ id, method, params: p = {} }, headers) {
  if (!isObj(p)) return no(id, -32602, 'params must be an object');
  const asked = p._meta?.[KEY + 'protocolVersion'], capabilities = p._meta?.[KEY + 'clientCapabilities'];
  if (method === 'initialize' && asked === undefined) return no(id, -32022, `No handshake here: this server speaks ${V}`, { supported: [V], requested: String(p.protocolVersion ?? '') });
  if (typeof asked !== 'string' || !isObj(capabilities)) return no(id, -32602, '_meta needs protocolVersion and clientCapabilities');
  if (!LEVELS.includes(p._meta[KEY + 'logLevel'])) return no(id, -32602, 'logLevel is not a level'); // it is read, but nothing is ever logged here
  const mismatch = differs(headers, asked, method, p);
  if (mismatch) return no(id, -32020, mismatch);
  if (asked !== V) return no(id, -32022, 'Unsupported protocol version', { supported: [V], requested: asked });
  if (method === 'server/discover') return ok(id, { supportedVersions: [V], capabilities: { tools: {} }, ttlMs: 60000, cacheScope: 'public' });
  if (method === 'tools/call') return call(id, p, capabilities);
  if (method !== 'tools/list') return no(id, -32601, 'Method not found');
  return p.cursor === undefined ? ok(id, { tools: TOOLS.map(({ run, asks, ...t }) => t), ttlMs: 60000, cacheScope: 'public' }) : no(id, -32602, 'Unknown cursor');
}
function decoded(value) { // plain text, or =?base64?...?= around UTF-8; undefined when that is broken
  const inner = value.match(/^=\?base64\?(.*)\?=$/)?.[1];
  if (inner === undefined) return value;
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(inner) ? Buffer.from(inner, 'base64').toString('utf8') : undefined;
}
function differs(headers, version, method, { name, uri }) { // what the headers say otherwise than the body, if anything
  if (headers['mcp-protocol-version'] !== version) return 'MCP-Protocol-Version is missing or not the version in _meta';
  if (headers['mcp-method'] !== method) return 'Mcp-Method is missing or not the method of the body';
  if (!['tools/call', 'prompts/get', 'resources/read'].includes(method)) return;
  const said = headers['mcp-name'];
  if (said === undefined || decoded(said) !== (name ?? uri)) return 'Mcp-Name is missing or not the name of the body';
}
function reply(res, status, message, headers = {}) {
  const body = message ? JSON.stringify(message) : '';
  res.writeHead(status, { ...(message && { 'Content-Type': 'application/json' }), 'Content-Length': Buffer.byteLength(body), ...headers }).end(body);
}
const refuse = (res, status, why, headers) => reply(res, status, no(undefined, why === 'Parse error' ? -32700 : -32600, why), headers);
function post(req, res, body) {
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '')) return refuse(res, 415, 'Content-Type must be application/json');
  let m; try { m = JSON.parse(body); } catch { return refuse(res, 400, 'Parse error'); }
  if (!isObj(m) || m.jsonrpc !== '2.0' || typeof m.method !== 'string') return refuse(res, 400, 'Invalid Request');
  if (!('id' in m)) return reply(res, 202); // a notification
  if (!['string', 'number'].includes(typeof m.id)) return refuse(res, 400, 'Invalid Request');
  const message = answer(m, req.headers), code = message.error?.code; // an unknown tool or cursor stays 200
  const bad = [-32020, -32021, -32022].includes(code) || (code === -32602 && !/^Unknown/.test(message.error.message));
  reply(res, code === -32601 ? 404 : bad ? 400 : 200, message);
}
http.createServer((req, res) => {
  const { origin, host } = req.headers;
  if (!NEAR.includes(host) || (origin !== undefined && !NEAR.some((n) => origin === `http://${n}`))) return refuse(res, 403, 'Origin or Host not allowed');
  if (req.url.split('?')[0] !== '/mcp') return refuse(res, 404, 'Not found');
  if (req.method !== 'POST') return refuse(res, 405, 'Method not allowed', { Allow: 'POST' });
  const chunks = []; let size = 0; req.on('data', (c) => (size += c.length) <= 4e6 && chunks.push(c));
  req.on('end', () => size > 4e6 ? refuse(res, 413, 'Body too large') : post(req, res, Buffer.concat(chunks).toString('utf8')));
}).listen(PORT, '127.0.0.1', () => console.error(`${NAME} on http://${NEAR[0]}/mcp`));
