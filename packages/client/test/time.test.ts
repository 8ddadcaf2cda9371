import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, MonroneyError } from '@monroney/client';
import { fakeTime } from '../../../test/fake-time.ts';

/** What the client does while time passes: it waits, retries and gives up. */

const baseUrl = 'https://stickers.example';
const vin = '1FMUK8DH0TG000000';
const found = () => Response.json({ ok: true, vin });
const problem = (reason: string, status: number, headers: Record<string, string> = {}) =>
  Response.json({ ok: false, reason, status, detail: reason }, { status, headers });

/** A `fetch` that sends these responses, the last one again and again. */
function sequence(...responses: (() => Response)[]) {
  const send = async () => (responses.length > 1 ? responses.shift()! : responses[0]!)();
  return send as typeof fetch;
}

const rejected = (reason: string) => (error: unknown) => {
  assert.ok(error instanceof MonroneyError, String(error));
  assert.equal(error.reason, reason);
  return true;
};

test('a 503 is retried after the time it says', async (t) => {
  const time = fakeTime(t);
  const busy = () => problem('still-asking', 503, { 'retry-after': '4' });
  const client = createClient({ baseUrl, fetch: sequence(busy, busy, found) });
  assert.equal((await time.during(client.lookup(vin))).vin, vin);
  assert.ok(time.elapsed() >= 8_000, `${time.elapsed()} ms`);
});

test("a proxy's 502 is retried", async (t) => {
  const time = fakeTime(t);
  const bad = () => new Response('<html>Bad gateway</html>', { status: 502 });
  const client = createClient({ baseUrl, fetch: sequence(bad, found) });
  assert.equal((await time.during(client.lookup(vin))).vin, vin);
});

test('a service that is down is a network error', async (t) => {
  const time = fakeTime(t);
  const down = () => Promise.reject(new TypeError('fetch failed'));
  const client = createClient({ baseUrl, fetch: down });
  await assert.rejects(time.during(client.lookup(vin)), rejected('network'));
});

test('a call takes no longer than the budget', async (t) => {
  const time = fakeTime(t);
  const hang: typeof fetch = (_, init) =>
    new Promise((_, reject) => {
      init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error));
    });
  const client = createClient({ baseUrl, fetch: hang, budgetMs: 5_000 });
  await assert.rejects(time.during(client.lookup(vin)), rejected('timeout'));
  assert.equal(time.elapsed(), 5_000);
});

test('the budget includes the wait for the rate limit', async (t) => {
  const time = fakeTime(t);
  const client = createClient({ baseUrl, fetch: sequence(found), requests: 1, budgetMs: 5_000 });
  const vins = ['1FTFW1E50PFA12310', '1FTFW1E50PFA12311', '1FTFW1E50PFA12312'];
  const calls = Promise.allSettled(vins.map((each) => client.lookup(each)));
  const [first, ...others] = await time.during(calls);
  assert.equal(first!.status, 'fulfilled');
  for (const { status, reason } of others as PromiseRejectedResult[])
    assert.ok(status === 'rejected' && rejected('timeout')(reason));
  assert.equal(time.elapsed(), 5_000);
});

test('a wait that would exceed the budget is an error at once', async (t) => {
  const time = fakeTime(t);
  const busy = () => problem('source-refused', 503, { 'retry-after': '900' });
  const client = createClient({ baseUrl, fetch: sequence(busy) });
  await assert.rejects(time.during(client.sticker(vin)), rejected('source-refused'));
  assert.equal(time.elapsed(), 0);
});

test('beyond the limit the client waits for Retry-After, and every call succeeds', async (t) => {
  const time = fakeTime(t);
  const limited = () => problem('too-many-requests', 429, { 'retry-after': '7' });
  const client = createClient({ baseUrl, requests: 0, fetch: sequence(found, limited, limited, found) });
  const vins = ['1FTFW1E50PFA12310', '1FTFW1E50PFA12311', '1FTFW1E50PFA12312'];
  const calls = Promise.all(vins.map((each) => client.lookup(each, { sticker: false })));
  assert.equal((await time.during(calls)).length, 3);
  assert.ok(time.elapsed() >= 7_000, `${time.elapsed()} ms`);
});

test('the client stays within the limit that the service announces', async (t) => {
  const time = fakeTime(t);
  const sentAt: number[] = [];
  const client = createClient({
    baseUrl,
    fetch: async () => {
      sentAt.push(time.elapsed());
      return Response.json({ ok: true, vin }, { headers: { 'ratelimit-policy': '"default";q=10;w=10' } });
    },
  });
  const vins = Array.from({ length: 25 }, (_, index) => `1FTFW1E50PFA124${10 + index}`);
  await time.during(Promise.all(vins.map((each) => client.lookup(each, { sticker: false }))));
  assert.equal(sentAt.length, 25);
  for (const [index, at] of sentAt.entries())
    if (index >= 10) assert.ok(at - sentAt[index - 10]! >= 10_000, `number ${index + 1} after ${at} ms`);
});

test('requests that the service does not count are not paced', async (t) => {
  const time = fakeTime(t);
  let requests = 0;
  const client = createClient({
    baseUrl,
    fetch: async () => {
      requests++;
      return Response.json({ ok: true, sources: [] });
    },
  });
  for (let call = 0; call < 12; call++) await time.during(client.makes());
  assert.deepEqual([requests, time.elapsed()], [12, 0]);
});
