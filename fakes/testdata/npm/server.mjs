// A scripted MCP server: the cursor of tools/list and the name of tools/call
// say which variant is the answer. Variants come from the file in argv[2].
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , file, era] = process.argv;
const variants = readFileSync(file, 'utf8').split('\n').filter(Boolean).map((l) => JSON.parse(l));
const modern = era === '2026-07-28';
const tail = modern ? ',"resultType":"complete","ttlMs":3600000,"cacheScope":"private"' : '';
const send = (line) => process.stdout.write(line + '\n');
const answer = (id, raw) => send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${raw}}`);
const called = variants.filter((v) => v.kind === 'call');

createInterface({ input: process.stdin }).on('line', (line) => {
  const m = JSON.parse(line);
  if (m.id === undefined) return;
  switch (m.method) {
    case 'server/discover':
      if (!modern) return send(JSON.stringify({ jsonrpc: '2.0', id: m.id, error: { code: -32601, message: 'Method not found' } }));
      return answer(m.id, `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}${tail}}`);
    case 'initialize':
      return answer(m.id, '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}');
    case 'tools/list': {
      const cursor = m.params?.cursor;
      if (cursor === undefined) return answer(m.id, `{"tools":[${called.map((v) => v.tool).join(',')}]${tail}}`);
      if (cursor === 'other') return answer(m.id, `{"tools":[]${tail}}`);
      return answer(m.id, variants.find((v) => `n${v.n}` === cursor).raw);
    }
    case 'tools/call':
      if (m.params.name === 'other') return answer(m.id, `{"content":[]${modern ? ',"resultType":"complete"' : ''}}`);
      return send(called.find((v) => `c${v.n}` === m.params.name).raw.replace('@ID@', JSON.stringify(m.id)));
    default:
      return send(JSON.stringify({ jsonrpc: '2.0', id: m.id, error: { code: -32601, message: 'Method not found' } }));
  }
});
