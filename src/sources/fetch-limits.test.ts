// lane: service
import assert from 'node:assert/strict';
import net from 'node:net';
import { after, mock, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { createFetchBench, turns, wanted } from './testing.ts';

/** What a source's response may take: bytes, memory and framing. */

const { listen, serve, open, reasonOf, close } = createFetchBench();
after(close);

test('a body is limited to maxBytes, whatever its Content-Length says', async () => {
  const origin = await serve((request, response) => {
    const body = Buffer.alloc(request.url!.includes('fits') ? 1000 : 1001);
    if (request.url!.includes('length')) response.setHeader('Content-Length', body.length);
    response.write(body.subarray(0, 10));
    response.end(body.subarray(10));
  });
  const fetch = open({ sourceOrigin: origin, maxBytes: 1000 });
  assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com/fits' }), 'answered 200');
  assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com/over' }), 'too-large');
  assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com/over-length' }), 'too-large');
});

/** The outcome of a request whose response has arrived, at its timeout. */
async function reasonAtTimeout(asking: Promise<string>): Promise<string> {
  await turns();
  mock.timers.tick(wanted.ms);
  return asking;
}

test('large bodies share a memory budget: one that does not fit waits, and fails as busy at the timeout', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const large = Buffer.alloc(3 * 2 ** 20, 'a');
  const packed = deflateSync(large);
  const origin = await serve((request, response) => {
    if (request.url!.includes('packed')) response.setHeader('Content-Encoding', 'deflate');
    if (request.url!.includes('sized')) response.setHeader('Content-Length', large.length);
    response.end(request.url!.includes('packed') ? packed : large);
  });
  const fetch = open({ sourceOrigin: origin, maxBytes: 4 * 2 ** 20, totalBytes: 4 * 2 ** 20 });
  for (const path of ['sized', 'unknown', 'packed']) {
    const url = `https://www.kia.com/${path}`;
    const first = await fetch({ ...wanted, url });
    assert.ok(first.ok && first.body.equals(large), path);
    assert.equal(await reasonAtTimeout(reasonOf(fetch, { url })), 'busy', path);
    const second = fetch({ ...wanted, url });
    first.release();
    const answered = await second;
    assert.ok(answered.ok && answered.body.equals(large), path);
    answered.release();
  }
});

test('hosts of one source share its half of the memory budget', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const large = Buffer.alloc(2 * 2 ** 20, 'a');
  const origin = await serve((_, response) => void response.end(large));
  const fetch = open({ sourceOrigin: origin, maxBytes: large.length, totalBytes: 2 * large.length });
  const hosts = ['www.jeep.com', 'www.dodge.com'];
  assert.equal(await reasonOf(fetch, { url: 'https://www.jeep.com/', hosts }), 'answered 200');
  const second = reasonOf(fetch, { url: 'https://www.dodge.com/', hosts });
  assert.equal(await reasonAtTimeout(second), 'busy');
  assert.equal(await reasonOf(fetch), 'answered 200');
});

/** A server that sends these bytes again and again. */
async function flooding(head: string, chunk: string): Promise<string> {
  return listen(
    net.createServer((socket) => {
      const writeMore = () => {
        while (!socket.destroyed) if (!socket.write(chunk)) return void socket.once('drain', writeMore);
      };
      socket
        .on('error', () => {})
        .once('data', () => {
          socket.write(head);
          writeMore();
        });
    }),
  );
}

test('chunks of one byte, long chunk extensions, endless 1xx, 101 and what is not HTTP are malformed', async () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const floods = [
    [chunked, '1\r\na\r\n'.repeat(5000)],
    [chunked, `1;${'e'.repeat(1000)}\r\na\r\n`.repeat(50)],
    ['', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000)],
    ['', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1000)],
    [
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      'x'.repeat(1000),
    ],
    ['', 'SSH-2.0-OpenSSH\r\n'],
  ] as const;
  for (const [head, chunk] of floods) {
    const fetch = open({ sourceOrigin: await flooding(head, chunk) });
    assert.equal(await reasonOf(fetch), 'malformed', chunk.slice(0, 30));
  }
});

test('a body in small chunks arrives complete', async () => {
  const body = Buffer.alloc(600_000, 'label');
  const origin = await serve((_, response) => {
    for (let at = 0; at < body.length; at += 20) response.write(body.subarray(at, at + 20));
    response.end();
  });
  const fetched = await open({ sourceOrigin: origin })(wanted);
  assert.ok(fetched.ok && fetched.body.equals(body));
});
