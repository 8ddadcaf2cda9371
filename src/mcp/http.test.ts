// lane: service
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { ERAS, message } from '../../test/mcp-client.ts';
import { bareApp } from '../http/testing.ts';
import { silentLog } from '../lib/log.ts';
import type { ToolBackend } from './backends.ts';
import { mcp } from './http.ts';
import type { AttachFile } from './resources.ts';
import { createMcpServer } from './server.ts';

const BASE_URL = 'http://127.0.0.1';
const FILE_URI = `${BASE_URL}/file`;
/** Three pieces, the last of which base64 pads. */
const file = randomBytes(200_001);

type Sent = ReturnType<typeof message>;
const reading = message('2025-11-25', 'resources/read', { uri: 'monroney://coverage' });

/** An endpoint with one file. Other files and tools never answer; `disconnected` is aborted when their client leaves. */
async function startEndpoint(t: TestContext) {
  const backend = new EventEmitter<{ started: [disconnected: AbortSignal] }>();
  const backendFor = (disconnected: AbortSignal, attach: AttachFile): ToolBackend => ({
    call: () => (backend.emit('started', disconnected), new Promise<never>(() => {})),
    read: async (uri) => {
      backend.emit('started', disconnected);
      if (uri !== FILE_URI) return new Promise<never>(() => {});
      attach(file);
      return { contents: [{ uri, blob: '' }], ttlMs: 1, cacheScope: 'public' };
    },
  });
  // The clients of a test have an address each.
  const app = bareApp(BASE_URL, { trustedProxies: ['127.0.0.1'] });
  const closed: Promise<unknown>[] = [];
  app.addHook('onRequest', async (_, reply) => void closed.push(once(reply.raw, 'close')));
  await app.register(mcp, {
    log: silentLog,
    noteContact() {},
    serverFor: (_client, disconnected, attach) => createMcpServer(backendFor(disconnected, attach), BASE_URL),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => (app.server.closeAllConnections(), app.close()));
  const { port } = app.server.address() as AddressInfo;

  function send({ headers, body }: Sent, client: string, signal?: AbortSignal): Promise<Response> {
    return fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers, 'X-Forwarded-For': client },
      body: JSON.stringify(body),
      signal,
    });
  }
  return {
    app,
    backend,
    send,
    /** Starts some reads that wait until `signal` is aborted. */
    async startReading(client: string, signal: AbortSignal, reads = 4): Promise<void> {
      for (let n = 0; n < reads; n++) {
        const started = once(backend, 'started');
        send(reading, client, signal).catch(() => {});
        await started;
      }
    },
    untilAllLeft: () => Promise.all(closed),
  };
}

test('one client reads four files at once, all clients together sixteen', async (t) => {
  const { backend, send, startReading, untilAllLeft } = await startEndpoint(t);
  const leaving = new AbortController();
  const refused = async (client: string) => {
    const response = await send(reading, client);
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '5']);
    const { id, error } = (await response.json()) as { id: number; error: { message: string } };
    assert.equal(id, 7);
    assert.match(error.message, /Try again in 5 seconds, or download the file from its URL/);
  };
  const oldest = send(reading, '192.0.2.1', leaving.signal);
  await once(backend, 'started');
  await startReading('192.0.2.1', leaving.signal, 3);
  await refused('192.0.2.1');
  for (const client of ['192.0.2.2', '192.0.2.3', '192.0.2.4']) await startReading(client, leaving.signal);
  // A client without any gets the place of the oldest, but no second one.
  await startReading('192.0.2.5', leaving.signal, 1);
  await assert.rejects(oldest);
  await refused('192.0.2.5');
  // Clients that have left are no longer counted.
  leaving.abort();
  await untilAllLeft();
  await startReading('192.0.2.1', t.signal);
});

for (const era of ERAS)
  test(`a file arrives complete inside the JSON, ${era}`, async (t) => {
    const { app } = await startEndpoint(t);
    for (const _meta of [{}, { progressToken: 1 }]) {
      const { headers, body } = structuredClone(message(era, 'resources/read', { uri: FILE_URI }));
      Object.assign(((body.params as { _meta?: object })._meta ??= {}), _meta);
      const response = await app.inject({
        method: 'POST',
        url: '/mcp',
        headers: {
          ...headers,
          host: '127.0.0.1',
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        payload: body,
      });
      assert.equal(Number(response.headers['content-length']), response.payload.length);
      const { result } = response.json<{ result: { contents: { blob: string }[] } }>();
      assert.ok(file.equals(Buffer.from(result.contents[0]!.blob, 'base64')));
    }
  });

for (const era of ERAS)
  test(`a call whose client has left is cancelled, ${era}`, async (t) => {
    const { backend, send } = await startEndpoint(t);
    const leaving = new AbortController();
    const started = once(backend, 'started') as Promise<[AbortSignal]>;
    const call = message(era, 'tools/call', { name: 'decode_vin', arguments: { vin: 'x' } });
    send(call, '192.0.2.1', leaving.signal).catch(() => {});
    const [disconnected] = await started;
    leaving.abort();
    await once(disconnected, 'abort');
  });
