import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codingOf } from './compression.ts';

/**
 * Requests with the longest headers and URLs that Node accepts. Linear code takes milliseconds for each of these; the
 * code they are made against took seconds, so that the bound is far from both.
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
        // Of different lengths, because results are cached.
        for (let n = 0; n < 8; n++) codingOf(`${coding}${piece.repeat(LENGTH / piece.length - n)}x`);
      });
  }
});
