import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { admin } from './in-process.ts';
import { newVin } from './operator.ts';
import { call } from './mcp-client.ts';
import { startSimulated } from './simulated.ts';

/** `src/lookup/source-states.test.ts` shows that a change of another process applies by itself, and what SOURCES_OFF does. */

interface SourceStatus {
  source: string;
  state: string;
  reason: string | null;
  since: string | null;
}

test('a source can be switched off and on while the service runs, and all interfaces show it', async () => {
  const { service, simulator } = await startSimulated();
  const change = async (...args: string[]) => {
    const { code, err } = await admin({ DATA_DIR: service.dataDir }, 'source', ...args);
    assert.equal(code, 0, err);
    await service.runtime.lookup.switches.refresh();
  };
  const list = async () => (await admin({ DATA_DIR: service.dataDir }, 'source', 'list')).out;
  const lookup = (vin: string, query = '') => service.json<VinResponse>(`/api/v1/vin/${vin}${query}`);
  const statusOf = (sources: SourceStatus[]) => sources.find(({ source }) => source === 'kia')!;
  const status = async () =>
    statusOf((await service.json<{ sources: SourceStatus[] }>('/status.json')).sources);

  const [stored, fresh] = [newVin('kia'), newVin('kia')];
  const before = await lookup(stored);
  assert.equal(before.windowSticker.available, true);

  await change('off', 'kia', '--reason', 'refuses all requests\n\u0007since Monday');
  const reported = await status();
  assert.deepEqual([reported.state, reported.reason], ['off', 'refuses all requests since Monday']);
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.parse(reported.since!),
  );
  const note = `Lookups for Kia have been paused since ${day}, so we didn't check this VIN. Reason: refuses all requests since Monday.`;
  for (const query of ['?sticker=false', '']) {
    const { windowSticker, warning, vehicle } = await lookup(fresh, query);
    const { supported, available, bytes, pdf } = windowSticker;
    assert.deepEqual([supported, available, bytes, pdf, windowSticker.note], [true, null, null, null, note]);
    assert.deepEqual([warning, vehicle?.make], [null, 'KIA'], 'the pause is a note, not a warning');
  }
  assert.equal(simulator.requests.filter(({ vin }) => vin === fresh).length, 0);
  const sticker = await service.get(`/api/sticker/${fresh}`);
  assert.equal(sticker.status, 404);
  assert.equal(((await sticker.json()) as { reason: string }).reason, 'source-off');
  assert.deepEqual(await lookup(stored), before, 'a stored label is served as before');
  assert.equal((await service.get(`/api/sticker/${stored}`)).status, 200);
  const { structuredContent } = await call(service, 'list_covered_makes', {});
  const kia = statusOf((structuredContent as { makes: SourceStatus[] }).makes);
  assert.deepEqual([kia.state, kia.reason, kia.since], ['off', reported.reason, reported.since]);

  await change('off', 'kia', '--reason', 'requires a login');
  const { since } = service.runtime.lookup.switches.state('kia');
  assert.equal(new Date(since).toISOString(), reported.since, 'a new reason keeps the date');
  assert.match(await list(), /^kia +off +\d{4}-\d\d-\d\d +requires a login/m);

  await change('on', 'kia');
  assert.match(await list(), /^kia +on/m);
  const { windowSticker } = await lookup(fresh);
  assert.deepEqual([windowSticker.available, windowSticker.note], [true, undefined]);
});
