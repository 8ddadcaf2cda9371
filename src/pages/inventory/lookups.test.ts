import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { fakeTime } from '../../../test/fake-time.ts';
import { NOTHING } from '../../tables/browser.ts';
import { lookUpAll, type LotCar, type Outcome } from './lookups.ts';
import { createNewStickers, createPace } from './pace.ts';

const known: Outcome = { kind: 'known', cells: { ...NOTHING, sticker: 'available' } };
const failed: Outcome = {
  kind: 'failed',
  cells: { ...NOTHING, sticker: 'unknown', reason: 'source-failed' },
  retryAfterMs: 30_000,
};
const later = (isAll: boolean): Outcome => ({ kind: 'later', retryAfterMs: 20_000, isAll });
/** A failure as the page makes it: with the name of its car. */
const failedFor = (vin: string): Outcome => ({
  ...failed,
  cells: { ...failed.cells, name: `The car ${vin}` },
});
const cars = (make: string, count: number, isStored = false): LotCar[] =>
  Array.from({ length: count }, (_, index) => ({ vin: `${make}${index}`, make, isStored }));

/** Looks up the cars in fake time; each request takes half a second. */
async function run(
  t: TestContext,
  list: readonly LotCar[],
  respond: (vin: string, at: number) => Outcome,
  signal = new AbortController().signal,
) {
  const { elapsed: now, sleep, during } = fakeTime(t);
  const sent: { vin: string; at: number }[] = [];
  const found = new Map<string, { sticker: unknown; name: unknown; at: number }>();
  let atOnce = 0;
  let mostAtOnce = 0;
  await during(
    lookUpAll(list, {
      pace: createPace(now),
      newStickers: createNewStickers(now),
      now,
      sleep: async (ms) => void (await sleep(ms)),
      signal,
      async lookUp(vin) {
        sent.push({ vin, at: now() });
        mostAtOnce = Math.max(mostAtOnce, ++atOnce);
        await sleep(500);
        atOnce--;
        return respond(vin, now());
      },
      found: (vin, { sticker, name }) => void found.set(vin, { sticker, name, at: now() }),
    }),
  );
  return { sent, found, mostAtOnce };
}

test('at most six requests are sent in any ten seconds, four at once, and each car once', async (t) => {
  const list = cars('FORD', 30);
  const { sent, found, mostAtOnce } = await run(t, list, () => known);
  assert.deepEqual(new Set(found.keys()), new Set(list.map(({ vin }) => vin)));
  assert.equal(sent.length, 30);
  assert.ok(mostAtOnce <= 4);
  for (const { at } of sent)
    assert.ok(sent.filter((other) => other.at >= at && other.at < at + 10_000).length <= 6);
});

test('new stickers leave the visitor a part of the limit for them', async (t) => {
  const { sent } = await run(t, [...cars('FORD', 40), ...cars('KIA', 20, true)], () => known);
  const fresh = sent.filter(({ vin }) => vin.startsWith('FORD'));
  assert.equal(fresh.length, 40);
  for (const { at } of fresh)
    assert.ok(fresh.filter((other) => other.at >= at && other.at < at + 60_000).length <= 15);
});

test('stored stickers come first, then makes take turns', async (t) => {
  const list = [...cars('FORD', 2), ...cars('KIA', 2), ...cars('JEEP', 1, true)];
  const { sent } = await run(t, list, () => known);
  assert.deepEqual(
    sent.map(({ vin }) => vin),
    ['JEEP0', 'FORD0', 'KIA0', 'FORD1', 'KIA1'],
  );
});

test('a make whose source fails is set aside after three failures, and asked once more after the rest', async (t) => {
  const list = [...cars('FORD', 20), ...cars('KIA', 20)];
  const { sent, found } = await run(t, list, (vin) => (vin.startsWith('FORD') ? failed : known));
  const ford = sent.filter(({ vin }) => vin.startsWith('FORD'));
  const lastKia = Math.max(...sent.filter(({ vin }) => vin.startsWith('KIA')).map(({ at }) => at));
  const again = ford.filter(({ at }) => at > lastKia);
  assert.ok(ford.length - again.length <= 6, 'three failures, and those under way');
  assert.ok(again.length >= 3 && again.length <= 6);
  assert.equal(found.size, 40);
  assert.ok(
    [...found].every(([vin, { sticker }]) => sticker === (vin.startsWith('FORD') ? 'unknown' : 'available')),
  );
});

test('no car has the name of another one whose lookup failed', async (t) => {
  const { found } = await run(t, cars('FORD', 12), failedFor);
  assert.equal(found.size, 12);
  for (const [vin, { name }] of found) assert.ok(name === null || name === `The car ${vin}`);
  assert.ok(
    [...found.values()].some(({ name }) => name === null),
    'some were not asked about',
  );
});

test('a source that works again has all of its cars', async (t) => {
  const { found } = await run(t, cars('FORD', 10), (_, at) => (at < 20_000 ? failed : known));
  assert.ok([...found.values()].every(({ sticker }) => sticker === 'available'));
  assert.equal(found.size, 10);
});

test('the limit of new stickers doesn’t hold up stored ones, and nothing is lost', async (t) => {
  const list = [...cars('KIA', 3), ...cars('FORD', 3, true)];
  const { found } = await run(t, list, (vin, at) =>
    vin.startsWith('KIA') && at < 15_000 ? later(false) : known,
  );
  assert.equal(found.size, 6);
  assert.ok([...found].every(([vin, { at }]) => vin.startsWith('KIA') || at < 5000));
});

test('while the service can’t be reached, nothing is sent', async (t) => {
  const { sent, found } = await run(t, cars('KIA', 8), (_, at) => (at < 1000 ? later(true) : known));
  assert.deepEqual(
    sent.filter(({ at }) => at > 600 && at < 20_000),
    [],
  );
  assert.equal(found.size, 8);
});

test('nothing is sent after the signal', async (t) => {
  const controller = new AbortController();
  const { sent } = await run(
    t,
    cars('KIA', 30),
    () => {
      controller.abort();
      return known;
    },
    controller.signal,
  );
  assert.ok(sent.length <= 4);
});
