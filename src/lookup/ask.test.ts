import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { listen } from '../lib/testing.ts';
import { source as ford } from '../makers/ford/source.ts';
import { sources } from '../makers/index.ts';
import type { Outcome, Source } from '../makers/maker.ts';
import { createPace, type Hosts, type Refusal, openNet, type Net } from '../sources/hosts.ts';
import type { FetchRequest } from '../sources/fetch.ts';
import { ask } from './ask.ts';
import { isOurFailure } from './finding-response.ts';

const VIN = '1FMUK8DH0TG000001';
const URLS = ['https://a.example/{VIN}', 'https://b.example/{VIN}'];
const source = (strategy: Source['strategy'], urls = URLS): Source => ({
  ...ford,
  strategy,
  typicalSeconds: 0,
  urls,
});
const LABEL: Outcome = { kind: 'label', pdf: Buffer.from('%PDF-'), host: 'a.example' };

const QUEUES = {
  queueLengths: () => [],
  pacing: { pace: createPace(0, () => 0), everyMs: 0, now: () => 0 },
  forget() {},
};

const refusing = (refusal: Refusal): Hosts => ({
  enter: async () => refusal,
  checkHealth: () => assert.fail('not expected'),
  ...QUEUES,
});

/** Runs `ask` without a network; each request gets the next of these outcomes. */
async function runAsk(
  outcomes: Outcome[],
  how: {
    strategy?: Source['strategy'];
    net?: Partial<Net>;
    urls?: string[];
    canStore?: () => Promise<boolean>;
  } = {},
) {
  const urls: string[] = [];
  const reports: string[] = [];
  const hosts: Hosts = {
    enter: async (host) => ({
      ok: true,
      waitedMs: 0,
      again: async () => true,
      end: async (result) => void reports.push(`${host} ${result}`),
    }),
    checkHealth: () => assert.fail('not expected'),
    ...QUEUES,
  };
  const net: Net = {
    ...openNet({ baseUrl: 'http://labels.example' }),
    backoffMs: 0,
    hosts,
    ...how.net,
    fetch: Object.assign(
      async ({ url }: FetchRequest) => {
        urls.push(url);
        const { host } = new URL(url);
        return {
          ok: true as const,
          status: 200,
          type: null,
          body: Buffer.alloc(0),
          host,
          retryAfterMs: undefined,
          release() {},
        };
      },
      { close() {} },
    ) as unknown as Net['fetch'],
  };
  const outcome = await ask(source(how.strategy ?? 'fail-over', how.urls), VIN, {
    net,
    judge: async () => outcomes.shift()!,
    now: () => 0,
    canStore: how.canStore,
  });
  return { outcome, urls, reports };
}

test('a label that can no longer be stored after the wait in the queue is not requested', async () => {
  const { outcome, urls, reports } = await runAsk([LABEL], { canStore: async () => false });
  assert.deepEqual([outcome.kind, isOurFailure(outcome)], ['failed', true]);
  assert.deepEqual([urls, new Set(reports)], [[], new Set(['a.example unknown', 'b.example unknown'])]);
  assert.equal((await runAsk([LABEL], { canStore: async () => true })).outcome.kind, 'label');
});

test('with fail-over, the next URL is tried after a failure, not after "none"', async () => {
  assert.equal((await runAsk([{ kind: 'none', why: 'x' }])).urls.length, 1);
  const { outcome, reports } = await runAsk([{ kind: 'failed', why: 'status' }, LABEL]);
  assert.equal(outcome.kind, 'label');
  assert.deepEqual(reports, ['a.example failed', 'b.example responded']);
});

test('with try-all, "none" from one URL doesn\'t count if another failed', async () => {
  const none: Outcome = { kind: 'none', why: 'x' };
  const failed = await runAsk([none, { kind: 'failed', why: 'status' }], { strategy: 'try-all' });
  assert.deepEqual([failed.outcome.kind, failed.outcome.host], ['failed', 'b.example']);
  const refused = await runAsk([{ kind: 'refused', why: 'blocked' }, none], { strategy: 'try-all' });
  assert.equal(refused.outcome.kind, 'refused');
  assert.equal((await runAsk([none, none], { strategy: 'try-all' })).outcome.kind, 'none');
});

test('with try-all, a label counts although another URL failed', async () => {
  const { outcome } = await runAsk([{ kind: 'failed', why: 'status' }, LABEL], { strategy: 'try-all' });
  assert.equal(outcome.kind, 'label');
});

test('Kia, Toyota and Nissan have no label only if all their platforms say so', () => {
  const tryAll = sources.filter(({ strategy }) => strategy === 'try-all');
  assert.deepEqual(
    tryAll.map(({ id }) => id),
    ['kia', 'toyota', 'nissan'],
  );
});

test('a host that refused gets no request for the other URLs on it', async () => {
  const urls = ['https://a.example/{VIN}', 'https://a.example/old/{VIN}', 'https://b.example/{VIN}'];
  const refused: Outcome = { kind: 'refused', why: 'blocked' };
  const none: Outcome = { kind: 'none', why: 'x' };
  const after = await runAsk([refused, none], { strategy: 'try-all', urls });
  assert.deepEqual(after.urls, [`https://a.example/${VIN}`, `https://b.example/${VIN}`]);
  assert.equal(after.outcome.kind, 'refused');
  const failed: Outcome = { kind: 'failed', why: 'not-found' };
  assert.equal((await runAsk([failed, failed, none], { strategy: 'try-all', urls })).urls.length, 3);
});

test('an empty response is retried at the same URL, and counted once', async () => {
  const empty: Outcome = { kind: 'failed', why: 'empty' };
  const { outcome, urls, reports } = await runAsk([empty, empty, LABEL]);
  assert.equal(outcome.kind, 'label');
  assert.deepEqual(new Set(urls).size, 1);
  assert.equal(urls.length, 3);
  assert.deepEqual(reports, ['a.example responded']);
});

test("another car's label doesn't count as a failure of the host", async () => {
  const { reports } = await runAsk([
    { kind: 'failed', why: 'wrong-vin' },
    { kind: 'failed', why: 'no-vin' },
  ]);
  assert.deepEqual(reports, ['a.example responded', 'b.example responded']);
});

test('with a full queue no request is sent, and nothing is reported about the host', async () => {
  const { outcome, urls, reports } = await runAsk([], {
    net: { hosts: refusing({ ok: false, why: 'busy', retryAfterMs: 3000 }) },
  });
  assert.deepEqual(
    [outcome.kind, 'why' in outcome && outcome.why, isOurFailure(outcome)],
    ['failed', 'busy', true],
  );
  assert.deepEqual([urls, reports], [[], []]);
});

test('a response that our workers had no time for is our failure, and its host is up', async () => {
  const busy: Outcome = { kind: 'failed', why: 'workers-busy' };
  const { outcome, reports } = await runAsk([busy, busy]);
  assert.ok(isOurFailure(outcome));
  assert.deepEqual(reports, ['a.example responded', 'b.example responded']);
});

test('a request that is cancelled because the service stops is no failure of its source', async (t) => {
  const stopping = new AbortController();
  const port = await listen(
    t,
    createServer(() => stopping.abort()),
  );
  const net = openNet({ baseUrl: 'http://labels.example', sourceOrigin: `http://127.0.0.1:${port}` });
  t.after(() => net.close());
  const outcome = await ask(source('fail-over', ['https://a.example/{VIN}']), VIN, {
    net,
    judge: async () => LABEL,
    now: () => 0,
    signal: stopping.signal,
  });
  assert.equal('why' in outcome && outcome.why, 'cancelled');
  // It would be stored, counted on the status page, and told to clients of the next instance.
  assert.ok(isOurFailure(outcome));
});
