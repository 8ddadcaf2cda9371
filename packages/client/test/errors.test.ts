import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import { createClient, MonroneyError, type ClientOptions } from '@monroney/client';
import { startHttpServer } from '../../../test/http-server.ts';

const vin = '1FMUK8DH0TG000000';
const pdf = Buffer.from('%PDF-1.4 a label');
const sha256 = (encoding: 'hex' | 'base64') => createHash('sha256').update(pdf).digest(encoding);
const digest = `sha-256=:${sha256('base64')}:`;
const lookup = JSON.stringify({ ok: true, vin });
const problem = (reason: string, status: number) =>
  JSON.stringify({ ok: false, reason, status, detail: reason });

type Respond = (path: string, response: ServerResponse, requestNumber: number) => void;

/** A client of a server that sends what the test says, for responses the real service never sends. */
async function clientFor(t: TestContext, respond: Respond, options: Partial<ClientOptions> = {}) {
  const requests: IncomingMessage[] = [];
  const baseUrl = await startHttpServer(t, (request, response) => {
    requests.push(request);
    respond(request.url ?? '', response, requests.length);
  });
  return { client: createClient({ baseUrl: `${baseUrl}/`, ...options }), requests };
}

const respondWith =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): Respond =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

const rejects = (call: Promise<unknown>, reason: string) =>
  assert.rejects(call, (error: unknown) => {
    assert.ok(error instanceof MonroneyError, String(error));
    assert.equal(error.reason, reason);
    return true;
  });

describe('the client and its errors', { concurrency: true }, () => {
  test('a label is checked against its digest, in a header or as the ETag', async (t) => {
    const headerSets: Record<string, string>[] = [
      { 'content-digest': digest },
      { 'repr-digest': digest },
      { etag: `"${sha256('hex')}"` },
    ];
    for (const headers of headerSets) {
      const { client } = await clientFor(t, respondWith(pdf, headers));
      assert.ok(pdf.equals(await client.sticker(vin)));
    }
  });

  test('a label that does not match its digest, or has none, is rejected', async (t) => {
    const other = Buffer.from('%PDF-1.4 another');
    await rejects(
      (await clientFor(t, respondWith(other, { 'content-digest': digest }))).client.sticker(vin),
      'damaged',
    );
    await rejects(
      (await clientFor(t, respondWith(other, { etag: `"${sha256('hex')}"` }))).client.sticker(vin),
      'damaged',
    );
    await rejects((await clientFor(t, respondWith(pdf))).client.sticker(vin), 'damaged');
  });

  test('an HTML page is neither a label nor a lookup', async (t) => {
    const page = respondWith('<html>Sign in</html>', { 'content-type': 'text/html' });
    const { client } = await clientFor(t, page);
    await rejects(client.sticker(vin), 'unexpected');
    await rejects(client.lookup(vin), 'unexpected');
    await rejects((await clientFor(t, respondWith('{"hello":1}'))).client.lookup(vin), 'unexpected');
    await rejects(
      (await clientFor(t, respondWith('{"error":"x"}', {}, 404))).client.lookup(vin),
      'unexpected',
    );
  });

  test("a proxy's Retry-After is respected, and its error says what to do", async (t) => {
    const html = '<html>Down for maintenance</html>';
    const { client, requests } = await clientFor(t, respondWith(html, { 'retry-after': '3600' }, 503));
    await assert.rejects(client.lookup(vin), (error: MonroneyError) => {
      assert.deepEqual([error.reason, error.status, error.retryAfter], ['unexpected', 503, 3600]);
      return error.message.endsWith('Try again later, or check baseUrl.');
    });
    assert.equal(requests.length, 1, 'an hour is longer than budgetMs');
    const { client: portal } = await clientFor(t, respondWith(html));
    await assert.rejects(portal.lookup(vin), /\(200\) isn't from a Monroney service\. Check baseUrl\.$/);
    await assert.rejects(portal.sticker(vin), /isn't a PDF.* Check baseUrl\.$/);
  });

  test('an endless body is cut off at maxBytes', async (t) => {
    const { client, requests } = await clientFor(
      t,
      (_, response) => {
        const writeMore = () => {
          while (!response.destroyed && response.write(Buffer.alloc(10_000)));
        };
        response.on('drain', writeMore).write('%PDF-');
        writeMore();
      },
      { maxBytes: 50_000 },
    );
    await rejects(client.sticker(vin), 'too-large');
    assert.equal(requests.length, 1);
  });

  test('a truncated label is a lost connection and is retried', async (t) => {
    const { client, requests } = await clientFor(t, (_, response, requestNumber) => {
      response.writeHead(200, { 'content-length': pdf.length, 'content-digest': digest });
      if (requestNumber === 1) response.write(pdf.subarray(0, 6), () => response.destroy());
      else response.end(pdf);
    });
    assert.ok(pdf.equals(await client.sticker(vin)));
    assert.equal(requests.length, 2);
  });

  test("a source's failure is an error at once, and retried on request", async (t) => {
    const failing: Respond = (_, response, requestNumber) => {
      if (requestNumber === 1)
        response.writeHead(503, { 'retry-after': '0' }).end(problem('source-failed', 503));
      else response.writeHead(200).end(lookup);
    };
    const { client, requests } = await clientFor(t, failing);
    await rejects(client.label(vin), 'source-failed');
    assert.equal(requests.length, 1);
    const patient = await clientFor(t, failing, { retrySources: true });
    assert.equal((await patient.client.label(vin)).vin, vin);
  });

  test('a permanent error is thrown at once', async (t) => {
    const { client, requests } = await clientFor(t, respondWith(problem('internal', 500), {}, 500));
    await rejects(client.sticker(vin), 'internal');
    assert.equal(requests.length, 1);
  });

  test('an aborted caller leaves the request to the others; the last one aborts it', async (t) => {
    const arrived = [Promise.withResolvers<ServerResponse>(), Promise.withResolvers<ServerResponse>()];
    const { client, requests } = await clientFor(t, (_, response, requestNumber) =>
      arrived[requestNumber - 1]!.resolve(response),
    );
    const [one, two, three] = [new AbortController(), new AbortController(), new AbortController()];
    const first = client.lookup(vin, { signal: one.signal });
    const second = client.lookup(vin, { signal: two.signal });
    const waiting = await arrived[0]!.promise;
    one.abort(new Error('stop'));
    await assert.rejects(first, /stop/);
    waiting.end(lookup);
    assert.equal((await second).vin, vin);
    assert.equal(requests.length, 1);

    const third = client.lookup('1C4RJHBR7TC000000', { signal: three.signal });
    const closed = once(await arrived[1]!.promise, 'close');
    three.abort();
    await assert.rejects(third, { name: 'AbortError' });
    await closed;
    await assert.rejects(client.lookup(vin, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });

  test('the contact is sent', async (t) => {
    const { client, requests } = await clientFor(t, respondWith(lookup), { contact: 'dealer.example' });
    await client.lookup(vin);
    assert.equal(requests[0]?.headers['x-contact'], 'dealer.example');
  });

  test('any cache works, including an asynchronous one', async (t) => {
    const entries = new Map<string, string>();
    const cache: ClientOptions['cache'] = {
      get: async (url) => {
        await new Promise((resolve) => setImmediate(resolve));
        return entries.has(url) ? JSON.parse(entries.get(url)!) : undefined;
      },
      set: async (url, kept) => void entries.set(url, JSON.stringify(kept)),
    };
    const { client, requests } = await clientFor(
      t,
      respondWith(lookup, { 'cache-control': 'public, max-age=60' }),
      {
        cache,
      },
    );
    await Promise.all([client.lookup(vin), client.lookup(vin)]);
    await client.lookup(vin);
    assert.equal(requests.length, 1);
    assert.equal(entries.size, 1);
  });
});

describe('a mistake of the caller says what to do', () => {
  const passed = (value: unknown) => value as never;

  test('in the options of a client', () => {
    const mistakes: [options: unknown, message: RegExp][] = [
      [undefined, /^baseUrl must be the URL of the service, got undefined\. Example: createClient/],
      [{}, /^baseUrl must be the URL of the service, got undefined/],
      ['http://a', /^createClient takes an object, got "http:\/\/a"\. Example: createClient/],
      [null, /^createClient takes an object, got null\./],
      [{ baseUrl: 8080 }, /^baseUrl must be the URL of the service, got 8080/],
      [
        { baseUrl: 'localhost:8080' },
        /^baseUrl must begin with http:\/\/ or https:\/\/, got "localhost:8080"/,
      ],
      [{ baseUrl: '/api' }, /^baseUrl must begin with http/],
      ...['http://x:99999', 'http://x/?q', 'http://x/#a', 'http://user:word@x'].map(
        (baseUrl) => [{ baseUrl }, /^baseUrl must be a URL without user name/] as [unknown, RegExp],
      ),
      [{ baseUrl: 'http://a', contact: 7 }, /^contact must be your domain or e-mail address, got 7\.$/],
      [{ baseUrl: 'http://a', contact: 'a\nb' }, /^contact must be /],
      [{ baseUrl: 'http://a', cache: {} }, /^cache must be an object with the functions get and set/],
      [{ baseUrl: 'http://a', fetch: 'fetch' }, /^fetch must be a function/],
      [{ baseUrl: 'http://a', budgetMs: '1s' }, /^budgetMs must be a number of milliseconds, got "1s"\.$/],
    ];
    for (const [options, message] of mistakes)
      assert.throws(
        () => createClient(passed(options)),
        (error: unknown) => {
          assert.ok(error instanceof MonroneyError, String(error));
          assert.match(error.message, message);
          return error.reason === 'bad-parameter';
        },
      );
  });

  test('in the arguments of a call, which sends nothing', async (t) => {
    const { client, requests } = await clientFor(t, respondWith(lookup));
    for (const value of [undefined, null, 17, {}, ['a']]) {
      for (const call of [client.lookup, client.sticker, client.label])
        await rejects(call(passed(value)), 'bad-vin');
    }
    for (const value of [undefined, null, vin, [undefined], [17]]) {
      await rejects(client.decode(passed(value)), 'bad-parameter');
    }
    await rejects(client.lookup(vin, passed('sticker')), 'bad-parameter');
    await rejects(client.lookup(vin, passed({ sticker: 'false' })), 'bad-parameter');
    await rejects(client.makes(passed({ signal: 'stop' })), 'bad-parameter');
    assert.equal(requests.length, 0);
    await client.lookup(vin, passed(null));
    assert.equal(requests.length, 1);
  });
});
