import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { assertCors, assertError, ERAS, message, post, send } from './mcp-client.ts';
import { startService, type Service } from './service.ts';

/** `/mcp` at the HTTP level: every kind of request and its response, over real sockets. */

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

const STORED_VIN = '1FMUK8DH0TG000000';
const listing = message('2025-11-25', 'tools/list').body;

test('a notification gets a 202 with an empty body', async () => {
  const response = await post(service, { jsonrpc: '2.0', method: 'notifications/initialized' });
  assert.equal(response.status, 202);
  assert.equal(await response.text(), '');
  assertCors(response);
  const { headers, body } = message('2026-07-28', 'notifications/cancelled', { requestId: 1 });
  const { id: _id, ...notification } = body;
  assert.equal((await post(service, notification, { headers })).status, 202);
});

for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
  test(`${method} gets a 405 with Allow and CORS, so that clients neither loop nor hang`, async () => {
    const response = await service.get('/mcp', { method, headers: { Accept: 'text/event-stream' } });
    assert.equal(response.headers.get('allow'), 'POST, OPTIONS');
    if (method !== 'HEAD') {
      await assertError(response, 405, -32000);
      return;
    }
    assert.equal(response.status, 405);
    assert.equal(await response.text(), '');
    assertCors(response);
  });
}

test('a browser that opens /mcp is redirected to the connect page', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const response = await service.get('/mcp', { headers: { Accept: accept }, redirect: 'manual' });
  assert.equal(response.status, 303);
  assert.match(response.headers.get('location')!, /\/connect$/);
  const both = await service.get('/mcp', { headers: { Accept: 'text/html, text/event-stream' } });
  assert.equal(both.status, 405, 'a client that accepts an event stream is not a browser');
});

test('/mcp/ works like /mcp', async () => {
  const response = await service.get('/mcp/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(listing),
  });
  assert.equal(response.status, 200);
  assertCors(response);
  assert.equal((await service.get('/mcp/', { method: 'OPTIONS' })).status, 204);
});

test('every Origin is allowed, because all data is public', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://localhost:3000'])
    assert.equal((await post(service, listing, { headers: { Origin: origin } })).status, 200);
});

test('OPTIONS gets a 204 that allows the headers browser clients send', async () => {
  const response = await service.get('/mcp', {
    method: 'OPTIONS',
    headers: { Origin: 'https://example.org', 'Access-Control-Request-Method': 'POST' },
  });
  assert.equal(response.status, 204);
  assert.equal(response.headers.get('allow'), 'POST, OPTIONS');
  assert.equal(response.headers.get('access-control-allow-methods'), 'POST, OPTIONS');
  const allowed = (response.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
  for (const name of [
    'content-type',
    'accept',
    'x-contact',
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
    'mcp-session-id',
  ])
    assert.ok(allowed.includes(name), name);
  assertCors(response);
});

test('a body that is not JSON gets a 400 with -32700', async () => {
  for (const body of ['{', '', 'hello'])
    assert.match(
      await assertError(await post(service, body), 400, -32700),
      /not JSON\. Send one JSON-RPC 2\.0 message/,
    );
});

test('JSON that is not a JSON-RPC message gets a 400 with -32600', async () => {
  for (const body of ['null', '5', '"x"', '{}']) await assertError(await post(service, body), 400, -32600);
});

test('an error has the id of its request', async () => {
  const headers = { 'MCP-Protocol-Version': '2020-01-01' };
  for (const id of [0, 3, 'three'])
    await assertError(await post(service, { ...listing, id }, { headers }), 400, -32000, id);
  const { id: _id, ...notification } = listing;
  await assertError(await post(service, notification, { headers }), 400, -32000);
});

test('subscriptions/listen is an unknown method, because there is nothing to subscribe to', async () => {
  const params = { notifications: { toolsListChanged: true } };
  await assertError(await send(service, '2026-07-28', 'subscriptions/listen', params), 404, -32601, 7);
  await assertError(await send(service, '2026-07-28', 'cars/drive'), 404, -32601, 7);
});

test('a batch gets a 400 with -32600', async () => {
  for (const batch of [[listing], [listing, listing], []])
    assert.match(await assertError(await post(service, batch), 400, -32600), /one message at a time/);
});

test('a content type other than JSON gets a 415, even with a valid body', async () => {
  for (const type of ['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded'])
    await assertError(await post(service, listing, { headers: { 'Content-Type': type } }), 415, -32600);
  const withCharset = await post(service, listing, {
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  });
  assert.equal(withCharset.status, 200);
});

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

test('a message over 64 KiB gets a 413, with or without Content-Length', async () => {
  const large = JSON.stringify({ ...listing, params: { x: 'x'.repeat(70_000) } });
  await assertError(await post(service, large), 413, -32600);
  const streamed = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(large));
      controller.close();
    },
  });
  const response = await service.get('/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: streamed,
    duplex: 'half',
  } as RequestInit);
  await assertError(response, 413, -32600);
  const small = JSON.stringify({ ...listing, params: { _meta: { x: 'x'.repeat(60_000) } } });
  assert.equal((await post(service, small)).status, 200);
});

/** `fetch` doesn't allow setting the Host header. */
function postWithHost(host: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(service.origin);
    const headers = { Host: host, 'Content-Type': 'application/json' };
    const request = http.request(
      { port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers },
      (response) => {
        response.resume();
        resolve(response);
      },
    );
    request.on('error', reject);
    request.end(JSON.stringify(listing));
  });
}

test('a request with a foreign Host header gets a 403 with CORS; local hosts are accepted', async () => {
  for (const host of ['evil.example', 'localhost.evil.example', 'evil.example:80']) {
    const response = await postWithHost(host);
    assert.equal(response.statusCode, 403, host);
    assert.equal(response.headers['access-control-allow-origin'], '*');
  }
  for (const host of ['localhost', '127.0.0.1:8080', '[::1]:1', 'LOCALHOST'])
    assert.equal((await postWithHost(host)).statusCode, 200, host);
});

test('with a public BASE_URL, only its host is accepted', async () => {
  const publicService = await startService({ BASE_URL: 'https://stickers.example' });
  try {
    const response = await post(publicService, listing);
    assert.equal(response.status, 403);
    const { error } = (await response.json()) as { error: { message: string } };
    assert.match(error.message, /https:\/\/stickers\.example\/mcp/);
  } finally {
    await publicService.close();
  }
});

test('Accept can have any value or be missing', async () => {
  for (const era of ERAS)
    for (const accept of ['*/*', 'application/json', 'text/event-stream', 'text/html'])
      assert.equal((await send(service, era, 'tools/list', {}, { headers: { Accept: accept } })).status, 200);
  // withHost sends no Accept at all.
  assert.equal((await postWithHost('localhost')).statusCode, 200);
});

test("sign-in discovery URLs get a short 404 without HTML, so that clients don't start a sign-in", async () => {
  for (const name of [
    'oauth-protected-resource',
    'oauth-authorization-server',
    'oauth-protected-resource/mcp',
    'openid-configuration',
  ]) {
    const response = await service.get(`/.well-known/${name}`);
    assert.equal(response.status, 404, name);
    assert.ok((await response.text()).length < 1000, name);
    assert.doesNotMatch(response.headers.get('content-type') ?? '', /html/);
  }
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
