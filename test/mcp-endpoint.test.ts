import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchange } from './golden/client.ts';
import { assertError, ERAS, message, post, request, send } from './mcp-client.ts';
import { serviceOfFile } from './simulated.ts';

/** `/mcp`: limits of messages, and resources. `golden/tool-cases.ts` has every kind of message in both revisions. */

const service = await serviceOfFile();

const STORED_VIN = '1FMUK8DH0TG000000';
const listing = message('2025-11-25', 'tools/list').body;

test('a message with deep nesting gets a 400 before anything walks through it', async () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const initialize = (experimental: string) =>
    service.get('/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"x","version":"1"},"capabilities":{"experimental":${experimental}}}}`,
    });
  for (const levels of [98, 9000]) await assertError(await initialize(nested(levels)), 400, -32600);
  assert.equal((await initialize(nested(90))).status, 200);
  // Brackets inside a string are no levels.
  assert.equal((await initialize(`{"a":{"b":"\\"${'[{'.repeat(500)}\\\\"}}`)).status, 200);
});

test('a message with thousands of invalid values gets a 400 before anything lists them', async () => {
  const initialize = (count: number) => {
    const clientInfo = { name: 'x', version: '1', icons: Array<number>(count).fill(0) };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    return post(service, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
  };
  for (const count of [510, 30_000]) await assertError(await initialize(count), 400, -32600);
  const few = await initialize(2);
  assert.match(await few.text(), /icons/);
  // Commas inside a string separate nothing.
  const text = JSON.stringify({ ...listing, params: { _meta: { x: ','.repeat(600) } } });
  assert.equal((await post(service, text)).status, 200);
});

/** On a bare socket because `fetch` can't set Host. */
async function postWithHost(host: string) {
  const body = JSON.stringify(listing);
  const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const bytes = { parts: [`${head}\r\n\r\n${body}`], methods: ['POST'] };
  const [response] = (await exchange(Number(new URL(service.origin).port), bytes)).responses;
  const { 'access-control-allow-origin': cors } = Object.fromEntries(response!.headers);
  return [response!.status.slice(0, 3), cors];
}

test('a request with a foreign Host header gets a 403 with CORS; local hosts are accepted', async () => {
  for (const host of ['evil.example', 'localhost.evil.example', 'evil.example:80'])
    assert.deepEqual(await postWithHost(host), ['403', '*'], host);
  for (const host of ['localhost', '127.0.0.1:8080', '[::1]:1', 'LOCALHOST'])
    assert.deepEqual(await postWithHost(host), ['200', '*'], host);
});

test('tool arguments are not logged, and the SDK prints nothing to the console', async () => {
  await send(service, '2026-07-28', 'tools/call', { name: 'decode_vin', arguments: { vin: STORED_VIN } });
  const printed: string[] = [];
  const { warn, error, log } = console;
  console.warn = console.error = console.log = (...parts) => void printed.push(parts.join(' '));
  try {
    for (const era of ERAS) await send(service, era, 'tools/list');
    await post(service, '{');
  } finally {
    Object.assign(console, { warn, error, log });
  }
  assert.deepEqual(printed, [], 'the SDK prints nothing to the console');
  assert.ok(service.logs.every((line) => !line.includes(STORED_VIN)));
});

test('a 2026-07-28 request whose headers contradict its body gets a 400', async () => {
  const { headers, body } = message('2026-07-28', 'tools/list');
  const response = await post(service, body, { headers: { ...headers, 'Mcp-Method': 'prompts/list' } });
  assert.equal(response.status, 400);
});

test('the error for a very long tool name truncates the name', async () => {
  const { error } = await request(service, '2025-11-25', 'tools/call', { name: 'x'.repeat(1000) });
  assert.doesNotMatch(error!.message, /x{200}/);
});

test('a prompt contains the VIN, the price and the tools to use', async () => {
  const params = { name: 'judge_asking_price', arguments: { vin: STORED_VIN, price: '$41,000' } };
  const { result } = await request<{ messages: { content: { text: string } }[] }>(
    service,
    '2026-07-28',
    'prompts/get',
    params,
  );
  const { text } = result!.messages[0]!.content;
  assert.match(text, /asks \$41,000 for the car 1FMUK8DH0TG000000\. .*read_window_sticker/);
  assert.doesNotMatch(text, /miles|undefined/);
});

test('the PDF and the picture that tools link to can be read as resources, byte for byte', async () => {
  const read = async (path: string) => {
    const uri = `${service.origin}${path}`;
    const reply = await request<{ contents: { mimeType: string; blob: string }[] }>(
      service,
      '2026-07-28',
      'resources/read',
      { uri },
    );
    return { ...reply.result?.contents[0], ...reply.error };
  };
  for (const [path, type] of [
    [`/api/sticker/${STORED_VIN}`, 'application/pdf'],
    [`/api/sticker/${STORED_VIN}/preview`, 'image/webp'],
  ] as const) {
    const served = Buffer.from(await (await service.get(path)).arrayBuffer());
    const { mimeType, blob } = await read(path);
    assert.deepEqual([mimeType, blob], [type, served.toString('base64')]);
  }
  assert.match((await read('/api/sticker/1FMUK8DH5TG900001')).message!, /don't have this label yet/);
  assert.match((await read('/api/sticker/1HGCM82633A004352')).message!, /Honda doesn't publish/);
  assert.equal((await read('/status.json')).code, -32602);
});

test('completion suggests makes and specimen VINs', async () => {
  const complete = async (name: string, value: string, uri: string) => {
    const params = { ref: { type: 'ref/resource', uri }, argument: { name, value } };
    const { result } = await request<{ completion: { values: string[] } }>(
      service,
      '2026-07-28',
      'completion/complete',
      params,
    );
    return result!.completion.values;
  };
  assert.deepEqual(await complete('make', 'ch', 'monroney://coverage/{make}'), ['Chevrolet', 'Chrysler']);
  assert.ok((await complete('vin', '1fm', 'vin://{vin}')).includes(STORED_VIN));
});
