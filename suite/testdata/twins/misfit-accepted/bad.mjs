// The bad twin of misfit-accepted: an answer that does not fit its form is used.
import { createHash } from 'node:crypto';
const NAME = 'twin-misfit-accepted', V = '2026-07-28', KEY = 'io.modelcontextprotocol/';
const LEVELS = [undefined, 'debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const hints = (title) => ({ title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false });
const object = (properties, required = []) => ({ type: 'object', properties, required, additionalProperties: false });
const TOOLS = [
  { name: 'bread_recipe', title: 'Bread Recipe', description: 'Scales a bread recipe. Asks for the amounts where the client can show a form, else makes one loaf.', annotations: hints('Bread Recipe'),
    inputSchema: object({ flour: { type: 'string', enum: ['rye', 'wheat', 'spelt'], description: 'Kind of flour' } }, ['flour']),
    asks: ({ flour }) => ({ amounts: { message: `How much ${flour} bread?`, form: { type: 'object',
      properties: { grams: { type: 'integer', title: 'Grams of flour', minimum: 100, maximum: 2000 }, salted: { type: 'boolean', title: 'With salt' } }, required: ['grams', 'salted'] } } }),
    run: ({ flour }, { amounts: { grams, salted } = { grams: 500, salted: true } }) => ({ say: `${grams} g ${flour} flour, ${grams * 0.65} g water${salted ? `, ${grams * 0.02} g salt` : ''}` }) },
  { name: 'dice_odds', title: 'Dice Odds', description: 'Tells the chance to roll a sum with two dice.', annotations: hints('Dice Odds'),
    inputSchema: object({ sum: { type: 'integer', minimum: 2, maximum: 12, description: 'Sum to roll' } }, ['sum']),
    run: ({ sum }) => ({ say: `${6 - Math.abs(7 - sum)} in 36` }) },
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
  if (!isObj(e) || (Object.keys(e).length && !isObj(e.form))) return said(id, tool.run(args, {}).say); // nobody to ask: carry on
  const mark = digest(tool.name, questions); // answers count only for the very questions they were given to
  for (const [key, { form }] of state === mark ? Object.entries(questions) : []) {
    const reply = Object.hasOwn(given, key) ? given[key] : undefined;
    if (reply?.action === 'decline' || reply?.action === 'cancel') return said(id, `Nothing to tell: the question was answered with ${reply.action}`);
    if (reply?.action === 'accept' && isObj(reply.content)) /* FAULT: nothing checked */ content[key] = reply.content;
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
function answer({ id, method, params: p = {} }) {
  if (!isObj(p)) return no(id, -32602, 'params must be an object');
  const asked = p._meta?.[KEY + 'protocolVersion'], capabilities = p._meta?.[KEY + 'clientCapabilities'];
  if (method === 'initialize' && asked === undefined) return no(id, -32022, `No handshake here: this server speaks ${V}`, { supported: [V], requested: String(p.protocolVersion ?? '') });
  if (typeof asked !== 'string' || !isObj(capabilities)) return no(id, -32602, '_meta needs protocolVersion and clientCapabilities');
  if (!LEVELS.includes(p._meta[KEY + 'logLevel'])) return no(id, -32602, 'logLevel is not a level'); // it is read, but nothing is ever logged here
  if (asked !== V) return no(id, -32022, 'Unsupported protocol version', { supported: [V], requested: asked });
  if (method === 'server/discover') return ok(id, { supportedVersions: [V], capabilities: { tools: {} }, ttlMs: 60000, cacheScope: 'public' });
  if (method === 'tools/call') return call(id, p, capabilities);
  if (method !== 'tools/list') return no(id, -32601, 'Method not found');
  return p.cursor === undefined ? ok(id, { tools: TOOLS.map(({ run, asks, ...t }) => t), ttlMs: 60000, cacheScope: 'public' }) : no(id, -32602, 'Unknown cursor');
}
const send = (m) => m && process.stdout.write(JSON.stringify(m).replace(/[\u2028\u2029]/g, hex) + '\n');
function line(raw) {
  if (!raw.trim()) return;
  let m;
  try { m = JSON.parse(raw); } catch { return no(undefined, -32700, 'Parse error'); }
  if (isObj(m) && !('method' in m) && ('result' in m || 'error' in m)) return; // responses do not exist in this revision
  const id = isObj(m) && ['string', 'number'].includes(typeof m.id) ? m.id : undefined;
  if (!isObj(m) || m.jsonrpc !== '2.0' || typeof m.method !== 'string' || ('id' in m && id === undefined)) return no(id, -32600, 'Invalid Request');
  return id === undefined ? undefined : answer(m);
}
let buf = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  for (buf += chunk; buf.includes('\n'); buf = buf.slice(buf.indexOf('\n') + 1)) send(line(buf.slice(0, buf.indexOf('\n'))));
});
process.stdout.on('error', () => process.exit(0));
