import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createJudge } from '../src/lookup/judge.ts';
import { extractText } from '../src/pdf/text.ts';
import { ask } from '../src/lookup/ask.ts';
import { inMemoryBreaker } from '../src/net/breaker.ts';
import { openNet, type Net, type NetOptions } from '../src/net/net.ts';
import { sources } from '../src/makers/index.ts';
import type { Source } from '../src/makers/maker.ts';
import { labelOf } from '../tools/simulator/labels.ts';
import type { Behavior } from '../tools/simulator/behaviors.ts';
import { startSimulator, type Simulator } from '../tools/simulator/simulator.ts';

const judge = createJudge({
  text: async (pdf) => {
    try {
      return { ok: true, text: await extractText(pdf) };
    } catch {
      return { ok: false, reason: 'broken' };
    }
  },
});

let simulator: Simulator;
const nets: Net[] = [];
before(async () => {
  simulator = await startSimulator();
});
after(async () => {
  for (const net of nets) net.close();
  await simulator.close();
});

function quickNet(options: Partial<NetOptions> = {}): Net {
  const net = openNet({
    baseUrl: 'https://stickers.example',
    sourceOrigin: simulator.origin,
    paceMs: 0,
    backoffMs: 1,
    attemptMs: 10_000,
    totalMs: 20_000,
    ...options,
  });
  nets.push(net);
  return net;
}

function sourceById(id: string): Source {
  return sources.find((source) => source.id === id)!;
}

let serial = 0;
/** A VIN that has not been looked up yet. */
function freshVin(source: Source): string {
  return source.example.slice(0, -4) + String(++serial).padStart(4, '0');
}

async function askSource(id: string, behavior: Behavior, net = quickNet()) {
  const source = sourceById(id);
  const vin = freshVin(source);
  simulator.set(vin, behavior);
  const outcome = await ask(source, vin, { net, judge, now: Date.now });
  const requests = simulator.requests.filter((request) => request.vin === vin);
  return { source, vin, outcome, requests };
}

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
  ['redirect-loop', 'failed', 'too-many-redirects', 4],
  ['redirect-once', 'label', '', 2],
];

/** These end only when the time budget runs out. */
const TIMING_OUT: Behavior[] = ['hang', 'drip'];

for (const [behavior, kind, why, count] of misbehaviors) {
  test(`${behavior} results in ${kind}${why && ` (${why})`} after ${count} request${count > 1 ? 's' : ''}`, async () => {
    const net = quickNet(TIMING_OUT.includes(behavior) ? { attemptMs: 1200 } : {});
    const { outcome, requests } = await askSource('gm', behavior, net);
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

test('the outcome of a 429 includes the source’s Retry-After', async () => {
  const { outcome } = await askSource('ford', 'too-many');
  assert.ok(outcome.kind === 'refused' && outcome.retryAfterMs === 120_000);
});

test('an empty body means none at Genesis', async () => {
  const { outcome, requests } = await askSource('genesis', 'empty');
  assert.equal(outcome.kind, 'none');
  assert.equal(requests.length, 1);
});

test('a web page means none at Subaru, a block page does not', async () => {
  assert.equal((await askSource('subaru', 'web-page')).outcome.kind, 'none');
  assert.equal((await askSource('subaru', 'access-denied-as-200')).outcome.kind, 'refused');
  assert.equal((await askSource('subaru', 'server-error')).outcome.kind, 'failed');
});

test('a picture too small to be a scan is not accepted as a label', async () => {
  const { outcome } = await askSource('nissan', 'small-picture');
  assert.ok(outcome.kind === 'failed' && outcome.why === 'no-vin');
});

test('Stellantis: a host that fails is skipped, and the next host’s response is used', async () => {
  const source = sourceById('stellantis');
  for (const [behavior, expected] of [
    ['label', 'label'],
    ['none', 'none'],
  ] as const) {
    const net = quickNet();
    simulator.set('www.chrysler.com', 'server-error');
    simulator.set('www.jeep.com', 'access-denied');
    simulator.set('www.ramtrucks.com', behavior);
    const outcome = await ask(source, freshVin(source), { net, judge, now: Date.now });
    assert.equal(outcome.kind, expected);
    assert.equal(outcome.host, 'www.ramtrucks.com');
  }
  for (const host of ['www.chrysler.com', 'www.jeep.com', 'www.ramtrucks.com']) simulator.set(host, 'label');
});

test('Toyota: if one platform fails, "none" from the others is not accepted, but a label is', async () => {
  const source = sourceById('toyota');
  const [first, second, third] = source.urls.map((url) => new URL(url).host) as [string, string, string];
  simulator.set(first, 'none');
  simulator.set(second, 'server-error');
  simulator.set(third, 'none');
  const unsure = await ask(source, freshVin(source), { net: quickNet(), judge, now: Date.now });
  assert.equal(unsure.kind, 'failed');
  simulator.set(third, 'label');
  const certain = await ask(source, freshVin(source), { net: quickNet(), judge, now: Date.now });
  assert.equal(certain.kind, 'label');
  assert.equal(certain.host, third);
  for (const host of [first, second, third]) simulator.set(host, 'label');
});

test('one time budget covers all URLs: four hosts that hang do not take four times as long', async () => {
  const { outcome, requests } = await askSource(
    'stellantis',
    'hang',
    quickNet({ attemptMs: 150, totalMs: 400 }),
  );
  assert.ok(outcome.kind === 'failed' && outcome.why === 'timeout');
  assert.ok(requests.length <= 3, `${requests.length} hosts got a request`);
});

test('a source that keeps refusing is paused, then tried again with one probe', async () => {
  let now = 0;
  const net = quickNet({ breaker: inMemoryBreaker({ pauseMs: 1000, now: () => now }) });
  for (let refusal = 0; refusal < 3; refusal++) await askSource('ford', 'access-denied', net);
  const paused = await askSource('ford', 'label', net);
  assert.equal(paused.requests.length, 0);
  assert.ok(paused.outcome.kind === 'refused' && paused.outcome.why === 'paused');
  assert.equal(paused.outcome.retryAfterMs, 1000);
  now = 1000;
  const probe = await askSource('ford', 'label', net);
  assert.equal(probe.outcome.kind, 'label');
  assert.equal((await askSource('ford', 'label', net)).outcome.kind, 'label');
});

test('requests identify Monroney and have only the headers that a source needs', async () => {
  const withoutReferer = await askSource('gm', 'label');
  assert.equal(withoutReferer.requests[0]?.headers['user-agent'], 'Monroney/1.0 (+https://stickers.example)');
  assert.deepEqual(Object.keys(withoutReferer.requests[0]?.headers ?? {}).sort(), [
    'accept',
    'connection',
    'host',
    'user-agent',
  ]);
  const withReferer = await askSource('hyundai', 'label');
  assert.equal(withReferer.requests[0]?.headers.referer, 'https://www.hyundaiusa.com/');
});

test('200 concurrent lookups of one car send one request', async () => {
  const net = quickNet();
  const source = sourceById('gm');
  const vin = freshVin(source);
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, () =>
      net.singleFlight.once(vin, () => ask(source, vin, { net, judge, now: Date.now })),
    ),
  );
  assert.ok(outcomes.every(({ kind }) => kind === 'label'));
  assert.equal(simulator.requests.filter((request) => request.vin === vin).length, 1);
});

test('50 cars of one maker are requested at its pace, and another maker’s car does not wait for them', async () => {
  const net = quickNet({ paceMs: 20, attemptMs: 10_000, totalMs: 30_000 });
  const gm = sourceById('gm');
  const from = simulator.requests.length;
  const started = Date.now();
  simulator.set('gm', 'none');
  const lookups = Array.from({ length: 50 }, () => ask(gm, freshVin(gm), { net, judge, now: Date.now }));
  await askSource('genesis', 'empty', net);
  const outcomes = await Promise.all(lookups);
  simulator.set('gm', 'label');
  assert.deepEqual([...new Set(outcomes.map(({ kind }) => kind))], ['none']);
  const requests = simulator.requests.slice(from);
  assert.equal(requests.length, 51);
  assert.ok(
    requests.findIndex(({ source }) => source === 'genesis') < 50,
    'the Genesis was requested before the last Chevrolet',
  );
  // Three at once, then one every 20 ms: the last can't come sooner, however fast the machine.
  const last = requests.findLast(({ source }) => source === 'gm')!.at - started;
  assert.ok(last >= 47 * 20 - 3, `${last} ms`);
});

test('a label that no worker opens within the time budget fails with workers-busy', async () => {
  const source = sourceById('ford');
  const vin = freshVin(source);
  simulator.set(vin, 'label');
  const stuckJudge = createJudge({ text: () => new Promise<never>(() => {}) });
  const outcome = await ask(source, vin, {
    net: quickNet({ totalMs: 1000 }),
    judge: stuckJudge,
    now: Date.now,
  });
  assert.ok(outcome.kind === 'failed' && outcome.why === 'workers-busy');
});

test('a car that two sources may have has one time budget for both', async () => {
  const source = sourceById('ford');
  const vin = freshVin(source);
  simulator.set(vin, 'label');
  const net = quickNet({ totalMs: 5000 });
  const options = { net, judge, now: Date.now };
  const from = simulator.requests.length;
  const outcome = await ask(source, vin, { ...options, spentMs: 5000 });
  assert.ok(outcome.kind === 'failed' && outcome.why === 'timeout');
  assert.equal(simulator.requests.length, from);
  assert.equal((await ask(source, vin, { ...options, spentMs: 10 })).kind, 'label');
});
