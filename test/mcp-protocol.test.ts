import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertCors, assertError, ERAS, request, message, post, send } from './mcp-client.ts';
import { startService, type Service } from './service.ts';
import { tools } from '../src/mcp/tools.ts';

/** The messages of the protocol revisions, over real sockets. */

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

/** The results of `initialize` and `server/discover` combined. */
interface ServerInfo {
  protocolVersion: string;
  supportedVersions: string[];
  capabilities: Record<string, unknown>;
  instructions: string;
  ttlMs: number;
  cacheScope: string;
}

const STORED_VIN = '1FMUK8DH0TG000000';
const listing = message('2025-11-25', 'tools/list').body;

for (const era of ERAS) {
  test(`a ${era} request gets a 200 with plain JSON`, async () => {
    const response = await send(service, era, 'tools/list');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assertCors(response);
    const { id, result } = (await response.json()) as { id: number; result: { tools: unknown[] } };
    assert.equal(id, 7);
    assert.equal(result.tools.length, tools.length);
  });

  test(`a ${era} tool call gets a 200 with plain JSON`, async () => {
    const response = await send(service, era, 'tools/call', {
      name: 'get_window_sticker',
      arguments: { vin: STORED_VIN },
    });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json');
  });

  test(`an unknown method is a protocol error in ${era}`, async () => {
    const { error } = await request(service, era, 'cars/drive');
    assert.equal(error?.code, -32601);
  });

  test(`an unknown tool is a protocol error in ${era} that lists the existing tools`, async () => {
    const { error, result } = await request(service, era, 'tools/call', { name: 'get_car', arguments: {} });
    assert.equal(result, undefined);
    assert.equal(error?.code, -32602);
    assert.match(error.message, /"get_car".*get_window_sticker, read_window_sticker/);
  });
}

for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
  test(`initialize with ${version} returns that protocol version`, async () => {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    const response = await post(service, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json');
    const { id, result } = (await response.json()) as { id: number; result: ServerInfo };
    assert.equal(id, 0);
    assert.equal(result.protocolVersion, version);
    assert.deepEqual(result.capabilities, {
      tools: { listChanged: false },
      prompts: { listChanged: false },
      resources: { listChanged: false },
      completions: {},
      extensions: { 'io.modelcontextprotocol/ui': {} },
    });
    assert.ok(result.instructions.length < 800);
    const headers: Record<string, string> = version < '2025-06-18' ? {} : { 'MCP-Protocol-Version': version };
    assert.equal((await post(service, listing, { headers })).status, 200);
  });
}

test('an unknown old protocol version gets a 400 that lists the supported ones', async () => {
  const response = await post(service, listing, { headers: { 'MCP-Protocol-Version': '2023-01-01' } });
  assert.match(await assertError(response, 400, -32000, 7), /2025-11-25.*2026-07-28/);
});

test('server/discover returns the protocol versions, capabilities, instructions and cache lifetime', async () => {
  const { result } = await request<ServerInfo>(service, '2026-07-28', 'server/discover');
  assert.ok(result);
  assert.ok(result.supportedVersions.includes('2026-07-28'));
  assert.deepEqual(Object.keys(result.capabilities).toSorted(), [
    'completions',
    'extensions',
    'prompts',
    'resources',
    'tools',
  ]);
  assert.match(result.instructions, /read_window_sticker/);
  assert.equal(result.ttlMs, 3_600_000);
  assert.equal(result.cacheScope, 'public');
});

test('every 2026-07-28 list is publicly cacheable for an hour', async () => {
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
    const { result } = await request<{ ttlMs: number; cacheScope: string }>(service, '2026-07-28', method);
    assert.deepEqual([result?.ttlMs, result?.cacheScope], [3_600_000, 'public'], method);
  }
});

test('a 2026-07-28 request whose headers contradict its body gets a 400', async () => {
  const { headers, body } = message('2026-07-28', 'tools/list');
  const response = await post(service, body, { headers: { ...headers, 'Mcp-Method': 'prompts/list' } });
  assert.equal(response.status, 400);
});

test('the error for a very long tool name truncates the name', async () => {
  const { error } = await request(service, '2025-11-25', 'tools/call', { name: 'x'.repeat(1000) });
  assert.ok(error!.message.length < 250);
});
