// The good twin of tampered-state-used: a requestState that was changed is asked again.
import { createHmac } from 'node:crypto';
const NAME = 'twin-tampered-state-used', V = '2026-07-28', KEY = 'io.modelcontextprotocol/';
const LEVELS = [undefined, 'debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const hints = (title) => ({ title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false });
const object = (properties, required = []) => ({ type: 'object', properties, required, additionalProperties: false });
const TOOLS = [
  { name: 'ferry_fare', title: 'Ferry Fare', description: 'Tells what a ferry ticket costs today, after asking for the class. Sells nothing.', annotations: hints('Ferry Fare'),
    inputSchema: object({ city: { type: 'string', enum: ['oslo', 'riga', 'visby'], description: 'Where to' } }, ['city']),
    asks: ({ city }) => `A ticket to ${city} costs ${FARES[city]} today. Which class?`,
    run: ({ city }, { fare, comfort }) => ({ say: `${city}, ${comfort} class: ${comfort === 'first' ? fare * 2 : fare}` }) },
  { name: 'vowel_count', title: 'Count Vowels', description: 'Counts the vowels of a word.', annotations: hints('Count Vowels'),
    inputSchema: object({ word: { type: 'string', minLength: 1, maxLength: 100, description: 'Word to look at' } }, ['word']),
    run: ({ word }) => ({ say: `${(word.match(/[aeiou]/gi) ?? []).length} vowels` }) },
];
const FARES = { oslo: 120, riga: 95, visby: 40 }; // they change from day to day
const seal = (fare, city) => createHmac('sha256', process.env.FERRY_KEY ?? 'local key').update(JSON.stringify([fare, city])).digest('base64url');
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
function question(id, tool, args, capabilities, given, state) {
  const e = capabilities.elicitation;
  if (!isObj(e) || (Object.keys(e).length && !isObj(e.form)))
    return no(id, -32021, 'Client cannot show forms', { requiredCapabilities: { elicitation: { form: {} } } });
  const comfort = { type: 'object', properties: { comfort: { type: 'string', title: 'Class', enum: ['first', 'second'] } }, required: ['comfort'] };
  let old; try { old = JSON.parse(Buffer.from(state ?? '', 'base64url').toString('utf8')); } catch { /* no state to speak of */ }
  const ours = isObj(old) && old.city === args.city && old.mac === seal(old.fare, old.city); // the fare of this very question, unchanged
  const reply = ours && Object.hasOwn(given, 'class') ? given.class : undefined;
  if (reply?.action === 'decline' || reply?.action === 'cancel') return said(id, `Nothing to tell: the question was answered with ${reply.action}`);
  if (reply?.action === 'accept' && isObj(reply.content) && !check(comfort, reply.content).length)
    return said(id, tool.run(args, { fare: old.fare, comfort: reply.content.comfort }).say);
  const fare = FARES[args.city], requestState = Buffer.from(JSON.stringify({ fare, city: args.city, mac: seal(fare, args.city) })).toString('base64url');
  const params = { mode: 'form', message: tool.asks(args), requestedSchema: comfort };
  return ok(id, { resultType: 'input_required', inputRequests: { class: { method: 'elicitation/create', params } }, requestState });
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
