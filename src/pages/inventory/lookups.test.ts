import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { fakeTime } from '../../../test/fake-time.ts';
import { NOTHING } from '../../tables/browser.ts';
import { lookUpAll, type LotCar, type Outcome } from './lookups.ts';

const known: Outcome = { cells: { ...NOTHING, sticker: 'available' } };
const failed: Outcome = {
  cells: { ...NOTHING, sticker: 'unknown', reason: 'source-failed' },
  retryAfterMs: 30_000,
};
/** A failure as the page makes it: with the name of its car. */
const failedFor = (vin: string): Outcome => ({
  ...failed,
  cells: { ...failed.cells, name: `The car ${vin}` },
});
const cars = (make: string, count: number, isStored = false): LotCar[] =>
  Array.from({ length: count }, (_, index) => ({ vin: `${make}${index}`, make, isStored }));

/** Looks up the cars in fake time; each request takes half a second. */
async function run(t: TestContext, list: readonly LotCar[], respond: (vin: string, at: number) => Outcome) {
  const { elapsed: now, sleep, during } = fakeTime(t);
  const sent: { vin: string; at: number }[] = [];
  const found = new Map<string, { sticker: unknown; name: unknown }>();
  await during(
    lookUpAll(list, {
      sleep: async (ms) => void (await sleep(ms)),
      signal: new AbortController().signal,
      async lookUp({ vin }) {
        sent.push({ vin, at: now() });
        await sleep(500);
        return respond(vin, now());
      },
      found: (vin, { sticker, name }) => void found.set(vin, { sticker, name }),
    }),
  );
  return { sent, found };
}

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
  assert.ok(
    again.every(({ at }) => at >= 30_000),
    'not before it may be asked again',
  );
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
