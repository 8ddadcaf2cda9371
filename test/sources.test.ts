import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { sources } from '../src/makers/index.ts';
import { labelOf } from '../tools/simulator/labels.ts';
import type { Behavior } from '../tools/simulator/behaviors.ts';
import { startSources } from './source-requests.ts';

/** What each response of a source means. */

const { quickNet, askSource, askUntilTimeout } = await startSources();

for (const source of sources) {
  test(`${source.name}: a label arrives byte for byte, with the host that sent it and its extracted text`, async () => {
    const { vin, outcome, requests } = await askSource(source.id, 'label');
    assert.equal(outcome.kind, 'label');
    assert.ok(outcome.kind === 'label' && outcome.pdf.equals(labelOf(source, outcome.host, vin)));
    assert.ok(outcome.text);
    assert.equal(outcome.host, requests[0]?.host);
    assert.equal(requests.length, 1);
  });

  test(`${source.name}: every form of "none" is recognized`, async () => {
    for (const behavior of ['none', 'other-none'] as const) {
      const { outcome, requests } = await askSource(source.id, behavior);
      assert.equal(outcome.kind, 'none');
      assert.equal(requests.length, source.strategy === 'try-all' ? source.urls.length : 1);
    }
  });
}

/** The outcome of each misbehavior, its reason and the number of requests, at GM, which has one URL and retries. */
const misbehaviors: [Behavior, 'label' | 'none' | 'refused' | 'failed', string, number][] = [
  ['empty', 'failed', 'empty', 4],
  ['empty-at-first', 'label', '', 3],
  ['access-denied', 'refused', 'blocked', 1],
  ['access-denied-as-200', 'refused', 'blocked', 1],
  ['blocked', 'refused', 'blocked', 1],
  ['web-page', 'failed', 'page', 1],
  ['not-found-page', 'failed', 'not-found', 1],
  ['other-car', 'failed', 'wrong-vin', 1],
  ['truncated', 'failed', 'truncated', 3],
  ['truncated-at-first', 'label', '', 2],
  ['missing-end', 'label', '', 2],
  ['missing-end-at-first', 'label', '', 2],
  ['server-error', 'failed', 'server-error', 1],
  ['unavailable', 'refused', 'unavailable', 1],
  ['too-many', 'refused', 'too-many-requests', 1],
  ['garbage', 'failed', 'unexpected', 1],
  ['wrong-type', 'label', '', 1],
  ['label-as-404', 'label', '', 1],
  ['gzip', 'label', '', 1],
  ['brotli', 'label', '', 1],
  ['gzip-bomb', 'failed', 'too-large', 1],
  ['chunked', 'label', '', 1],
  ['hang', 'failed', 'timeout', 1],
  ['drip', 'failed', 'timeout', 1],
  ['cut', 'failed', 'cut-short', 3],
  ['length-too-long', 'failed', 'cut-short', 3],
  ['hang-up', 'failed', 'unreachable', 1],
  ['huge', 'failed', 'too-large', 1],
  ['redirect-away', 'failed', 'redirect-off-list', 1],
  ['redirect-to-loopback', 'failed', 'redirect-off-list', 1],
  ['redirect-to-http', 'failed', 'redirect-off-list', 1],
  ['redirect-loop', 'failed', 'too-many-redirects', 2],
  ['redirect-once', 'label', '', 2],
];

/** These end only when the time budget runs out. */
const TIMING_OUT: Behavior[] = ['hang', 'drip'];

for (const [behavior, kind, why, count] of misbehaviors) {
  test(`${behavior} results in ${kind}${why && ` (${why})`} after ${count} request${count > 1 ? 's' : ''}`, async (t) => {
    const isTimingOut = TIMING_OUT.includes(behavior);
    if (isTimingOut) {
      mock.timers.enable({ apis: ['setTimeout'] });
      t.after(() => mock.timers.reset());
    }
    const { outcome, requests } = await (isTimingOut ? askUntilTimeout : askSource)('gm', behavior);
    assert.equal(outcome.kind, kind);
    if (outcome.kind !== 'label') assert.equal(outcome.why, why);
    assert.equal(requests.length, count);
  });
}

test('a label cut off by a short Content-Length is not accepted, and does not affect the next response', async () => {
  const net = quickNet();
  const { outcome } = await askSource('gm', 'length-too-short', net);
  assert.equal(outcome.kind, 'failed');
  const next = await askSource('gm', 'label', net);
  assert.equal(next.outcome.kind, 'label', 'leftover bytes must not corrupt the next response');
});

test('a label without its trailer is requested once more, and the better one is used', async () => {
  const complete = await askSource('ford', 'missing-end-at-first');
  assert.ok(complete.outcome.kind === 'label' && !complete.outcome.missingTrailer);
  const withoutTrailer = await askSource('ford', 'missing-end');
  assert.ok(withoutTrailer.outcome.kind === 'label' && withoutTrailer.outcome.missingTrailer);
});
