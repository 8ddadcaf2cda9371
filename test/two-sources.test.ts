import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { checkDigit } from '@monroney/vin';
import type { VinResponse } from '../src/lookup/schemas.ts';
import type { Behaviour } from '../tools/simulator/behaviours.ts';
import { newCar, service, simulator } from './simulated.ts';

/** Cars built in Alabama are Hyundai's or Genesis's: what each of the two says, or does not, against the other. */

type State = 'label' | 'none' | 'failed' | 'refused' | 'off' | 'resting';

const BEHAVIOURS: Partial<Record<State, Behaviour>> = {
  label: 'label',
  none: 'none',
  failed: 'server-error',
  refused: 'access-denied',
};

let serial = 300_000;
/** A Hyundai of Alabama that nobody has asked about. */
function newAlabaman(): string {
  const vin = `5NMJECDE6TH${++serial}`;
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}

const { switches } = service.runtime.lookup;
const resting = new Set<string>();

/** Nobody can be made to turn us away for half an hour within a test. */
function letRest(t: TestContext): void {
  const restingMs = switches.restingMs.bind(switches);
  t.mock.method(switches, 'restingMs', (id: string) => (resting.has(id) ? 600_000 : restingMs(id)));
}

async function bring(id: 'hyundai' | 'genesis', state: State): Promise<void> {
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
  simulator.set(id, BEHAVIOURS[state] ?? 'label');
}

/** All is well again, and each host has answered, so that nobody is left alone for what one test made of it. */
async function mend(): Promise<void> {
  for (const id of ['hyundai', 'genesis'] as const) {
    await bring(id, 'label');
    await service.get(`/api/v1/vin/${newCar(id)}`);
  }
}

/** What the lookup says, in two words, having looked whether everything else agrees with it. */
async function said(vin: string): Promise<string> {
  const answer = await service.get(`/api/v1/vin/${vin}`);
  const { windowSticker: sticker, warning } = (await answer.json()) as VinResponse;
  const pdf = await service.get(`/api/sticker/${vin}`);
  const reason = pdf.ok ? null : ((await pdf.json()) as { reason: string }).reason;
  const control = answer.headers.get('cache-control');
  if (sticker.available) {
    assert.equal(pdf.status, 200);
    return 'label';
  }
  if (sticker.available === false) {
    assert.deepEqual([pdf.status, reason, control, warning], [404, 'no-label', 'public, max-age=3600', null]);
    return 'none';
  }
  assert.equal(control, 'no-store');
  if (sticker.note) {
    assert.deepEqual([pdf.status, reason, sticker.pdf, warning], [404, 'source-off', null, null]);
    return `off ${/Lookups for (\w+)/.exec(sticker.note)?.[1]}`;
  }
  assert.equal(pdf.status, 503);
  const after = Number(pdf.headers.get('retry-after'));
  assert.ok(after >= 1);
  const who = /(\w+) refused our request|a response from (\w+)/.exec(warning!);
  if (who?.[1]) assert.equal(reason, 'source-refused');
  if (who?.[2]) assert.equal(reason, 'source-failed');
  if (who?.[1] && after === 600) return `resting ${who[1]}`;
  return `${reason?.replace('source-', '')} ${who?.[1] ?? who?.[2]}`;
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
  test(`Hyundai ${first}, and whatever Genesis says`, async (t) => {
    letRest(t);
    for (const [at, second] of STATES.entries()) {
      await mend();
      await bring('hyundai', first);
      await bring('genesis', second);
      const vin = newAlabaman();
      assert.equal(await said(vin), TABLE[first][at], `Genesis ${second}`);
      assert.equal(await said(vin), TABLE[first][at], `Genesis ${second}, remembered`);
    }
    await mend();
  });
}

const asked = (vin: string) =>
  simulator.requests.filter((request) => request.vin === vin).map(({ source }) => source);

test('a source that was off is asked when it is on again, and the one that said none is not asked twice', async () => {
  for (const [later, expected] of [
    ['label', 'label'],
    ['none', 'none'],
  ] as const) {
    await bring('hyundai', 'off');
    await bring('genesis', 'none');
    const vin = newAlabaman();
    assert.equal(await said(vin), 'off Hyundai');
    await bring('hyundai', later);
    assert.equal(await said(vin), expected);
    assert.deepEqual(asked(vin), ['genesis', 'hyundai']);
  }
  await mend();
});

test('what both said they do not have stays none when one of them is switched off or rests', async (t) => {
  letRest(t);
  await bring('hyundai', 'none');
  await bring('genesis', 'none');
  const vin = newAlabaman();
  assert.equal(await said(vin), 'none');
  for (const state of ['off', 'resting'] as const) {
    await bring('hyundai', state);
    assert.equal(await said(vin), 'none');
  }
  await mend();
});

test('a held label is served whatever becomes of its two sources', async (t) => {
  letRest(t);
  const vin = newAlabaman();
  assert.equal(await said(vin), 'label');
  for (const state of ['off', 'resting', 'failed', 'none'] as const) {
    await bring('hyundai', state);
    await bring('genesis', state);
    assert.equal(await said(vin), 'label');
  }
  await mend();
});

test("another car's label from the sister is a none of hers alone", async () => {
  await bring('hyundai', 'none');
  simulator.set('genesis', 'other-car');
  assert.equal(await said(newAlabaman()), 'none');
  await bring('hyundai', 'off');
  assert.equal(await said(newAlabaman()), 'off Hyundai');
  await mend();
});

test('a source that failed and was switched off since is not waited for', async () => {
  await bring('hyundai', 'failed');
  await bring('genesis', 'none');
  const vin = newAlabaman();
  assert.equal(await said(vin), 'failed Hyundai');
  await bring('hyundai', 'off');
  assert.equal(await said(vin), 'off Hyundai');
  await mend();
});
