// The bad twin of paging-never-ends: every cursor leads to page one again, so paging never ends.
const VERSIONS = ['2025-11-25', '2025-06-18', '2024-11-05']; // 2025-03-26 is left out: it would need batches
const text = (s) => [{ type: 'text', text: s }];
const INPUT = { type: 'object', properties: { text: { type: 'string', description: 'Text to count' } }, required: ['text'], additionalProperties: false };
const TOOLS = [
  ['word_count', 'Word Count', 'Counts the words of a text.', (s) => s.split(/\s+/).filter(Boolean).length],
  ['line_count', 'Line Count', 'Counts the lines of a text.', (s) => s.split('\n').length],
  ['char_count', 'Character Count', 'Counts the characters of a text.', (s) => [...s].length],
].map(([name, title, description, count]) => ({ name, title, description, inputSchema: INPUT, run: ({ text: s }) => ({ content: text(`${count(s)}`) }),
  annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } }));
let version = '', buf = '';
const isObj = (v) => typeof v === 'object' && v !== null && !Array.isArray(v);
const hex = (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0');
const esc = (s) => JSON.stringify(s.slice(0, 200)).replace(/[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, hex);
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }).replace(/[\u2028\u2029]/g, hex) + '\n');
const fail = (id, code, message) => // an id that could not be read: absent from 2025-11-25 on, null before
  send({ ...(id !== undefined ? { id } : version >= '2025-11-25' ? {} : { id: null }), error: { code, message } });
const check = (_, args) => [ // one entry per problem
  ...Object.keys(args).filter((k) => k !== 'text').map((k) => `${esc(k)} is not a known argument`),
  ...(typeof args.text === 'string' ? [] : ['"text" must be a string']),
];
function call(id, { name, arguments: args = {} }) {
  if (typeof name !== 'string' || !isObj(args)) return fail(id, -32602, 'tools/call needs a name and an arguments object');
  const tool = TOOLS.find((t) => t.name === name);
  if (!tool) return fail(id, -32602, `Unknown tool: ${esc(name)}`);
  const problems = check(tool.inputSchema, args);
  send({ id, result: problems.length ? { content: text(problems.join('\n')), isError: true } : tool.run(args) });
}
const list = (id) => // FAULT: the cursor is ignored
  send({ id, result: { tools: TOOLS.slice(0, 2).map(({ run, ...t }) => t), nextCursor: 'page-2' } });
function request(id, method, p) {
  if (method === 'tools/call') return call(id, p);
  if (method === 'ping') return send({ id, result: {} });
  if (method === 'tools/list') return list(id, p.cursor);
  if (method !== 'initialize') return fail(id, -32601, 'Method not found');
  if (typeof p.protocolVersion !== 'string') return fail(id, -32602, 'initialize needs protocolVersion');
  version = VERSIONS.includes(p.protocolVersion) ? p.protocolVersion : VERSIONS[0];
  send({ id, result: { protocolVersion: version, capabilities: { tools: {} }, serverInfo: { name: 'twin-paging-never-ends', version: '1.0.0' } } });
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
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  for (buf += chunk; buf.includes('\n'); buf = buf.slice(buf.indexOf('\n') + 1)) line(buf.slice(0, buf.indexOf('\n')));
});
process.stdout.on('error', () => process.exit(0));
