import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admin } from './in-process.ts';
import { call, textOf } from './mcp-client.ts';
import { behaviors } from '../tools/simulator/behaviors.ts';
import { newVin } from './operator.ts';
import { startSimulated } from './simulated.ts';

/** A manufacturer asks to stop: the operator withholds what is stored, while the service runs. */

test('the stored labels of a withheld source are served nowhere, until it is on again', async () => {
  const { service, simulator } = await startSimulated();
  const [vin, other] = [newVin('kia'), newVin('ford')];
  const env = { DATA_DIR: service.dataDir };
  const source = async (...args: string[]) => {
    const result = await admin(env, 'source', ...args);
    assert.equal(result.code, 0, result.err);
    await service.runtime.lookup.switches.refresh();
    return result.out;
  };
  const paths = [
    `/api/sticker/${vin}`,
    `/api/sticker/${vin}?download=1`,
    `/api/sticker/${vin}/preview`,
    `/api/v1/vin/${vin}/label`,
    `/window-sticker/${vin}`,
    `/window-sticker/${vin}/picture`,
    `/window-sticker/${vin}/picture?width=640`,
  ];
  const statuses = () =>
    Promise.all(
      paths.map(async (path) => {
        const response = await service.get(path);
        await response.arrayBuffer();
        return response.status;
      }),
    );
  const lookup = async () =>
    (await service.json<{ windowSticker: Record<string, unknown> }>(`/api/v1/vin/${vin}`)).windowSticker;
  const batch = async () => {
    const headers = { 'content-type': 'application/json' };
    const { results } = await service.json<{ results: { windowSticker: Record<string, unknown> }[] }>(
      '/api/v1/decode',
      { method: 'POST', headers, body: JSON.stringify({ vins: [vin] }) },
    );
    return results[0]!.windowSticker;
  };
  /** Everything else that shows something of the label. */
  const shown = async () => ({
    page: await (await service.get(`/window-sticker/${vin}`)).text(),
    card: await (await service.get(`/embed/${vin}`)).text(),
    badge: await (await service.get(`/badge/${vin}.svg`)).text(),
    compared: await (await service.get(`/compare?vins=${vin},${other}`)).text(),
    read: textOf(await call(service, 'read_window_sticker', { vin })),
    got: textOf(await call(service, 'get_window_sticker', { vin })),
    explained: textOf(await call(service, 'explain_missing_sticker', { vin })),
  });
  const price = /\$\d\d,\d{3}/;

  for (const stored of [vin, other]) await service.get(`/api/sticker/${stored}`);
  assert.deepEqual(new Set(await statuses()), new Set([200]));
  const before = await lookup();
  assert.equal(before['available'], true);
  const visible = await shown();
  assert.match(visible.page, price);
  assert.match(visible.card, price);
  assert.match(visible.read, price);

  const out = await source('off', 'kia', '--withhold', '--reason', 'Kia asked us to stop');
  assert.match(
    out,
    /^Its stored labels \(1\) are not served, but not deleted\. To undo it: admin source on kia$/m,
  );
  assert.match(out, /^ {2}\S+\/api\/sticker\/\{vin\}$/m);
  assert.deepEqual(new Set(await statuses()), new Set([451]));
  for (const sticker of [await lookup(), await batch()]) {
    const { available, pdf, bytes, reason, note, price: printed } = sticker;
    assert.deepEqual([available, pdf, bytes, reason, printed], [false, null, null, 'withdrawn', undefined]);
    assert.match(String(note), /Reason: Kia asked us to stop\./);
  }
  const hidden = await shown();
  for (const name of ['page', 'card', 'badge', 'read', 'got'] as const)
    assert.doesNotMatch(hidden[name], price, name);
  assert.match(hidden.compared, /has been withdrawn/);
  assert.match(hidden.explained, /withdrawn/);
  assert.equal((await service.get(`/api/sticker/${other}`)).status, 200, 'others are served');
  assert.match(await source('list'), /^kia +off, withheld +\d{4}-\d\d-\d\d +Kia asked us to stop/m);

  await source('off', 'kia', '--reason', 'Kia asked us, and we agreed');
  assert.deepEqual(new Set(await statuses()), new Set([451]), 'another reason serves nothing');
  assert.match(String((await lookup())['note']), /and we agreed/);

  assert.match(await source('on', 'kia'), /^Its stored labels are served again\./m);
  assert.deepEqual(new Set(await statuses()), new Set([200]));
  assert.deepEqual(await lookup(), before);
  assert.equal(simulator.requests.filter((request) => request.vin === vin).length, 1, 'nothing was deleted');
});

test('a label that arrives while its source is being withheld is stored, but not served', async () => {
  const { service, simulator } = await startSimulated();
  const vin = newVin('kia');
  const requested = Promise.withResolvers<void>();
  const mayRespond = Promise.withResolvers<void>();
  simulator.set(vin, (...args) => {
    requested.resolve();
    void mayRespond.promise.then(() => behaviors.label(...args));
  });
  const pending = service.get(`/api/sticker/${vin}`);
  await requested.promise;
  await admin({ DATA_DIR: service.dataDir }, 'source', 'off', 'kia', '--withhold', '--reason', 'asked');
  await service.runtime.lookup.switches.refresh();
  mayRespond.resolve();
  assert.equal((await pending).status, 451);
  assert.equal((await service.get(`/api/sticker/${vin}`)).status, 451);
  const { code, out } = await admin({ DATA_DIR: service.dataDir }, 'labels', '--source', 'kia');
  assert.deepEqual([code, (JSON.parse(out) as { vin: string }).vin], [0, vin]);
});
