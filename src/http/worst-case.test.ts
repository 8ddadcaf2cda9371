// lane: drill
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codingOf } from './representation.ts';
import { preferredWaitSeconds } from './request.ts';
import { HELD, dependenciesWith, fakeLookup, getRequest, sendRaw, serving } from './testing.ts';

/**
 * Requests with the longest headers and URLs that Node accepts. Linear code takes milliseconds for each of these; the
 * code before the fix took seconds, so the bound is far from both.
 */
const BOUND_MS = 2000;
const LENGTH = 15_000;

/** CPU time rather than wall time: other processes must not fail a test. */
function assertQuick(what: string, work: () => void): void {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  const took = Math.round((user + system) / 1000);
  assert.ok(took < BOUND_MS, `${what} took ${took} ms`);
}

test('no Accept-Encoding is slow to parse', () => {
  for (const piece of [' ', '\t', ',', ', ', 'br ', 'br,', 'br ,', 'br; ', ';', 'br;q=', '1', '.']) {
    for (const coding of ['', 'br', 'gzip', 'br;', 'br;q=1'])
      assertQuick(JSON.stringify(coding + piece), () => {
        for (let n = 0; n < 8; n++) codingOf(`${coding}${piece.repeat(LENGTH / piece.length)}x`);
      });
  }
});

test('a URL with thousands of broken parameters causes one exception at most', async (t) => {
  // Each exception takes 10 to 80 µs, depending on the depth of the stack.
  const decode = t.mock.method(globalThis, 'decodeURIComponent');
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    for (const piece of ['%&', '%ff&', '%ff%ff%ff&', '%zzzzzz&', 'contact=%&', 'sticker=%ff&']) {
      const broken = piece.repeat(LENGTH / piece.length);
      for (const path of [
        `/healthz?${broken}`,
        `/api/v1/vin/${HELD.toLowerCase()}?${broken}`,
        `/?${broken}`,
        `/${broken}`,
      ]) {
        decode.mock.resetCalls();
        assert.match(await sendRaw(port, getRequest(path)), /^HTTP\/1\.1 (200|400) /);
        const thrown = decode.mock.calls.filter(({ error }) => error !== undefined).length;
        assert.ok(thrown <= 1, `${thrown} exceptions at ${path.slice(0, 60)}`);
      }
    }
  });
});

test('NHTSA’s operations leave broken percent-encoding as it is, because URLSearchParams throws and catches an exception for each', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (origin) => {
    const url = `${origin}/vpic/api/vehicles/DecodeVINValuesBatch/`;
    const send = (query: string, body: string) => fetch(url + query, { method: 'POST', body });
    for (const response of [await send('?format=%ff', 'data=1'), await send('', 'format=%ff&data=1')]) {
      assert.equal(response.status, 400);
      assert.match(((await response.json()) as { detail: string }).detail, /got "%ff"/);
    }
    // Of a form with 15,000 parameters, only the first hundred are parsed.
    const many = 'a=1&'.repeat(15_000);
    assert.equal((await send('', `format=%ff&${many}data=1`)).status, 400);
    assert.equal((await send('', `data=1&${many}format=%ff`)).status, 200);
  });
});

test('no Prefer header is slow to parse', () => {
  for (const piece of [' ', ',', ', ', 'wait', 'wait ', 'wait=', 'wait = ', 'wait="1"', 'wait=1 '])
    assertQuick(piece, () => {
      for (let n = 0; n < 20; n++) preferredWaitSeconds(`wait${piece.repeat(LENGTH / piece.length)}x`);
    });
});
