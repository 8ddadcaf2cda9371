import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ERAS, message } from '../../test/mcp-client.ts';
import { silentLog } from '../lib/log.ts';
import type { ToolBackend } from './backends.ts';
import { createDirectCall } from './direct-call.ts';
import { createMcpEndpoint } from './http.ts';
import type { AttachFile } from './resources.ts';
import { createMcpServer } from './server.ts';

const FILE_URI = 'http://127.0.0.1/file';
/** Three pieces, the last of which base64 pads. */
const file = randomBytes(200_001);

/** An endpoint with one file. Other files and tools never answer. The client is named in the header `X-Client`. */
async function startEndpoint(t: TestContext, noteContact = () => {}) {
  const count = { started: 0, open: 0 };
  const backendFor = (attach?: AttachFile): ToolBackend => ({
    call: () => (count.started++, new Promise<never>(() => {})),
    read: async (uri) => {
      count.started++;
      if (uri !== FILE_URI) return new Promise<never>(() => {});
      attach?.(file);
      return { contents: [{ uri, blob: '' }], ttlMs: 1, cacheScope: 'public' };
    },
  });
  const baseUrl = 'http://127.0.0.1';
  const endpoint = createMcpEndpoint({
    baseUrl,
    log: silentLog,
    serverFor: (_client, _disconnected, attach) => createMcpServer(backendFor(attach), baseUrl),
    directCall: createDirectCall(() => backendFor(), baseUrl),
    noteContact,
    preflight: () => ({}),
  });
  const handled: Promise<void>[] = [];
  const server = http.createServer((req, res) => {
    count.open++;
    res.once('close', () => count.open--);
    handled.push(endpoint.listen(req, res, String(req.headers['x-client'])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => (server.close(), server.closeAllConnections()));
  const { port } = server.address() as AddressInfo;
  const reading = message('2025-11-25', 'resources/read', { uri: 'monroney://coverage' });

  const send = ({ headers, body }: typeof reading, client: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers, 'X-Client': client },
      body: JSON.stringify(body),
      signal,
    });
  const read = send.bind(null, reading);
  return {
    port,
    send,
    read,
    /** Calls a tool, leaves, and waits until the call no longer waits. */
    async callAndLeave(): Promise<void> {
      const leaving = new AbortController();
      const call = message('2025-11-25', 'tools/call', { name: 'decode_vin', arguments: { vin: 'x' } });
      send(call, 'one', leaving.signal).catch(() => {});
      while (count.started < 1) await wait(5);
      leaving.abort();
      await handled[0];
    },
    /** Starts some that wait until `signal` is aborted. */
    async startReading(
      client: string,
      signal: AbortSignal,
      reads = 4,
    ): Promise<{ responses: Promise<unknown>[] }> {
      const wanted = count.started + reads;
      const responses = Array.from({ length: reads }, () => read(client, signal));
      for (const response of responses) response.catch(() => {});
      while (count.started < wanted) await wait(5);
      return { responses };
    },
    async untilAllLeft(): Promise<void> {
      while (count.open > 0) await wait(5);
    },
  };
}

test('one client reads four files at once, all clients together sixteen', { timeout: 30_000 }, async (t) => {
  const { read, startReading, untilAllLeft } = await startEndpoint(t);
  const leaving = new AbortController();
  const refused = async (client: string) => {
    const response = await read(client, AbortSignal.timeout(10_000));
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '5']);
    const { id, error } = (await response.json()) as { id: number; error: { message: string } };
    assert.equal(id, 7);
    assert.match(error.message, /Try again in 5 seconds, or download the file from its URL/);
  };
  const { responses } = await startReading('one', leaving.signal, 1);
  await startReading('one', leaving.signal, 3);
  await refused('one');
  for (const client of ['two', 'three', 'four']) await startReading(client, leaving.signal);
  // A client without any gets the place of the oldest, but no second one.
  await startReading('five', leaving.signal, 1);
  await assert.rejects(responses[0]!);
  await refused('five');
  // Clients that have left are no longer counted.
  leaving.abort();
  await untilAllLeft();
  await startReading('one', AbortSignal.timeout(60_000));
});

for (const era of ERAS)
  test(`a file arrives complete inside the JSON, ${era}`, async (t) => {
    const { send } = await startEndpoint(t);
    for (const _meta of [{}, { progressToken: 1 }]) {
      const request = structuredClone(message(era, 'resources/read', { uri: FILE_URI }));
      Object.assign(((request.body.params as { _meta?: object })._meta ??= {}), _meta);
      const headers = { ...request.headers, Accept: 'application/json, text/event-stream' };
      const response = await send({ ...request, headers }, 'one');
      const text = await response.text();
      assert.equal(Number(response.headers.get('content-length')), text.length);
      const { result } = JSON.parse(text) as { result: { contents: { blob: string }[] } };
      assert.ok(file.equals(Buffer.from(result.contents[0]!.blob, 'base64')));
    }
  });

test('a call whose client has left stops waiting', { timeout: 10_000 }, async (t) => {
  const { callAndLeave } = await startEndpoint(t);
  await callAndLeave();
});

test('messages that become complete at the same moment are handled one per turn of the event loop', async (t) => {
  let turn = 0;
  const turns: number[] = [];
  const { port } = await startEndpoint(t, () => void turns.push(turn));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) socket.write(head + body.slice(0, -1));
  await wait(200);
  const countTurns = () => {
    turn++;
    if (turns.length < sockets.length) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const responses = sockets.map((socket) => once(socket, 'data'));
  for (const socket of sockets) socket.write(body.slice(-1));
  await Promise.all(responses);
  for (const socket of sockets) socket.destroy();
  const most = Math.max(...[...Map.groupBy(turns, (one) => one).values()].map(({ length }) => length));
  assert.ok(turns.length === 20 && most <= 2, `${most} of ${turns.length} messages in one turn`);
});
