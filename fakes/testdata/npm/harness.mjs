// Puts variants of tool lists and call answers through real clients. Stdin: one
// JSON object a line: {n, kind: "list"|"call", raw, tool}. Stdout: one object
// for each variant and client: {client, era, n, state, error, text}.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioAI } from '@ai-sdk/mcp/mcp-stdio';
import { loadMcpTools } from '@langchain/mcp-adapters';

const rounds = 12; // answers to other requests that a request outlives before it counts as hanging
const input = await text(process.stdin);
const variants = input.split('\n').filter(Boolean).map((l) => JSON.parse(l));
const dir = mkdtempSync(join(tmpdir(), 'conform-npm-'));
const file = join(dir, 'variants.jsonl');
writeFileSync(file, input);
const serverFor = (era) => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('./server.mjs', import.meta.url)), file, era],
  stderr: 'inherit',
});
const info = { name: 'fidelity', version: '1.0.0' };
const options = { timeout: 600_000 };
console.debug = console.warn = console.log = () => {};

const pause = () => new Promise((go) => setTimeout(go, 20));

const clients = [
  { client: 'sdk-v1', era: '2025-11-25', async open() {
    const c = new ClientV1(info);
    await c.connect(new StdioV1(serverFor(this.era)));
    return {
      list: async (n) => JSON.stringify((await c.listTools({ cursor: `n${n}` }, options)).tools),
      ready: () => c.listTools(),
      other: { list: () => c.listTools({ cursor: 'other' }, options), call: () => c.callTool({ name: 'other' }, undefined, options) },
      call: async (n) => JSON.stringify(await c.callTool({ name: `c${n}`, arguments: {} }, undefined, options)),
      close: () => c.close(),
    };
  } },
  ...['2025-11-25', '2026-07-28'].map((era) => ({ client: 'sdk-v2', era, async open() {
    const c = new ClientV2(info, era === '2025-11-25' ? {} : { versionNegotiation: { mode: 'auto' } });
    await c.connect(new StdioV2(serverFor(era)));
    return {
      list: async (n) => JSON.stringify((await c.listTools({ cursor: `n${n}` }, options)).tools),
      ready: () => c.listTools(),
      other: { list: () => c.listTools({ cursor: 'other' }, options), call: () => c.callTool({ name: 'other' }, options) },
      call: async (n) => JSON.stringify(await c.callTool({ name: `c${n}`, arguments: {} }, options)),
      close: () => c.close(),
    };
  } })),
  ...['2025-11-25', '2026-07-28'].map((era) => ({ client: 'ai-sdk', era, async open() {
    // Without the flag a slow machine would make the client fall back to the older revision.
    const transport = Object.assign(new StdioAI(serverFor(era)), { waitsForProtocolVersionDiscovery: true });
    const c = await createMCPClient({ transport, onUncaughtError: () => {} });
    const wrap = c.toolsFromDefinitions({ tools: [{ name: 't', inputSchema: { type: 'object' } }] }).t;
    return {
      list: async (n) => {
        const { tools } = await c.listTools({ params: { cursor: `n${n}` }, options });
        const kept = c.toolsFromDefinitions({ tools });
        return JSON.stringify(Object.entries(kept).map(([name, t]) => ({ name, title: t.title, description: t.description, inputSchema: t.inputSchema.jsonSchema })));
      },
      ready: async () => {},
      other: { list: () => c.listTools({ params: { cursor: 'other' }, options }), call: () => c.callTool({ name: 'other', arguments: {}, options }) },
      call: async (n) => JSON.stringify(wrap.toModelOutput({ output: await c.callTool({ name: `c${n}`, arguments: {}, options }) })),
      close: () => c.close(),
    };
  } })),
  { client: 'langchain', era: '2025-11-25', async open() {
    const c = new ClientV1(info);
    await c.connect(new StdioV1(serverFor(this.era)));
    const show = (t) => ({ name: t.name, description: t.description, schema: t.schema });
    // One page: whatever cursor it names, there is nothing behind it.
    const at = (n) => {
      let asked = false;
      return { listTools: async () => {
        if (asked) return { tools: [] };
        asked = true;
        return c.listTools({ cursor: `n${n}` }, options);
      } };
    };
    let tools;
    return {
      list: async (n) => JSON.stringify((await loadMcpTools('s', at(n))).map(show)),
      other: { list: () => c.listTools({ cursor: 'other' }, options), call: () => c.callTool({ name: 'other' }, undefined, options) },
      ready: async () => { tools = await loadMcpTools('s', { listTools: () => c.listTools(), callTool: (p) => c.callTool(p, undefined, options), readResource: async () => ({ contents: [] }) }); },
      call: async (n) => {
        const m = await tools.find((t) => t.name === `c${n}`).invoke({ type: 'tool_call', id: '1', name: `c${n}`, args: {} });
        return JSON.stringify({ content: m.content, artifact: m.artifact });
      },
      close: () => c.close(),
    };
  } },
];

const emit = (o) => process.stdout.write(JSON.stringify(o) + '\n');

async function run(spec) {
  const open = await spec.open();
  const { client, era } = spec;
  // Answers come in the order of the requests. A request that is still open
  // when later ones have been answered several times over is never answered.
  const settle = async (kind, refused, work) => {
    const waiting = new Set();
    for (const { n } of variants.filter((v) => v.kind === kind)) {
      waiting.add(n);
      const say = (o) => waiting.delete(n) && emit({ client, era, n, ...o });
      work(n).then((text) => say({ state: 'accepted', text }), (e) => say({ state: refused, error: String(e?.message ?? e) }));
    }
    for (let i = 0; i < rounds && waiting.size > 0; i++) {
      await open.other[kind]();
      await pause();
    }
    for (const n of waiting) {
      waiting.delete(n);
      emit({ client, era, n, state: 'hang', error: 'no answer was taken' });
    }
  };
  await settle('list', 'list-lost', open.list);
  await open.ready();
  await settle('call', 'call-failed', open.call);
  open.close().catch(() => {});
}

try {
  await Promise.all(clients.map(run));
} finally {
  rmSync(dir, { recursive: true, force: true });
}
process.stdout.write('', () => process.exit(0));
