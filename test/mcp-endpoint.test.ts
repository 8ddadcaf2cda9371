import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { ERAS, ask, message, post, send } from './mcp-client.ts';
import { startService, type Service } from './service.ts';
import { tools } from '../src/mcp/tools.ts';

/** `/mcp` as HTTP: every kind of request and its answer, over real sockets. */

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

/** What both eras say of themselves, each in its own place. */
interface Opening {
  protocolVersion: string;
  supportedVersions: string[];
  capabilities: Record<string, unknown>;
  instructions: string;
  ttlMs: number;
  cacheScope: string;
}

const HELD = '1FMUK8DH0TG000000';
const listing = message('2025-11-25', 'tools/list').body;

function isOpen(response: Response): void {
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  assert.match(response.headers.get('access-control-expose-headers') ?? '', /Mcp-Session-Id/);
  assert.equal(response.headers.get('mcp-session-id'), null, 'nothing is remembered between requests');
}

async function isError(
  response: Response,
  status: number,
  code: number,
  id: number | string | null = null,
): Promise<string> {
  assert.equal(response.status, status);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  isOpen(response);
  const body = (await response.json()) as {
    jsonrpc: string;
    id: unknown;
    error: { code: number; message: string };
  };
  assert.equal(body.jsonrpc, '2.0');
  assert.equal(body.id, id);
  assert.equal(body.error.code, code);
  return body.error.message;
}

for (const era of ERAS) {
  test(`a request of ${era} is answered 200 with plain JSON`, async () => {
    const response = await send(service, era, 'tools/list');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    isOpen(response);
    const { id, result } = (await response.json()) as { id: number; result: { tools: unknown[] } };
    assert.equal(id, 7);
    assert.equal(result.tools.length, tools.length);
  });

  test(`a call of ${era} is answered 200 with plain JSON`, async () => {
    const response = await send(service, era, 'tools/call', {
      name: 'get_window_sticker',
      arguments: { vin: HELD },
    });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json');
  });

  test(`a method that does not exist is a protocol error in ${era}`, async () => {
    const { error } = await ask(service, era, 'cars/drive');
    assert.equal(error?.code, -32601);
  });

  test(`a tool that does not exist is a protocol error in ${era}, and it names those that do`, async () => {
    const { error, result } = await ask(service, era, 'tools/call', { name: 'get_car', arguments: {} });
    assert.equal(result, undefined);
    assert.equal(error?.code, -32602);
    assert.match(error.message, /"get_car".*get_window_sticker, read_window_sticker/);
  });
}

test('a notification is answered 202 with nothing', async () => {
  const response = await post(service, { jsonrpc: '2.0', method: 'notifications/initialized' });
  assert.equal(response.status, 202);
  assert.equal(await response.text(), '');
  isOpen(response);
  const { headers, body } = message('2026-07-28', 'notifications/cancelled', { requestId: 1 });
  const { id: _id, ...notification } = body;
  assert.equal((await post(service, notification, { headers })).status, 202);
});

for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
  test(`${method} is answered 405 with Allow and CORS, so that clients neither loop nor hang`, async () => {
    const response = await service.get('/mcp', { method, headers: { Accept: 'text/event-stream' } });
    assert.equal(response.headers.get('allow'), 'POST, OPTIONS');
    if (method !== 'HEAD') {
      await isError(response, 405, -32000);
      return;
    }
    assert.equal(response.status, 405);
    assert.equal(await response.text(), '');
    isOpen(response);
  });
}

test('a browser that opens the address is sent to the page that explains it', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const response = await service.get('/mcp', { headers: { Accept: accept }, redirect: 'manual' });
  assert.equal(response.status, 303);
  assert.match(response.headers.get('location')!, /\/connect$/);
  const both = await service.get('/mcp', { headers: { Accept: 'text/html, text/event-stream' } });
  assert.equal(both.status, 405, 'a client that tries for a stream is no browser');
});

test('a slash at the end of the address does not matter', async () => {
  const response = await service.get('/mcp/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(listing),
  });
  assert.equal(response.status, 200);
  isOpen(response);
  assert.equal((await service.get('/mcp/', { method: 'OPTIONS' })).status, 204);
});

test('every Origin is served: there is nothing here that a page could steal', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://localhost:3000'])
    assert.equal((await post(service, listing, { headers: { Origin: origin } })).status, 200);
});

test('OPTIONS is answered 204 and allows what clients in a browser send', async () => {
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
  isOpen(response);
});

test('a body that is not JSON is answered 400 -32700', async () => {
  for (const body of ['{', '', 'hello'])
    assert.match(await isError(await post(service, body), 400, -32700), /not JSON/);
});

test('JSON that is no message is answered 400 -32600', async () => {
  for (const body of ['null', '5', '"x"', '{}']) await isError(await post(service, body), 400, -32600);
});

test('an error carries the id of the message it answers', async () => {
  const headers = { 'MCP-Protocol-Version': '2020-01-01' };
  for (const id of [0, 3, 'three'])
    await isError(await post(service, { ...listing, id }, { headers }), 400, -32000, id);
  const { id: _id, ...notification } = listing;
  await isError(await post(service, notification, { headers }), 400, -32000);
});

test('there is nothing to subscribe to: the method does not exist', async () => {
  const params = { notifications: { toolsListChanged: true } };
  await isError(await send(service, '2026-07-28', 'subscriptions/listen', params), 404, -32601, 7);
  await isError(await send(service, '2026-07-28', 'cars/drive'), 404, -32601, 7);
});

test('a batch is refused, 400 -32600, and nothing of it is carried out', async () => {
  for (const batch of [[listing], [listing, listing], []])
    assert.match(await isError(await post(service, batch), 400, -32600), /one message per request/);
});

test('another content type is answered 415, whatever the body', async () => {
  for (const type of ['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded'])
    await isError(await post(service, listing, { headers: { 'Content-Type': type } }), 415, -32600);
  const withCharset = await post(service, listing, {
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  });
  assert.equal(withCharset.status, 200);
});

test('a message of more than 64 KiB is answered 413, announced or not', async () => {
  const large = JSON.stringify({ ...listing, params: { x: 'x'.repeat(70_000) } });
  await isError(await post(service, large), 413, -32600);
  const unannounced = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(large));
      controller.close();
    },
  });
  const response = await service.get('/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: unannounced,
    duplex: 'half',
  } as RequestInit);
  await isError(response, 413, -32600);
  const small = JSON.stringify({ ...listing, params: { _meta: { x: 'x'.repeat(60_000) } } });
  assert.equal((await post(service, small)).status, 200);
});

/** `fetch` does not let a test choose its Host. */
function withHost(host: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(service.origin);
    const headers = { Host: host, 'Content-Type': 'application/json' };
    const request = http.request(
      { port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers },
      (answer) => {
        answer.resume();
        resolve(answer);
      },
    );
    request.on('error', reject);
    request.end(JSON.stringify(listing));
  });
}

test('a host that is not ours is answered 403, with CORS; our own is served', async () => {
  for (const host of ['evil.example', 'localhost.evil.example', 'evil.example:80']) {
    const answer = await withHost(host);
    assert.equal(answer.statusCode, 403, host);
    assert.equal(answer.headers['access-control-allow-origin'], '*');
  }
  for (const host of ['localhost', '127.0.0.1:8080', '[::1]:1', 'LOCALHOST'])
    assert.equal((await withHost(host)).statusCode, 200, host);
});

test('with a public name only that name is served', async () => {
  const publicly = await startService({ BASE_URL: 'https://stickers.example' });
  try {
    const response = await post(publicly, listing);
    assert.equal(response.status, 403);
    const { error } = (await response.json()) as { error: { message: string } };
    assert.match(error.message, /https:\/\/stickers\.example\/mcp/);
  } finally {
    await publicly.close();
  }
});

test('Accept may be anything, or missing', async () => {
  for (const era of ERAS)
    for (const accept of ['*/*', 'application/json', 'text/event-stream', 'text/html'])
      assert.equal((await send(service, era, 'tools/list', {}, { headers: { Accept: accept } })).status, 200);
  // withHost sends no Accept at all.
  assert.equal((await withHost('localhost')).statusCode, 200);
});

for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
  test(`a client that opens with initialize gets the revision it asked for, ${version}`, async () => {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    const response = await post(service, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json');
    const { id, result } = (await response.json()) as { id: number; result: Opening };
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

test('an old revision nobody knows is refused with those we know', async () => {
  const response = await post(service, listing, { headers: { 'MCP-Protocol-Version': '2023-01-01' } });
  assert.match(await isError(response, 400, -32000, 7), /2025-11-25.*2026-07-28/);
});

test('server/discover tells revisions, capabilities, instructions and how long that stays true', async () => {
  const { result } = await ask<Opening>(service, '2026-07-28', 'server/discover');
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

test('every list of 2026-07-28 may be kept for an hour by anybody', async () => {
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
    const { result } = await ask<{ ttlMs: number; cacheScope: string }>(service, '2026-07-28', method);
    assert.deepEqual([result?.ttlMs, result?.cacheScope], [3_600_000, 'public'], method);
  }
});

test('2026-07-28 wants its headers to agree with its body', async () => {
  const { headers, body } = message('2026-07-28', 'tools/list');
  const response = await post(service, body, { headers: { ...headers, 'Mcp-Method': 'prompts/list' } });
  assert.equal(response.status, 400);
});

test('a thousand bytes of rubbish in a name come back shortened', async () => {
  const { error } = await ask(service, '2025-11-25', 'tools/call', { name: 'x'.repeat(1000) });
  assert.ok(error!.message.length < 250);
});

test('sign-in documents do not exist, in few words: a page here would make clients start a sign-in', async () => {
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

test('nothing of a tool request is logged but that there was one', async () => {
  await send(service, '2026-07-28', 'tools/call', { name: 'decode_vin', arguments: { vin: HELD } });
  const written: string[] = [];
  const { warn, error, log } = console;
  console.warn = console.error = console.log = (...words) => void written.push(words.join(' '));
  try {
    for (const era of ERAS) await send(service, era, 'tools/list');
    await post(service, '{');
  } finally {
    Object.assign(console, { warn, error, log });
  }
  assert.deepEqual(written, [], 'the SDK writes nothing to the console');
  assert.ok(service.logs.every((line) => !line.includes(HELD)));
});
