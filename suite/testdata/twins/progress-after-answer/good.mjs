// The good twin of progress-after-answer: the last progress notification precedes the response.
import { setTimeout as sleep } from 'node:timers/promises';
const VERSIONS = ['2025-11-25', '2025-06-18', '2024-11-05']; // 2025-03-26 is left out: it would need batches
const text = (s) => [{ type: 'text', text: s }];
const TOOLS = [
  { name: 'report_build', title: 'Build Report', description: 'Builds a report in three steps and tells how far it is.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: { title: 'Build Report', readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async (_, { signal, progress }) => {
      for (const n of [1, 2, 3]) { progress(n, 3); await sleep(60, undefined, { signal }); }
      return { content: text('Report ready: 3 of 3 parts') };
    } },
];
let version = '', buf = '';
const inflight = new Map(); // request id -> AbortController
const isObj = (v) => typeof v === 'object' && v !== null && !Array.isArray(v);
const hex = (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0');
const esc = (s) => JSON.stringify(s.slice(0, 200)).replace(/[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, hex);
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }).replace(/[\u2028\u2029]/g, hex) + '\n');
const fail = (id, code, message) => // an id that could not be read: absent from 2025-11-25 on, null before
  send({ ...(id !== undefined ? { id } : version >= '2025-11-25' ? {} : { id: null }), error: { code, message } });
const check = (_, args) => Object.keys(args).map((k) => `${esc(k)} is not a known argument`);
async function call(id, { name, arguments: args = {}, _meta }) {
  if (typeof name !== 'string' || !isObj(args)) return fail(id, -32602, 'tools/call needs a name and an arguments object');
  const tool = TOOLS.find((t) => t.name === name);
  if (!tool) return fail(id, -32602, `Unknown tool: ${esc(name)}`);
  const problems = check(tool.inputSchema, args), token = _meta?.progressToken, ac = new AbortController(), { signal } = ac;
  if (problems.length) return send({ id, result: { content: text(problems.join('\n')), isError: true } });
  const wanted = typeof token === 'string' || typeof token === 'number';
  const progress = (n, total) => wanted && !signal.aborted && send({ method: 'notifications/progress', params: { progressToken: token, progress: n, total } });
  inflight.set(id, ac);
  const result = await tool.run(args, { signal, progress }).catch((e) => ({ content: text(`${name} failed: ${esc(e.message)}`), isError: true }));
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
  send({ id, result: { protocolVersion: version, capabilities: { tools: {} }, serverInfo: { name: 'twin-progress-after-answer', version: '1.0.0' } } });
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
