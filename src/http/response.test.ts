import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import test from 'node:test';
import { fieldsOf, headOf, writeHead } from './response.ts';

const HEAD = headOf('Content-Type', 'text/plain', 'Content-Length', '5', 'Link', '<a>', 'Link', '<b>');

const request = (method: string, more = '', version = '1.1') =>
  `${method} / HTTP/${version}\r\nHost: localhost\r\n${more}\r\n`;
const LAST = request('GET', 'Connection: close\r\n');

/** Everything a server sends for this text and one more request that closes the connection. */
async function responseTo(listener: RequestListener, text: string): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let got = '';
  socket.setEncoding('latin1').on('data', (part) => (got += part));
  socket.write(text + LAST);
  await once(socket, 'end');
  socket.destroy();
  server.close();
  return got.replace(/Date: [^\r]+ GMT/g, 'Date: now');
}

const CONVERSATIONS: Record<string, [text: string, status: number, body: string | Buffer | undefined]> = {
  'a text': [request('GET'), 200, 'hello'],
  bytes: [request('GET'), 200, Buffer.from('hello')],
  HEAD: [request('HEAD'), 200, undefined],
  'three at once': [request('GET') + request('HEAD') + request('GET'), 200, 'hello'],
  'a connection to be closed': [request('GET', 'Connection: close\r\n'), 200, 'hello'],
  'an old version': [request('GET', '', '1.0'), 200, 'hello'],
  'an old version that would stay': [request('GET', 'Connection: keep-alive\r\n', '1.0'), 200, 'hello'],
  'a body on its way': [
    request('POST', 'Expect: 100-continue\r\nContent-Length: 3\r\n') + 'abc' + request('GET'),
    200,
    'hello',
  ],
};

for (const [name, [text, status, body]] of Object.entries(CONVERSATIONS)) {
  test(`the head is the same as the one Node would send: ${name}`, async () => {
    const send =
      (head: (...given: Parameters<RequestListener>) => void): RequestListener =>
      (req, res) => {
        head(req, res);
        if (req.method === 'HEAD') res.end();
        else res.end(body, 'latin1');
      };
    const ours = await responseTo(
      send((req, res) => writeHead(req, res, status, HEAD)),
      text,
    );
    const nodes = await responseTo(
      send((_, res) => void res.writeHead(status, fieldsOf(HEAD).flat())),
      text,
    );
    assert.match(ours, /^HTTP\/1\.1 /);
    assert.equal(ours, nodes);
  });
}

test('a response without a body ends after its head, and the next one follows', async () => {
  const response = await responseTo(
    (req, res) => {
      writeHead(req, res, 304, headOf('ETag', '"a"'));
      res.end();
    },
    request('GET') + request('GET'),
  );
  assert.match(
    response,
    /^(HTTP\/1\.1 304 Not Modified\r\nETag: "a"\r\n(?:[A-Za-z-]+: [^\r]+\r\n)+\r\n){3}$/,
  );
});

test('a value that could inject a header is rejected', () => {
  assert.throws(() => headOf('ETag', '"a"\r\nSet-Cookie: b'), /ETag cannot be/);
  assert.throws(() => headOf('ETag', 'ä'), /ETag cannot be/);
});

test('header lines can be parsed again, including values with colons', () => {
  assert.deepEqual(fieldsOf(headOf('Link', '<http://a>', 'Allow', 'GET')), [
    ['Link', '<http://a>'],
    ['Allow', 'GET'],
  ]);
});
