import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { admin } from './in-process.ts';
import { admin as adminProcess, eventually, newVin, temporaryFolder } from './operator.ts';
import { freshIp, startService, type Service } from './service.ts';

/** Another process switches a source while the service runs in this one. */

const get = (url: string, init: RequestInit = {}) =>
  fetch(url, { ...init, headers: { ...init.headers, 'x-forwarded-for': freshIp() } });
const json = async <T>(url: string, init?: RequestInit) => (await (await get(url, init)).json()) as T;
const PROXIED = { TRUSTED_PROXIES: '127.0.0.1,::1' };
interface SourceStatus {
  source: string;
  state: string;
  reason: string | null;
  since: string | null;
}

test('a source can be switched off and on while the service runs, and all interfaces show it', async (t) => {
  const simulator = await startSimulator();
  t.after(() => simulator.close());
  const dataDir = temporaryFolder(t);
  const service = await startService({
    DATA_DIR: dataDir,
    SOURCE_ORIGIN: simulator.origin,
    ...PROXIED,
  });
  t.after(() => service.close());
  const { origin } = service;
  const env = { DATA_DIR: dataDir };
  const lookup = (vin: string) => json<VinResponse>(`${origin}/api/v1/vin/${vin}`);
  const status = async () =>
    (await json<{ sources: SourceStatus[] }>(`${origin}/status.json`)).sources.find(
      ({ source }) => source === 'kia',
    )!;
  const waitForStatus = (matches: (reported: SourceStatus) => boolean) => eventually(status, matches);

  const stored = newVin('kia');
  const before = await lookup(stored);
  assert.equal(before.windowSticker.available, true);

  const off = await adminProcess(
    t,
    env,
    'source',
    'off',
    'kia',
    '--reason',
    'refuses all requests\n\u0007since Monday',
  );
  assert.equal(off.code, 0, off.err);
  const fresh = newVin('kia');
  // With sticker=false the lookup sends no request to the source, so it can be repeated until the switch takes effect.
  const unchecked = await eventually(
    () => json<VinResponse>(`${origin}/api/v1/vin/${fresh}?sticker=false`),
    ({ windowSticker }) => windowSticker.note !== undefined,
  );
  const { since } = await waitForStatus(({ state }) => state === 'off');
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.parse(since!),
  );
  const note = `Lookups for Kia have been paused since ${day}, so we didn't check this VIN. Reason: refuses all requests since Monday.`;
  assert.equal(unchecked.windowSticker.note, note);

  const notLookedUp = await lookup(fresh);
  const { supported, available, bytes, pdf } = notLookedUp.windowSticker;
  assert.deepEqual(
    [supported, available, bytes, pdf, notLookedUp.windowSticker.note],
    [true, null, null, null, note],
  );
  assert.equal(notLookedUp.warning, null, 'the pause is a note, not a warning');
  assert.ok(notLookedUp.vehicle?.make);
  assert.equal(simulator.requests.filter(({ vin }) => vin === fresh).length, 0);
  const sticker = await get(`${origin}/api/sticker/${fresh}`);
  assert.equal(sticker.status, 404);
  assert.equal(((await sticker.json()) as { reason: string }).reason, 'source-off');

  assert.deepEqual(await lookup(stored), before, 'a stored label is served as before');
  assert.equal((await get(`${origin}/api/sticker/${stored}`)).status, 200);

  const reported = await waitForStatus(({ state }) => state === 'off');
  assert.equal(reported.state, 'off');
  assert.equal(reported.reason, 'refuses all requests since Monday');
  const tool = { name: 'list_covered_makes', arguments: {} };
  const { result } = await json<{ result: { structuredContent: { makes: SourceStatus[] } } }>(
    `${origin}/mcp`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }),
    },
  );
  const kia = result.structuredContent.makes.find(({ source }) => source === 'kia')!;
  assert.deepEqual([kia.state, kia.reason, kia.since], ['off', reported.reason, reported.since]);

  const reworded = await admin(env, 'source', 'off', 'kia', '--reason', 'requires a login');
  assert.equal(reworded.code, 0);
  const renamed = await waitForStatus(({ reason }) => reason === 'requires a login');
  assert.equal(renamed.since, reported.since, 'a new reason keeps the date');

  assert.equal((await admin(env, 'source', 'on', 'kia')).code, 0);
  await eventually(
    () => json<VinResponse>(`${origin}/api/v1/vin/${fresh}?sticker=false`),
    ({ windowSticker }) => windowSticker.note === undefined,
  );
  const whenOn = await lookup(fresh);
  assert.equal(whenOn.windowSticker.available, true);
  assert.equal(whenOn.windowSticker.note, undefined);
});

test('SOURCES_OFF applies at startup, is listed, can be undone with source on, and ends when no longer set', async (t) => {
  const dataDir = temporaryFolder(t);
  const env = { DATA_DIR: dataDir };
  const vin = newVin('gm');
  const noteOf = async (service: Service) =>
    (await service.json<VinResponse>(`/api/v1/vin/${vin}?sticker=false`)).windowSticker.note;

  const first = await startService({ ...env, SOURCES_OFF: 'gm,toyota' });
  assert.match((await noteOf(first))!, /switched off when the service was started/);
  const listed = await admin(env, 'source', 'list');
  assert.match(listed.out, /^gm +off +\d{4}-\d\d-\d\d +switched off when the service was started/m);
  assert.match(listed.out, /^ford +on/m);
  await admin(env, 'source', 'on', 'gm');
  const after = await eventually(
    () => noteOf(first),
    (note) => note === undefined,
  );
  assert.equal(after, undefined);
  await first.close();

  const second = await startService({ ...env, SOURCES_OFF: 'gm' });
  assert.ok(await noteOf(second), 'switched off again at the next start');
  await second.close();

  await admin(env, 'source', 'off', 'ford', '--reason', 'by hand');
  const third = await startService(env);
  t.after(() => third.close());
  assert.equal(await noteOf(third), undefined);
  const last = await admin(env, 'source', 'list');
  assert.match(last.out, /^gm +on/m);
  assert.match(last.out, /^toyota +on/m);
  assert.match(last.out, /^ford +off .*by hand/m, 'a source that the operator switched off stays off');
});
