import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { checkDigit } from '@monroney/vin';
import type { VinResponse } from '../src/lookup/schemas.ts';
import type { Behavior } from '../tools/simulator/behaviors.ts';
import { newVin } from './operator.ts';
import { startSimulated } from './simulated.ts';

/** A car built in Alabama can be a Hyundai or a Genesis, so we ask both sources. Tests every combination of outcomes. */

const { service, simulator } = await startSimulated();

type State = 'label' | 'none' | 'failed' | 'refused' | 'off' | 'resting';

const BEHAVIORS: Partial<Record<State, Behavior>> = {
  label: 'label',
  none: 'none',
  failed: 'server-error',
  refused: 'access-denied',
};

let serial = 300_000;
/** The VIN of a Hyundai built in Alabama that was not requested before. */
function newAlabamaVin(): string {
  const vin = `5NMJECDE6TH${++serial}`;
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}

const { switches } = service.runtime.lookup;
const resting = new Set<string>();

/** Fakes resting: a real source rests only after half an hour of refusals. */
function mockResting(t: TestContext): void {
  const restingMs = switches.restingMs.bind(switches);
  t.mock.method(switches, 'restingMs', (id: string) => (resting.has(id) ? 600_000 : restingMs(id)));
}

async function setState(id: 'hyundai' | 'genesis', state: State): Promise<void> {
  const off = state === 'off';
  await service.runtime.store.setSwitch({
    source: id,
    state: off ? 'off' : 'on',
    reason: off ? `${id} is off` : null,
    since: Date.UTC(2026, 10, 1),
  });
  await switches.refresh();
  if (state === 'resting') resting.add(id);
  else resting.delete(id);
  simulator.set(id, BEHAVIORS[state] ?? 'label');
}

/** Lets both sources respond once, so that one test's failures don't cause a backoff in the next. */
async function restore(): Promise<void> {
  for (const id of ['hyundai', 'genesis'] as const) {
    await setState(id, 'none');
    await service.get(`/api/v1/vin/${newVin(id)}`);
    await setState(id, 'label');
  }
}

/** The result of the lookup in short form, after checking that the PDF response and the headers agree with it. */
async function resultOf(vin: string): Promise<string> {
  const response = await service.get(`/api/v1/vin/${vin}`);
  const { windowSticker: sticker, warning } = (await response.json()) as VinResponse;
  const pdf = await service.get(`/api/sticker/${vin}`);
  const reason = pdf.ok ? null : ((await pdf.json()) as { reason: string }).reason;
  const cacheControl = response.headers.get('cache-control');
  if (sticker.available) {
    assert.equal(pdf.status, 200);
    return 'label';
  }
  if (sticker.available === false) {
    assert.deepEqual(
      [pdf.status, reason, cacheControl, warning],
      [404, 'no-label', 'public, max-age=3600', null],
    );
    return 'none';
  }
  assert.equal(cacheControl, 'no-store');
  if (sticker.note) {
    assert.deepEqual([pdf.status, reason, sticker.pdf, warning], [404, 'source-off', null, null]);
    return `off ${/Lookups for (\w+)/.exec(sticker.note)?.[1]}`;
  }
  assert.equal(pdf.status, 503);
  const after = Number(pdf.headers.get('retry-after'));
  assert.ok(after >= 1);
  const match = /(\w+) refused our request|(\w+)'s site isn't answering/.exec(warning!);
  if (match?.[1]) assert.equal(reason, 'source-refused');
  if (match?.[2]) assert.equal(reason, 'source-failed');
  if (match?.[1] && after === 600) return `resting ${match[1]}`;
  return `${reason?.replace('source-', '')} ${match?.[1] ?? match?.[2]}`;
}

const STATES: State[] = ['label', 'none', 'failed', 'refused', 'off', 'resting'];
/** Rows: what the Hyundai source does. Columns: Genesis, in the order above. */
const TABLE: Record<State, string[]> = {
  label: ['label', 'label', 'label', 'label', 'label', 'label'],
  none: ['label', 'none', 'failed Genesis', 'refused Genesis', 'off Genesis', 'resting Genesis'],
  failed: ['label', ...Array<string>(5).fill('failed Hyundai')],
  refused: ['label', ...Array<string>(5).fill('refused Hyundai')],
  off: ['label', 'off Hyundai', 'failed Genesis', 'refused Genesis', 'off Hyundai', 'resting Genesis'],
  resting: [
    'label',
    'resting Hyundai',
    'failed Genesis',
    'refused Genesis',
    'resting Hyundai',
    'resting Hyundai',
  ],
};

for (const first of STATES) {
  test(`every Genesis state combined with Hyundai ${first}`, async (t) => {
    mockResting(t);
    for (const [index, second] of STATES.entries()) {
      await restore();
      await setState('hyundai', first);
      await setState('genesis', second);
      const vin = newAlabamaVin();
      assert.equal(await resultOf(vin), TABLE[first][index], `Genesis ${second}`);
      assert.equal(await resultOf(vin), TABLE[first][index], `Genesis ${second}, cached`);
    }
    await restore();
  });
}

const requestedSources = (vin: string) =>
  simulator.requests.filter((request) => request.vin === vin).map(({ source }) => source);

test('a source gets a request once it is switched on again; the other, which had no label, gets no second one', async () => {
  for (const [later, expected] of [
    ['label', 'label'],
    ['none', 'none'],
  ] as const) {
    await setState('hyundai', 'off');
    await setState('genesis', 'none');
    const vin = newAlabamaVin();
    assert.equal(await resultOf(vin), 'off Hyundai');
    await setState('hyundai', later);
    assert.equal(await resultOf(vin), expected);
    assert.deepEqual(requestedSources(vin), ['genesis', 'hyundai']);
  }
  await restore();
});

test('a label that neither source has stays none when one source is switched off or resting', async (t) => {
  mockResting(t);
  await setState('hyundai', 'none');
  await setState('genesis', 'none');
  const vin = newAlabamaVin();
  assert.equal(await resultOf(vin), 'none');
  for (const state of ['off', 'resting'] as const) {
    await setState('hyundai', state);
    assert.equal(await resultOf(vin), 'none');
  }
  await restore();
});

test('a stored label is served whatever the state of its two sources', async (t) => {
  mockResting(t);
  const vin = newAlabamaVin();
  assert.equal(await resultOf(vin), 'label');
  for (const state of ['off', 'resting', 'failed', 'none'] as const) {
    await setState('hyundai', state);
    await setState('genesis', state);
    assert.equal(await resultOf(vin), 'label');
  }
  await restore();
});

test('a label for another car from Genesis counts as none for Genesis only', async () => {
  await setState('hyundai', 'none');
  simulator.set('genesis', 'other-car');
  assert.equal(await resultOf(newAlabamaVin()), 'none');
  await setState('hyundai', 'off');
  assert.equal(await resultOf(newAlabamaVin()), 'off Hyundai');
  await restore();
});

test('a source that failed and was then switched off is reported as off', async () => {
  await setState('hyundai', 'failed');
  await setState('genesis', 'none');
  const vin = newAlabamaVin();
  assert.equal(await resultOf(vin), 'failed Hyundai');
  await setState('hyundai', 'off');
  assert.equal(await resultOf(vin), 'off Hyundai');
  await restore();
});
