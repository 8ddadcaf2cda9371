import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDigit } from '@monroney/vin';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { sources } from '../src/makers/index.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { admin, eventually, folder, serve } from './operator.ts';
import { freshAddress, startService, type Service } from './service.ts';

/** The operator's switch, thrown in one process and seen in another that keeps running. */

let serial = 200_000;
function newCar(sourceId: string): string {
  const { example } = sources.find((source) => source.id === sourceId)!;
  const vin = example.slice(0, -5) + String(++serial).slice(-5);
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}

const get = (address: string, init: RequestInit = {}) =>
  fetch(address, { ...init, headers: { ...init.headers, 'x-forwarded-for': freshAddress() } });
const json = async <T>(address: string, init?: RequestInit) => (await (await get(address, init)).json()) as T;
const PROXIED = { TRUSTED_PROXIES: '127.0.0.1,::1' };
/** The promise to the operator. */
const FOLLOWS_MS = 5000;

interface Told {
  source: string;
  state: string;
  reason: string | null;
  since: string | null;
}

test('a source is switched off and on while the service runs, and everything tells it within 5 seconds', async (t) => {
  const simulator = await startSimulator();
  t.after(() => simulator.close());
  const dataDir = folder(t);
  const { origin } = await serve(t, {
    DATA_DIR: dataDir,
    SOURCE_ORIGIN: simulator.origin,
    SOURCE_PACE_MS: '0',
    ...PROXIED,
  });
  const env = { DATA_DIR: dataDir };
  const lookup = (vin: string) => json<VinResponse>(`${origin}/api/v1/vin/${vin}`);
  const status = async () =>
    (await json<{ sources: Told[] }>(`${origin}/status.json`)).sources.find(
      ({ source }) => source === 'kia',
    )!;
  /** Until the status says so, which must be within the promised time and what the status itself is kept for. */
  const follows = async (state: (told: Told) => boolean) => {
    const from = Date.now();
    return eventually(status, (told) => state(told) || Date.now() - from > FOLLOWS_MS + 5000);
  };

  const held = newCar('kia');
  const before = await lookup(held);
  assert.equal(before.windowSticker.available, true);

  const off = await admin(
    t,
    env,
    'source',
    'off',
    'kia',
    '--reason',
    'refuses everybody\n\u0007since Monday',
  );
  assert.equal(off.code, 0, off.err);
  const thrown = Date.now();
  const fresh = newCar('kia');
  // A lookup without the label check asks nobody, so it can be repeated until the switch is seen.
  const unasked = await eventually(
    () => json<VinResponse>(`${origin}/api/v1/vin/${fresh}?sticker=false`),
    ({ windowSticker }) => windowSticker.note !== undefined || Date.now() - thrown > FOLLOWS_MS,
  );
  const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(thrown);
  const note = `Lookups for Kia have been paused since ${today}, so we didn't check this VIN. Reason: refuses everybody since Monday.`;
  assert.equal(unasked.windowSticker.note, note);

  const asked = await lookup(fresh);
  const { supported, available, bytes, pdf } = asked.windowSticker;
  assert.deepEqual(
    [supported, available, bytes, pdf, asked.windowSticker.note],
    [true, null, null, null, note],
  );
  assert.equal(asked.warning, null, 'it is a note, not a warning');
  assert.ok(asked.vehicle?.make);
  assert.equal(simulator.requests.filter(({ vin }) => vin === fresh).length, 0);
  const sticker = await get(`${origin}/api/sticker/${fresh}`);
  assert.equal(sticker.status, 404);
  assert.equal(((await sticker.json()) as { reason: string }).reason, 'source-off');

  assert.deepEqual(await lookup(held), before, 'a held label is answered as ever');
  assert.equal((await get(`${origin}/api/sticker/${held}`)).status, 200);

  const told = await follows(({ state }) => state === 'off');
  assert.equal(told.state, 'off');
  assert.equal(told.reason, 'refuses everybody since Monday');
  assert.ok(Math.abs(Date.parse(told.since!) - thrown) < 60_000);
  const tool = { name: 'list_covered_makes', arguments: {} };
  const { result } = await json<{ result: { structuredContent: { makes: Told[] } } }>(`${origin}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }),
  });
  const kia = result.structuredContent.makes.find(({ source }) => source === 'kia')!;
  assert.deepEqual([kia.state, kia.reason, kia.since], ['off', told.reason, told.since]);

  const reworded = await admin(t, env, 'source', 'off', 'kia', '--reason', 'wants a log-in');
  assert.equal(reworded.code, 0);
  const renamed = await follows(({ reason }) => reason === 'wants a log-in');
  assert.equal(renamed.since, told.since, 'another reason is not another day');

  assert.equal((await admin(t, env, 'source', 'on', 'kia')).code, 0);
  const from = Date.now();
  await eventually(
    () => json<VinResponse>(`${origin}/api/v1/vin/${fresh}?sticker=false`),
    ({ windowSticker }) => windowSticker.note === undefined || Date.now() - from > FOLLOWS_MS,
  );
  const again = await lookup(fresh);
  assert.equal(again.windowSticker.available, true);
  assert.equal(again.windowSticker.note, undefined);
});

test('SOURCES_OFF holds from the start, is listed, ends with source on, and is gone when it is no longer set', async (t) => {
  const dataDir = folder(t);
  const env = { DATA_DIR: dataDir };
  const vin = newCar('gm');
  const noted = async (service: Service) =>
    (await service.json<VinResponse>(`/api/v1/vin/${vin}?sticker=false`)).windowSticker.note;

  const first = await startService({ ...env, SOURCES_OFF: 'gm,toyota' });
  assert.match((await noted(first))!, /switched off when the service was started/);
  const listed = await admin(t, env, 'source', 'list');
  assert.match(listed.out, /^gm +off +\d{4}-\d\d-\d\d +switched off when the service was started/m);
  assert.match(listed.out, /^ford +on/m);
  await admin(t, env, 'source', 'on', 'gm');
  const from = Date.now();
  const after = await eventually(
    () => noted(first),
    (note) => note === undefined || Date.now() - from > FOLLOWS_MS,
  );
  assert.equal(after, undefined);
  await first.close();

  const second = await startService({ ...env, SOURCES_OFF: 'gm' });
  assert.ok(await noted(second), 'off again at the next start');
  await second.close();

  await admin(t, env, 'source', 'off', 'ford', '--reason', 'by hand');
  const third = await startService(env);
  t.after(() => third.close());
  assert.equal(await noted(third), undefined);
  const last = await admin(t, env, 'source', 'list');
  assert.match(last.out, /^gm +on/m);
  assert.match(last.out, /^toyota +on/m);
  assert.match(last.out, /^ford +off .*by hand/m, 'what the operator switched off stays off');
});
