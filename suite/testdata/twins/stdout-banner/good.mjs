// The good twin of stdout-banner: the banner goes to stderr, stdout carries JSON-RPC alone.
const VERSIONS = ['2025-11-25', '2025-06-18', '2024-11-05']; // 2025-03-26 is left out: it would need batches
const text = (s) => [{ type: 'text', text: s }];
const TOOLS = [
  { name: 'roman_encode', title: 'Roman Numeral', description: 'Writes a number from 1 to 3999 in Roman numerals.',
    inputSchema: { type: 'object', properties: { number: { type: 'integer', minimum: 1, maximum: 3999, description: 'Number to write' } }, required: ['number'], additionalProperties: false },
    annotations: { title: 'Roman Numeral', readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: ({ number: n }) => ({ content: text([[1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'],
      [5, 'V'], [4, 'IV'], [1, 'I']].reduce((out, [v, s]) => { const k = Math.floor(n / v); n -= k * v; return out + s.repeat(k); }, '')) }) },
];
let version = '', buf = '';
const isObj = (v) => typeof v === 'object' && v !== null && !Array.isArray(v);
const hex = (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0');
const esc = (s) => JSON.stringify(s.slice(0, 200)).replace(/[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, hex);
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }).replace(/[\u2028\u2029]/g, hex) + '\n');
const fail = (id, code, message) => // an id that could not be read: absent from 2025-11-25 on, null before
  send({ ...(id !== undefined ? { id } : version >= '2025-11-25' ? {} : { id: null }), error: { code, message } });
const fits = (s, v) => (s.type === 'integer' ? Number.isInteger(v) : typeof v === s.type) && !(v < s.minimum || v > s.maximum) && !(v === '' && s.minLength);
const wants = (s) => s.type + (s.maximum ? ` from ${s.minimum} to ${s.maximum}` : '') + (s.minLength ? ', not empty' : '');
const check = ({ properties: known, required = [] }, args) => [ // one entry per problem
  ...Object.keys(args).filter((k) => !Object.hasOwn(known, k)).map((k) => `${esc(k)} is not a known argument`),
  ...required.filter((k) => !Object.hasOwn(args, k)).map((k) => `${esc(k)} is missing`),
  ...Object.keys(known).filter((k) => Object.hasOwn(args, k) && !fits(known[k], args[k])).map((k) => `${esc(k)} must be ${wants(known[k])}`),
];
function call(id, { name, arguments: args = {} }) {
  if (typeof name !== 'string' || !isObj(args)) return fail(id, -32602, 'tools/call needs a name and an arguments object');
  const tool = TOOLS.find((t) => t.name === name);
  if (!tool) return fail(id, -32602, `Unknown tool: ${esc(name)}`);
  const problems = check(tool.inputSchema, args);
  send({ id, result: problems.length ? { content: text(problems.join('\n')), isError: true } : tool.run(args) });
}
function request(id, method, p) {
  if (method === 'tools/call') return call(id, p);
  if (method === 'ping') return send({ id, result: {} });
  if (method === 'tools/list') return p.cursor !== undefined ? fail(id, -32602, 'Unknown cursor') : send({ id, result: { tools: TOOLS.map(({ run, ...t }) => t) } });
  if (method !== 'initialize') return fail(id, -32601, 'Method not found');
  if (typeof p.protocolVersion !== 'string') return fail(id, -32602, 'initialize needs protocolVersion');
  version = VERSIONS.includes(p.protocolVersion) ? p.protocolVersion : VERSIONS[0];
  send({ id, result: { protocolVersion: version, capabilities: { tools: {} }, serverInfo: { name: 'twin-stdout-banner', version: '1.0.0' } } });
}
function line(raw) {
  if (!raw.trim()) return;
  let m;
  try { m = JSON.parse(raw); } catch { return fail(undefined, -32700, 'Parse error'); }
  if (isObj(m) && !('method' in m) && ('result' in m || 'error' in m)) return; // a response: this server asked nothing
  const id = isObj(m) && ['string', 'number'].includes(typeof m.id) ? m.id : undefined, p = isObj(m) && m.params !== undefined ? m.params : {};
  if (!isObj(m) || m.jsonrpc !== '2.0' || typeof m.method !== 'string' || ('id' in m && id === undefined)) return fail(id, -32600, 'Invalid Request');
  if (id === undefined) return;
  return isObj(p) ? request(id, m.method, p) : fail(id, -32602, 'params must be an object');
}
console.error('Roman tools v1.0.0 listening on stdio');
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  for (buf += chunk; buf.includes('\n'); buf = buf.slice(buf.indexOf('\n') + 1)) line(buf.slice(0, buf.indexOf('\n')));
});
process.stdout.on('error', () => process.exit(0));
