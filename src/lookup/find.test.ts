import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readerVersionOf } from '@monroney/label/read-text';
import { silentLog } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { inMemorySingleFlight } from '../lib/promises.ts';
import { sources } from '../makers/index.ts';
import { sourcesFor } from '../makers/maker.ts';
import { openStore } from '../store/index.ts';
import { StoreUnavailable, type Store } from '../store/store.ts';
import type { TimedOutcome } from './ask.ts';
import { cachedDecoder, createLookup, type FindDependencies } from './find.ts';
import { codeOf } from './finding-response.ts';
import { openOutcomes, openSwitches } from './source-states.ts';
import { vpic } from '../../test/decoder.ts';
import { vinOf } from '../../tools/bench/filled-store.ts';

// lane: service

/** The complete flow with a real decoder and a real store; only the outcomes of sources are made up. */

const FORD = '1FMUK8DH0TGA00001';
const TESLA = '5YJ3E1EA7KF000316';
const PDF = Buffer.from('%PDF-1.4 a label %%EOF');
const LABEL: TimedOutcome = { kind: 'label', pdf: PDF, host: 'labels.example', ms: 5 };

const noTexts: FindDependencies['textsAndPreviews'] = {
  text: async () => null,
  lines: async () => null,
  reading: async () => assert.fail('not expected'),
  refresh: () => undefined,
  preview: async () => null,
  card: async () => null,
};

async function lookupWith(t: TestContext, outcomes: TimedOutcome[], more: Partial<FindDependencies> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'find-'));
  const store: Store = await openStore({ dataDir, log: silentLog });
  const switches = await openSwitches({ store, startOff: [], log: silentLog, now: Date.now });
  const requests: string[] = [];
  const unsent: string[] = [];
  const lookup = createLookup({
    vpic,
    sources: {
      list: sources,
      for: (vin, make) => (make === null ? [] : sourcesFor(vin, make, sources)),
    },
    switches,
    store,
    ask: async (source, vin) => {
      requests.push(`${source.id} ${vin}`);
      return outcomes.shift() ?? { kind: 'failed', why: 'timeout', ms: 1 };
    },
    recordOutcome: openOutcomes({
      outages: { noteUnsent: (id) => void unsent.push(id) },
      store,
      switches: more.switches ?? switches,
      lastLabels: { record() {} },
      metrics: createMetrics(),
      log: silentLog,
      now: Date.now,
    }),
    singleFlight: inMemorySingleFlight(),
    textsAndPreviews: noTexts,
    workers: { run: () => assert.fail('the labels have no text') },
    metrics: createMetrics(),
    log: silentLog,
    now: Date.now,
    ...more,
  });
  t.after(async () => {
    switches.close();
    await store.close();
    rmSync(dataDir, { recursive: true });
  });
  return { lookup, store, switches, requests, unsent };
}

test('a label is requested once, stored byte for byte, and served from then on', async (t) => {
  const { lookup, store, requests } = await lookupWith(t, [LABEL]);
  const [one, two] = await Promise.all([1, 2].map(async () => lookup.find(FORD, { sticker: true })));
  assert.equal(one!.finding.state, 'held');
  assert.deepEqual(two!.finding, one!.finding);
  assert.equal((await lookup.find(FORD, { sticker: true })).finding.state, 'held');
  assert.deepEqual(requests, [`ford ${FORD}`]);
  const { label } = await store.find(FORD);
  assert.deepEqual(await store.pdf(label!), PDF);
});

test('a lookup reads the store once, and a fetch once more', async (t) => {
  const { lookup, store } = await lookupWith(t, [LABEL, { kind: 'none', why: 'x', ms: 1 }]);
  const { find, findOrRecover } = store;
  let reads = 0;
  store.find = (vin) => (reads++, find(vin));
  store.findOrRecover = (vin) => (reads++, findOrRecover(vin));
  const readsFor = async (vin: string, sticker: boolean) => {
    reads = 0;
    await lookup.find(vin, { sticker });
    return reads;
  };
  assert.equal(await readsFor(FORD, false), 1);
  assert.equal(await readsFor(FORD, true), 2, 'a new label');
  assert.equal(await readsFor(FORD, true), 1);
  // Another instance may have stored a label meanwhile, so "none" is never said without a look.
  assert.equal(await readsFor('1FMUK8DH0TGA00002', true), 3, 'a new "none"');
  assert.equal(await readsFor('1FMUK8DH0TGA00002', true), 1);
});

test('a label whose row was lost is found before its source is asked, and though its source is switched off', async (t) => {
  const { lookup, store, switches, requests } = await lookupWith(t, [LABEL]);
  await lookup.find(FORD, { sticker: true });
  const { label } = await store.find(FORD);
  const { find } = store;
  store.find = async () => ({ label: null, miss: null, withdrawal: null });
  store.findOrRecover = find;
  for (const state of ['on', 'off'] as const) {
    await store.setSwitch({ source: 'ford', state, reason: null, since: 1 });
    await switches.refresh();
    const { finding } = await lookup.find(FORD, { sticker: true });
    assert.deepEqual(finding, { state: 'held', label });
  }
  assert.equal(requests.length, 1);
});

test('a held label whose row has no current reading is read in the background', async (t) => {
  const refreshed: string[] = [];
  const textsAndPreviews = { ...noTexts, refresh: ({ vin }: { vin: string }) => void refreshed.push(vin) };
  const { lookup, store } = await lookupWith(t, [LABEL], { textsAndPreviews });
  for (const vin of [TESLA, FORD, FORD]) await lookup.find(vin, { sticker: true });
  await lookup.find(FORD, { sticker: false });
  assert.deepEqual(refreshed, [FORD, FORD, FORD]);
  await store.updateRead(FORD, { paint: null, car: null, reader: readerVersionOf('FORD') });
  await lookup.find(FORD, { sticker: true });
  assert.equal(refreshed.length, 3);
});

test('no request is sent with sticker=false or for a make without a source', async (t) => {
  const { lookup, requests } = await lookupWith(t, []);
  assert.equal((await lookup.find(FORD, { sticker: false })).finding.state, 'not-asked');
  const tesla = await lookup.find(TESLA, { sticker: true });
  assert.deepEqual([tesla.finding.state, tesla.source], ['no-source', null]);
  assert.deepEqual(requests, []);
});

test('"none" is stored and told to everyone, and a failure is never reported as "none"', async (t) => {
  const { lookup, requests } = await lookupWith(t, [{ kind: 'none', why: 'x', ms: 1 }]);
  for (const sticker of [true, true, false])
    assert.equal((await lookup.find(FORD, { sticker })).finding.state, 'none');
  const other = '1FMUK8DH0TGA00002';
  for (let n = 0; n < 2; n++) {
    const { finding, source } = await lookup.find(other, { sticker: true });
    assert.deepEqual([finding.state, source?.id], ['failed', 'ford']);
  }
  assert.equal((await lookup.find(other, { sticker: false })).finding.state, 'not-asked');
  assert.deepEqual(requests, [`ford ${FORD}`, `ford ${other}`]);
});

test('a request that cannot be counted does not affect its lookup', async (t) => {
  const { lookup, store } = await lookupWith(t, [LABEL]);
  store.countSourceRequest = () => Promise.reject(new Error('permission denied for table'));
  assert.equal((await lookup.find(FORD, { sticker: true })).finding.state, 'held');
});

test('a request that the breaker held back is neither counted nor reported to the switches', async (t) => {
  const reported: string[] = [];
  const { lookup, store, requests } = await lookupWith(
    t,
    [
      { kind: 'refused', why: 'paused', retryAfterMs: 9000, ms: 0 },
      { kind: 'none', why: 'placeholder', ms: 1 },
    ],
    {
      switches: {
        state: (source) => ({ source, state: 'on', reason: null, since: 0 }),
        restingMs: () => 0,
        rest: () => assert.fail('not expected'),
        responded: (source) => reported.push(source),
        refresh: async () => {},
        onWithheldChange() {},
        close() {},
      },
    },
  );
  const counts = async () => (await store.sourceRequests(0)).map(({ source, none }) => [source, none]);
  const paused = await lookup.find(FORD, { sticker: true });
  assert.equal(paused.finding.state, 'refused');
  assert.deepEqual([await counts(), reported], [[], []]);
  // It says nothing about the VIN either, so the next lookup asks again.
  await lookup.find(FORD, { sticker: true });
  assert.equal(requests.length, 2);
  assert.deepEqual([await counts(), reported], [[['ford', 1]], ['ford']]);
});

test('a source that is switched off while a request waits for it counts as off, not as asked', async (t) => {
  const counted: boolean[] = [];
  const { lookup, store, switches, requests } = await lookupWith(t, [], {
    ask: async (source, vin) => {
      requests.push(vin);
      await store.setSwitch({ source: source.id, state: 'off', reason: 'by hand', since: 1 });
      await switches.refresh();
      return { kind: 'failed', why: 'unavailable', ms: 1 };
    },
    limit: {
      take: () => ({ allowed: true, remaining: 1, waitMs: 0 }),
      end: (_client, isCounted = true) => void counted.push(isCounted),
    },
  });
  const { finding } = await lookup.find(FORD, { sticker: true, client: 'a' });
  assert.deepEqual(finding, { state: 'off', reason: 'by hand', since: 1, sourceId: 'ford' });
  assert.deepEqual([(await store.find(FORD)).miss, await store.sourceRequests(0)], [null, []]);
  assert.deepEqual([requests.length, counted], [1, [false]]);
});

test('busy workers are our failure: not stored as a miss, not counted against the source', async (t) => {
  const counted: boolean[] = [];
  const { lookup, store, requests } = await lookupWith(
    t,
    [{ kind: 'failed', why: 'workers-busy', ms: 1 }, LABEL],
    {
      limit: {
        take: () => ({ allowed: true, remaining: 1, waitMs: 0 }),
        end: (_client, isCounted = true) => void counted.push(isCounted),
      },
    },
  );
  // The second client joins the request of the first one, and doesn't repeat it.
  const found = await Promise.all(
    ['a', 'b'].map(async (client) => lookup.find(FORD, { sticker: true, client })),
  );
  for (const result of found) {
    const { finding } = result;
    assert.deepEqual(finding, { state: 'failed', why: 'workers-busy', retryAfter: 5, sourceId: 'ford' });
    assert.equal(codeOf(result), 'busy');
  }
  assert.deepEqual([requests.length, counted], [1, [true]]);
  assert.deepEqual([(await store.find(FORD)).miss, await store.sourceRequests(0)], [null, []]);
  assert.equal((await lookup.find(FORD, { sticker: true })).finding.state, 'held');
});

test('each client that joined a fetch of a refused client gets its own turn, or the label', async (t) => {
  const busy: TimedOutcome = { kind: 'failed', why: 'busy', ms: 0 };
  const { lookup, requests } = await lookupWith(t, [busy, busy, LABEL]);
  const states = await Promise.all(
    ['a', 'a', 'b', 'c', 'd'].map(
      async (client) => (await lookup.find(FORD, { sticker: true, client })).finding.state,
    ),
  );
  assert.deepEqual(states, ['failed', 'failed', 'failed', 'held', 'held']);
  assert.equal(requests.length, 3);
});

test('the work for clients that wait for one VIN grows with their number, however many are refused', async (t) => {
  const singleFlight = inMemorySingleFlight();
  const { once } = singleFlight;
  let joins = 0;
  singleFlight.once = (key, work) => (joins++, once(key, work));
  const ask = async (): Promise<TimedOutcome> => ({ kind: 'failed', why: 'busy', ms: 0 });
  const { lookup } = await lookupWith(t, [], { singleFlight, ask });
  const clients = Array.from({ length: 200 }, (_, index) => `client ${index}`);
  const found = await Promise.all(clients.map((client) => lookup.find(FORD, { sticker: true, client })));
  assert.ok(found.every((result) => codeOf(result) === 'busy'));
  assert.ok(joins < 10 * clients.length, `${joins}`);
});

test('with an unavailable store the decode works, and the label is unknown rather than "none"', async (t) => {
  const unavailable = () => Promise.reject(new StoreUnavailable('unavailable'));
  const { lookup, requests } = await lookupWith(t, [], {
    store: { find: unavailable, ready: unavailable } as unknown as Store,
  });
  const { finding, decoded } = await lookup.find(FORD, { sticker: true });
  assert.deepEqual(finding, { state: 'failed', why: 'store', retryAfter: 10 });
  assert.equal(decoded.vehicle?.make, 'FORD');
  assert.deepEqual(requests, []);
});

test('while the store cannot be written no source is asked, and then once for a label that could not be stored', async (t) => {
  const { lookup, store, requests, unsent } = await lookupWith(t, [LABEL, LABEL]);
  const { addLabel, ready } = store;
  const unwritable = () => Promise.reject(new StoreUnavailable('read-only'));
  const other = '1FMUK8DH0TGA00002';
  // It fails while a label is on its way.
  store.addLabel = () => {
    store.ready = unwritable;
    return unwritable();
  };
  for (const vin of [FORD, FORD, other, FORD, other])
    assert.equal(codeOf(await lookup.find(vin, { sticker: true })), 'store-unavailable');
  assert.deepEqual(requests, [`ford ${FORD}`]);
  assert.ok(unsent.length > 0, 'so that the status is not "no lookups"');
  Object.assign(store, { addLabel, ready });
  assert.equal((await lookup.find(FORD, { sticker: true })).finding.state, 'held');
  assert.equal(requests.length, 2);
});

test('a label that alone cannot be stored is requested once a minute, and others are stored', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-18T00:00:00Z') });
  const { lookup, store, requests } = await lookupWith(t, [LABEL, LABEL, LABEL]);
  const { addLabel } = store;
  const other = '1FMUK8DH0TGA00002';
  store.addLabel = (label, pdf) =>
    label.vin === FORD
      ? Promise.reject(new StoreUnavailable('a file in place of its folder'))
      : addLabel(label, pdf);
  const askedInThisMinute = async () => {
    requests.length = 0;
    for (let n = 0; n < 3; n++)
      assert.equal(codeOf(await lookup.find(FORD, { sticker: true })), 'store-unavailable');
    return requests.length;
  };
  assert.equal(await askedInThisMinute(), 1);
  assert.equal((await lookup.find(other, { sticker: true })).finding.state, 'held');
  assert.equal(await askedInThisMinute(), 0);
  t.mock.timers.tick(60_000);
  assert.equal(await askedInThisMinute(), 1);
});

test('a label that a bug keeps from being stored is not fetched again at every request', async (t) => {
  const { lookup, store, requests } = await lookupWith(t, [LABEL, LABEL]);
  store.addLabel = () => Promise.reject(new TypeError('a bug'));
  for (let n = 0; n < 3; n++) {
    assert.equal(codeOf(await lookup.find(FORD, { sticker: true })), 'store-unavailable');
  }
  assert.equal(requests.length, 1);
});

const MODEL = '1C6SRFFT4TN900000';
const HOUR = 3_600_000;

function counting() {
  let clock = 0;
  const decoded: string[] = [];
  const decode = (vin: string) => {
    decoded.push(vin);
    return vpic.decode(vin);
  };
  const kinds = cachedDecoder({ ...vpic, decode }, () => clock);
  return { kinds, decoded, pass: (ms: number) => (clock += ms) };
}

test('each kind of car is decoded once an hour, and each VIN gets its own result', () => {
  const { kinds, decoded, pass } = counting();
  const vins = [1, 2, 3].map((n) => vinOf(n, MODEL));
  for (const vin of vins) assert.deepEqual(kinds.decode(vin), vpic.decode(vin));
  assert.deepEqual(decoded, [vins[0]]);
  pass(HOUR);
  kinds.decode(vins[1]!);
  assert.deepEqual(decoded, [vins[0], vins[1]]);
});

test('a VIN with an error is not cached', () => {
  const { kinds, decoded } = counting();
  const right = vinOf(1, MODEL);
  const wrong = `${right.slice(0, 8)}${right[8] === '1' ? '2' : '1'}${right.slice(9)}`;
  kinds.decode(right);
  assert.equal(kinds.decode(wrong).codes[0], 1);
  kinds.decode(wrong);
  assert.deepEqual(decoded, [right, wrong, wrong]);
});
