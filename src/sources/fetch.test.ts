// lane: service
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, test } from 'node:test';
import { deflateRawSync, deflateSync, zstdCompressSync } from 'node:zlib';
import { createFetchBench, turns, wanted } from './testing.ts';

const { listen, serve, open, reasonOf, close } = createFetchBench();
after(close);

test('only HTTPS URLs of allowed hosts are requested, with or without sourceOrigin', async () => {
  for (const sourceOrigin of [null, 'http://127.0.0.1:9']) {
    const fetch = open({ sourceOrigin });
    assert.equal(await reasonOf(fetch, { url: 'http://www.kia.com/' }), 'not-https');
    assert.equal(await reasonOf(fetch, { url: 'file:///etc/passwd' }), 'not-https');
    assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com.evil.example/' }), 'host-not-allowed');
    assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com:8443/' }), 'host-not-allowed');
    assert.equal(await reasonOf(fetch, { url: 'https://user:pass@www.kia.com/' }), 'host-not-allowed');
  }
});

test('does not connect to a host name that resolves to this machine', async () => {
  let connections = 0;
  const trap = net.createServer((socket) => {
    connections++;
    socket.destroy();
  });
  const { port } = new URL(await listen(trap));
  const host = `www.kia.com:${port}`;
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '10.0.0.1']) {
    const fetch = open({ resolve: async () => [{ address, family: net.isIP(address) }] });
    assert.equal(
      await reasonOf(fetch, { url: `https://${host}/`, hosts: [host] }),
      'private-address',
      address,
    );
  }
  assert.equal(connections, 0);
});

test('does not connect to a private IP address, even if it is an allowed host', async () => {
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '169.254.169.254']) {
    assert.equal(await reasonOf(open(), { url: `https://${host}/`, hosts: [host] }), 'private-address', host);
  }
  // The same IP address, written as one number.
  assert.equal(
    await reasonOf(open(), { url: 'https://2130706433/', hosts: ['127.0.0.1'] }),
    'private-address',
  );
});

test('distinguishes an unresolved host name from an unreachable host', async () => {
  const nowhere = open({
    resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
  });
  assert.equal(await reasonOf(nowhere), 'unresolved');
  const shut = net.createServer();
  const origin = await listen(shut);
  shut.close();
  await once(shut, 'close');
  assert.equal(await reasonOf(open({ sourceOrigin: origin })), 'unreachable');
});

test('a redirect to sourceOrigin is checked by the real host in its path', async () => {
  const origin: string = await serve((request, response) => {
    const to = request.url!.includes('/good') ? 'www.kia.com/end' : 'evil.example/end';
    if (request.url!.endsWith('/end')) response.end('there');
    else response.writeHead(307, { Location: `${origin}/${to}` }).end();
  });
  const fetch = open({ sourceOrigin: origin });
  assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com/good' }), 'answered 200');
  assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com/bad' }), 'redirect-off-list');
});

test('a redirect loop ends at the first URL that was requested already, other redirects after three', async () => {
  const requested: string[] = [];
  const origin = await serve((request, response) => {
    requested.push(request.url!);
    const step = Number(/\d+$/.exec(request.url!)?.[0] ?? 0);
    const Location = request.url!.includes('itself') ? '' : `https://www.kia.com/step/${step + 1}`;
    response.writeHead(302, { Location }).end();
  });
  const fetch = open({ sourceOrigin: origin });
  assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com/itself' }), 'too-many-redirects');
  assert.equal(requested.length, 1);
  assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com/step' }), 'too-many-redirects');
  assert.equal(requested.length, 5);
});

test('a redirect without Location, or with an invalid one, is handled', async () => {
  const origin = await serve((request, response) => {
    response.writeHead(302, request.url!.endsWith('/odd') ? { Location: 'https://[' } : {}).end('moved');
  });
  const fetch = open({ sourceOrigin: origin });
  assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com/odd' }), 'malformed');
  assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com/none' }), 'answered 302');
});

test('bodies are decompressed, and failures to do so are reported', async () => {
  const text = Buffer.from('label '.repeat(500));
  const packed: Record<string, [string, Buffer]> = {
    '/zlib': ['deflate', deflateSync(text)],
    '/raw': ['deflate', deflateRawSync(text)],
    '/zstd': ['zstd', zstdCompressSync(text)],
    '/twice': ['deflate, zstd', zstdCompressSync(deflateSync(text))],
    '/plain': ['identity', text],
    '/odd': ['compress', text],
    '/inherited': ['constructor', text],
    '/lie': ['gzip', text],
    '/half': ['deflate', deflateSync(text).subarray(0, 20)],
  };
  const origin = await serve((request, response) => {
    const [encoding, body] = packed[request.url!.slice('/www.kia.com'.length)]!;
    response.writeHead(200, { 'Content-Encoding': encoding }).end(body);
  });
  const fetch = open({ sourceOrigin: origin });
  for (const path of ['/zlib', '/raw', '/zstd', '/twice', '/plain']) {
    const fetched = await fetch({ ...wanted, url: `https://www.kia.com${path}` });
    assert.ok(fetched.ok && fetched.body.equals(text), path);
  }
  assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com/odd' }), 'bad-encoding');
  assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com/inherited' }), 'bad-encoding');
  assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com/lie' }), 'bad-encoding');
  assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com/half' }), 'cut-short');
});

test('an empty body that ends with the connection is cut short, one with a length is empty', async () => {
  const headOf: Record<string, string> = {
    close: 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n',
    length: 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    chunked: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    nothing: 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n',
    old: 'HTTP/1.0 200 OK\r\n\r\n',
  };
  const origin = await listen(
    net.createServer((socket) => {
      socket.once('data', (data) => socket.end(headOf[/com\/(\w+)/.exec(data.toString())![1]!]!));
    }),
  );
  const fetch = open({ sourceOrigin: origin });
  const outcomes = Object.keys(headOf).map((path) => reasonOf(fetch, { url: `https://www.kia.com/${path}` }));
  assert.deepEqual(await Promise.all(outcomes), [
    'cut-short',
    'answered 200',
    'answered 200',
    'answered 204',
    'answered 200',
  ]);
});

test('distinguishes an abort from a timeout', async () => {
  const fetch = open({ sourceOrigin: await serve(() => undefined) });
  assert.equal(await reasonOf(fetch, { ms: 50 }), 'timeout');
  const stop = new AbortController();
  const asking = reasonOf(fetch, { signal: stop.signal });
  stop.abort();
  assert.equal(await asking, 'cancelled');
  assert.equal(await reasonOf(fetch, { signal: stop.signal }), 'cancelled');
});

test('a reused connection that breaks after its response began is not retried', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n';
  for (const second of [head, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(30)]) {
    let requests = 0;
    const origin = await serve((_, response) => {
      if (++requests === 1) return void response.end('label');
      const socket = response.socket!;
      socket.write(second);
      void turns(10).then(() => socket.resetAndDestroy());
    });
    const fetch = open({ sourceOrigin: origin });
    assert.equal(await reasonOf(fetch), 'answered 200');
    assert.match(await reasonOf(fetch), /^(cut-short|malformed)$/);
    await turns();
    assert.equal(requests, 2, second.slice(0, 30));
  }
});

test('connections are reused, and one that the server closed meanwhile is replaced', async () => {
  const sockets = new Set<net.Socket>();
  const origin = await serve((request, response) => {
    const kept = sockets.has(request.socket);
    sockets.add(request.socket);
    // Closes a connection on its second use, like a server whose keep-alive timeout just ended.
    if (kept && request.url!.endsWith('/close')) request.socket.destroy();
    else response.end('yes');
  });
  const fetch = open({ sourceOrigin: origin });
  assert.equal(await reasonOf(fetch), 'answered 200');
  assert.equal(await reasonOf(fetch), 'answered 200');
  assert.equal(sockets.size, 1);
  assert.equal(await reasonOf(fetch, { url: 'https://www.kia.com/close' }), 'answered 200');
  assert.equal(sockets.size, 2);
});

test('bytes after Content-Length never become part of the next response', async (t) => {
  let answered = 0;
  const closed = Promise.withResolvers<void>();
  const raw = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('close', closed.resolve);
    socket.on('data', () => {
      answered++;
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nown${answered}`);
      if (answered === 1) {
        void turns(10).then(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nplanted'));
      }
    });
    t.after(() => socket.destroy());
  });
  const fetch = open({ sourceOrigin: await listen(raw) });
  assert.ok((await fetch(wanted)).ok);
  await closed.promise;
  const next = await fetch(wanted);
  assert.ok(next.ok);
  assert.equal(next.body.toString(), 'own2');
});

test('a request that may no longer start is not sent, not even after it waited for a connection', async () => {
  const held: (() => void)[] = [];
  const twelve = Promise.withResolvers<void>();
  const origin = await serve((request, response) => {
    if (request.url!.endsWith('/moved'))
      return void response.writeHead(302, { Location: '/www.kia.com/a/b' }).end();
    held.push(() => response.end('done'));
    // As many as there are connections to one host.
    if (held.length === 12) twelve.resolve();
    if (held.length > 12) response.end('too many');
  });
  const fetch = open({ sourceOrigin: origin });
  const state = { isOn: true };
  const mayStart = () => state.isOn;
  const requests = Array.from({ length: 14 }, () => reasonOf(fetch, { mayStart }));
  await twelve.promise;
  state.isOn = false;
  assert.equal(await reasonOf(fetch, { mayStart }), 'unavailable');
  for (const end of held) end();
  const results = await Promise.all(requests);
  assert.deepEqual(results, [...Array(12).fill('answered 200'), 'unavailable', 'unavailable']);
  assert.equal(held.length, 12);
  // On at first, and off when the redirect has arrived.
  const calls = [true, true, false].values();
  const url = 'https://www.kia.com/moved';
  assert.equal(await reasonOf(fetch, { url, mayStart: () => calls.next().value ?? false }), 'unavailable');
  assert.equal(held.length, 12);
});
