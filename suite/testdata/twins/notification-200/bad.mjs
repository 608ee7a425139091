// The bad twin of notification-200: a notification is answered with 200 and a JSON body.
import http from 'node:http';
const NAME = 'twin-notification-200', VERSIONS = ['2025-11-25', '2025-06-18']; // older revisions are not spoken: 2025-03-26 would need batches
const PORT = Number(process.argv[process.argv.indexOf('--http') + 1]), NEAR = [`127.0.0.1:${PORT}`, `localhost:${PORT}`];
const JSON_TYPE = 'application/json', SSE_TYPE = 'text/event-stream', METHODS = 'POST';
const hints = (title) => ({ title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false });
const object = (properties, required = []) => ({ type: 'object', properties, required, additionalProperties: false });
const TOOLS = [
  { name: 'paint_need', title: 'Paint Calculator', description: 'Works out how many litres of paint a wall takes.', annotations: hints('Paint Calculator'),
    inputSchema: object({ width: { type: 'number', minimum: 0.1, maximum: 100, description: 'Metres' }, height: { type: 'number', minimum: 0.1, maximum: 20, description: 'Metres' },
      coats: { type: 'integer', minimum: 1, maximum: 5, description: 'Coats of paint' } }, ['width', 'height', 'coats']),
    run: ({ width, height, coats }) => ({ say: `${Math.ceil((width * height * coats) / 10)} litres` }) },
  { name: 'word_reverse', title: 'Reverse Word', description: 'Writes a word backwards.', annotations: hints('Reverse Word'),
    inputSchema: object({ word: { type: 'string', pattern: '^[A-Za-z]+$', minLength: 1, maxLength: 60, description: 'Letters alone' } }, ['word']),
    run: ({ word }) => ({ say: [...word].reverse().join('') }) },
];
const isObj = (v) => typeof v === 'object' && v !== null && !Array.isArray(v);
const hex = (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0');
const esc = (s, max = 200) => JSON.stringify(s.slice(0, max)).replace(/[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, hex);
const ok = (id, result) => ({ jsonrpc: '2.0', id, result });
const no = (id, code, message) => ({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message } });
const text = (s) => [{ type: 'text', text: s }];
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
function call(id, { name, arguments: args = {} }) {
  if (typeof name !== 'string' || !isObj(args)) return no(id, -32602, 'tools/call needs a name and an arguments object');
  const tool = TOOLS.find((t) => t.name === name);
  if (!tool) return no(id, -32602, `Unknown tool: ${esc(name)}`);
  const problems = check(tool.inputSchema, args);
  return ok(id, problems.length ? { content: text(problems.join('\n')), isError: true } : { content: text(tool.run(args).say) });
}
function answer({ id, method, params: p = {} }) {
  if (!isObj(p)) return no(id, -32602, 'params must be an object');
  if (method === 'ping') return ok(id, {});
  if (method === 'tools/call') return call(id, p);
  if (method === 'tools/list') return p.cursor !== undefined ? no(id, -32602, 'Unknown cursor') : ok(id, { tools: TOOLS.map(({ run, ...t }) => t) });
  if (method !== 'initialize') return no(id, -32601, 'Method not found');
  if (typeof p.protocolVersion !== 'string') return no(id, -32602, 'initialize needs protocolVersion');
  const protocolVersion = VERSIONS.includes(p.protocolVersion) ? p.protocolVersion : VERSIONS[0];
  return ok(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: NAME, version: '1.0.0' } });
}
function reply(res, status, message, headers = {}) { // one JSON object, or no body at all
  const body = message ? JSON.stringify(message) : '';
  res.writeHead(status, { ...(message && { 'Content-Type': JSON_TYPE }), 'Content-Length': Buffer.byteLength(body), ...headers }).end(body);
}
const refuse = (res, status, why, headers) => reply(res, status, no(undefined, status === 400 && why === 'Parse error' ? -32700 : -32600, why), headers);
function takes(req, type) { // does the Accept header allow this type; without one anything goes
  const ranges = (req.headers.accept ?? '*/*').toLowerCase().split(',').map((r) => r.split(';').map((part) => part.trim()));
  return ranges.some(([range, ...rest]) => [type, type.split('/')[0] + '/*', '*/*'].includes(range) && !rest.some((q) => /^q=0(\.0*)?$/.test(q)));
}
function deliver(req, res, message, headers) {
  reply(res, 200, message, headers);
}
function post(req, res, body) {
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '')) return refuse(res, 415, 'Content-Type must be application/json');
  if (!takes(req, JSON_TYPE)) return refuse(res, 406, 'Answers are application/json');
  let m; try { m = JSON.parse(body); } catch { return refuse(res, 400, 'Parse error'); }
  const response = isObj(m) && !('method' in m) && ('result' in m || 'error' in m), called = isObj(m) && typeof m.method === 'string';
  if (!isObj(m) || m.jsonrpc !== '2.0' || !(response || called)) return refuse(res, 400, 'Invalid Request');
  if ('id' in m && !['string', 'number'].includes(typeof m.id)) return refuse(res, 400, 'Invalid Request');
  if (m.method !== 'initialize' && !spoken(req, res)) return;
  if (response || !('id' in m)) return reply(res, 200, { jsonrpc: '2.0', id: null, result: {} }); // FAULT: 202 without a body belongs here; notifications and answers to nothing
  deliver(req, res, answer(m));
}
function spoken(req, res) { // a version header this server does not speak; none at all is fine
  const asked = req.headers['mcp-protocol-version'];
  return asked === undefined || VERSIONS.includes(asked) || void refuse(res, 400, `Unsupported protocol version, try ${VERSIONS.join(' or ')}`);
}
http.createServer((req, res) => { const { origin, host } = req.headers;
  if (!NEAR.includes(host) || (origin !== undefined && !NEAR.some((n) => origin === `http://${n}`))) return refuse(res, 403, 'Origin or Host not allowed');
  if (req.url.split('?')[0] !== '/mcp') return refuse(res, 404, 'Not found');
  if (req.method !== 'POST') return refuse(res, 405, 'Method not allowed', { Allow: METHODS });
  const chunks = []; let size = 0; req.on('data', (c) => (size += c.length) <= 4e6 && chunks.push(c));
  req.on('end', () => size > 4e6 ? refuse(res, 413, 'Body too large') : post(req, res, Buffer.concat(chunks).toString('utf8')));
}).listen(PORT, '127.0.0.1', () => console.error(`${NAME} on http://${NEAR[0]}/mcp`));
