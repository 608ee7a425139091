// The bad twin of first-problem-only: only the first problem of an input is told.
const NAME = 'twin-first-problem-only', VERSIONS = ['2025-11-25', '2025-06-18', '2024-11-05']; // 2025-03-26 is left out: it would need batches
const hints = (title) => ({ title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false });
const object = (properties, required = []) => ({ type: 'object', properties, required, additionalProperties: false });
const TOOLS = [
  { name: 'paint_need', title: 'Paint Calculator', description: 'Works out how many litres of paint a wall takes.', annotations: hints('Paint Calculator'),
    inputSchema: object({ width: { type: 'number', minimum: 0.1, maximum: 100, description: 'Metres' }, height: { type: 'number', minimum: 0.1, maximum: 20, description: 'Metres' },
      coats: { type: 'integer', minimum: 1, maximum: 5, description: 'Coats of paint' } }, ['width', 'height', 'coats']),
    run: ({ width, height, coats }) => ({ say: `${Math.ceil((width * height * coats) / 10)} litres` }) },
  { name: 'harbour_depth', title: 'Harbour Depth', description: 'Looks up the depth of a harbour in a small chart.', annotations: hints('Harbour Depth'),
    inputSchema: object({ harbour: { type: 'string', enum: ['north', 'south', 'old'], description: 'Which harbour' } }, ['harbour']),
    outputSchema: object({ metres: { type: 'number', minimum: 0, maximum: 100 }, surveyed: { type: 'integer', minimum: 1900, maximum: 2100 } }, ['metres', 'surveyed']),
    run: ({ harbour }) => { // the record of the old harbour was never converted
      const details = { north: { metres: 12.5, surveyed: 2024 }, south: { metres: 9, surveyed: 2025 }, old: { metres: '4 fathoms', year: 1931 } }[harbour];
      return { say: `The ${harbour} harbour is ${details.metres} metres deep`, details };
    } },
];
let version = '', buf = '';
const inflight = new Map(); // request id -> AbortController
const isObj = (v) => typeof v === 'object' && v !== null && !Array.isArray(v);
const hex = (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0');
const esc = (s, max = 200) => JSON.stringify(s.slice(0, max)).replace(/[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, hex);
const oneLine = (s) => esc(String(s), 500).slice(1, -1).replaceAll('\\"', '"');
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }).replace(/[\u2028\u2029]/g, hex) + '\n');
const fail = (id, code, message) => // an id that could not be read: absent from 2025-11-25 on, null before
  send({ ...(id !== undefined ? { id } : version >= '2025-11-25' ? {} : { id: null }), error: { code, message } });
const text = (...parts) => parts.map((s) => ({ type: 'text', text: s }));
const refuse = (...lines) => ({ content: text(lines.join('\n')), isError: true });
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
async function answer(name, args, extras) {
  const tool = TOOLS.find((t) => t.name === name);
  if (!tool) return refuse(`Unknown ${NAME} tool: ${esc(name)}`);
  try {
    const problems = check(tool.inputSchema, args);
    if (problems.length) return refuse(problems[0]); // FAULT: the others are kept back
    const { say, details } = await tool.run(args, extras);
    if (!tool.outputSchema) return { content: text(say) };
    const misfits = check(tool.outputSchema, details);
    if (misfits.length) return refuse(`${name} returned details that don't match its output schema`, ...misfits);
    return { content: text(say, JSON.stringify(details)), structuredContent: details };
  } catch (e) { return refuse(`${name} failed: ${oneLine(e.message)}`); }
}
async function call(id, { name, arguments: args = {}, _meta }) {
  if (typeof name !== 'string' || !isObj(args)) return fail(id, -32602, 'tools/call needs a name and an arguments object');
  const ac = new AbortController(), { signal } = ac, token = _meta?.progressToken;
  inflight.set(id, ac);
  const result = await answer(name, args, { signal });
  inflight.delete(id);
  if (!signal.aborted) send({ id, result });
}
function request(id, method, p) {
  if (method === 'tools/call') return call(id, p);
  if (method === 'ping') return send({ id, result: {} });
  if (method === 'tools/list') return p.cursor !== undefined ? fail(id, -32602, 'Unknown cursor') : send({ id, result: { tools: TOOLS.map(({ run, ...t }) => t) } });
  if (method !== 'initialize') return fail(id, -32601, 'Method not found');
  if (typeof p.protocolVersion !== 'string') return fail(id, -32602, 'initialize needs protocolVersion');
  version = VERSIONS.includes(p.protocolVersion) ? p.protocolVersion : VERSIONS[0];
  send({ id, result: { protocolVersion: version, capabilities: { tools: {} }, serverInfo: { name: NAME, version: '1.0.0' } } });
}
function line(raw) {
  if (!raw.trim()) return;
  let m;
  try { m = JSON.parse(raw); } catch { return fail(undefined, -32700, 'Parse error'); }
  if (isObj(m) && !('method' in m) && ('result' in m || 'error' in m)) return; // a response: this server asked nothing
  const id = isObj(m) && ['string', 'number'].includes(typeof m.id) ? m.id : undefined, p = isObj(m) && m.params !== undefined ? m.params : {};
  if (!isObj(m) || m.jsonrpc !== '2.0' || typeof m.method !== 'string' || ('id' in m && id === undefined)) return fail(id, -32600, 'Invalid Request');
  if (id === undefined) return m.method === 'notifications/cancelled' ? inflight.get(p?.requestId)?.abort() : undefined;
  return isObj(p) ? request(id, m.method, p) : fail(id, -32602, 'params must be an object');
}
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  for (buf += chunk; buf.includes('\n'); buf = buf.slice(buf.indexOf('\n') + 1)) line(buf.slice(0, buf.indexOf('\n')));
});
process.stdout.on('error', () => process.exit(0));
