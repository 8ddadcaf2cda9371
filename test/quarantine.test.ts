import assert from 'node:assert/strict';
import { readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../src/lib/log.ts';
import type { SourceExchangeRecord } from '../src/lookup/source-exchange.ts';
import { quarantineReason } from '../src/lookup/label-workers.ts';
import { listQuarantine, openQuarantine, quarantineDir } from '../src/lookup/quarantine.ts';
import { sources } from '../src/makers/index.ts';
import type { Outcome } from '../src/makers/maker.ts';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { admin } from './in-process.ts';
import { eventually, temporaryFolder, newVin } from './operator.ts';
import { startService } from './service.ts';

/** Source responses that no rule explains are quarantined without affecting lookups. */

test('unexplained responses are quarantined and counted, and can be listed, shown, removed and withdrawn', async (t) => {
  const simulator = await startSimulator();
  t.after(() => simulator.close());
  const dataDir = temporaryFolder(t);
  const service = await startService({
    SOURCE_ORIGIN: simulator.origin,
    DATA_DIR: dataDir,
    ADMIN_PORT: '0',
  });
  t.after(() => service.close());
  const cases = [
    ['gm', 'web-page', 'unknown-page', null],
    ['subaru', 'garbage', 'unknown-text', null],
    ['ford', 'small-picture', 'pdf-without-vin', null],
    ['hyundai', 'not-found-page', 'unknown-status', null],
    ['genesis', 'other-layout', 'label-not-read', true],
    ['gm', 'none', null, false],
    ['gm', 'access-denied', null, null],
    ['gm', 'server-error', null, null],
    ['ford', 'other-car', null, null],
    ['ford', 'label', null, true],
  ] as const;
  const vins = new Map<string, string>();
  for (const [id, behavior, reason, available] of cases) {
    const vin = newVin(id);
    if (reason) vins.set(reason, vin);
    simulator.set(vin, behavior);
    const lookup = await service.json<VinResponse>(`/api/v1/vin/${vin}`);
    assert.equal(lookup.windowSticker.available, available, `${id} ${behavior}`);
  }
  // The same page for another VIN is counted, but not stored again.
  const otherVin = newVin('gm');
  simulator.set(otherVin, 'web-page');
  await service.json(`/api/v1/vin/${otherVin}`);

  const dir = quarantineDir(dataDir);
  const entries = await eventually(
    () => listQuarantine(dir),
    (entries) => entries.length >= vins.size,
  );
  const expected = cases.flatMap(([id, , reason]) => (reason ? [`${id} ${reason} ${vins.get(reason)}`] : []));
  const listed = entries.map(({ record }) => `${record.source} ${record.verdict} ${record.vin}`);
  assert.deepEqual(listed.toReversed(), expected);
  for (const { record } of entries) {
    assert.ok(record.url?.startsWith('https://'));
    assert.equal(readFileSync(path.join(dir, record.body!)).length, record.bytes);
  }
  const metrics = service.runtime.metrics.text();
  assert.match(metrics, /^monroney_quarantined_total\{source="gm",reason="unknown-page"\} 2$/m);
  assert.match(metrics, /^monroney_quarantined_total\{source="genesis",reason="label-not-read"\} 1$/m);
  assert.doesNotMatch(metrics, /monroney_quarantined_total\{source="ford",reason="(?!pdf-without-vin)/);

  const env = { DATA_DIR: dataDir };
  const list = await admin(env, 'quarantine');
  assert.equal(list.code, 0, list.err);
  assert.match(list.out, /^id +source +reason +VIN +status +bytes\n/);
  assert.equal(list.out.trim().split('\n').length, 6);
  const { id } = entries.at(-1)!;
  const shown = await admin(env, 'quarantine', 'show', id);
  assert.match(shown.out, /"verdict": "unknown-page"[^]*\nBody: \/.*\.html\n$/);
  const json = await admin(env, 'quarantine', '--json');
  assert.equal((JSON.parse(json.out) as SourceExchangeRecord[]).length, 5);
  assert.match((await admin(env, 'quarantine', 'remove', id)).out, /^1 removed\.$/m);
  assert.equal((await admin(env, 'quarantine', 'show', id)).code, 2);
  assert.equal((await admin(env, 'quarantine', 'remove')).code, 2);

  // A withdrawn label must be deleted from the quarantine too.
  const withdrawn = vins.get('label-not-read')!;
  await admin(env, 'withdraw', withdrawn, '--reason', 'test');
  assert.ok((await listQuarantine(dir)).every(({ record }) => record.vin !== withdrawn));
  assert.match((await admin(env, 'quarantine', 'remove', '--all')).out, /^3 removed\.$/m);
  assert.deepEqual(readdirSync(dir), []);
  assert.equal((await admin(env, 'quarantine')).out, `Nothing is quarantined in ${dir}.\n`);
  assert.equal((await admin(env, 'quarantine', '--json')).out, '[]\n');
});

test('the quarantine keeps the newest entries within its entry and byte limits, without cookies', async (t) => {
  const dir = path.join(temporaryFolder(t), 'quarantine');
  let now = Date.parse('2026-11-15T00:00:00Z');
  const counted: string[] = [];
  const options = {
    dir,
    log: silentLog,
    metrics: {
      count: (name: string, labels?: Record<string, string>) => counted.push(name + labels!['reason']),
    },
    now: () => (now += 1000),
  };
  const received = (body: string) => ({
    status: 200,
    headers: { 'set-cookie': ['secret=1'], 'content-type': 'text/html' },
    body: Buffer.from(body),
    host: 'x.example',
  });
  const few = openQuarantine({ ...options, maxEntries: 5 });
  for (let n = 1; n <= 12; n++) {
    few.add({ source: 'gm', vin: 'V', reason: 'unknown-page', received: received(`page ${n}`) });
    await few.settled();
  }
  const bodies = async () =>
    (await listQuarantine(dir)).map(({ record }) => readFileSync(path.join(dir, record.body!), 'utf8'));
  assert.deepEqual(await bodies(), ['page 12', 'page 11', 'page 10', 'page 9', 'page 8']);
  assert.equal(readdirSync(dir).length, 10);
  assert.equal(counted.length, 12);
  assert.ok(readdirSync(dir).every((file) => !readFileSync(path.join(dir, file), 'utf8').includes('secret')));

  const small = openQuarantine({ ...options, maxBytes: 5000 });
  for (let n = 1; n <= 3; n++) {
    const body = `${n}`.repeat(2000);
    small.add({ source: 'gm', vin: 'V', reason: 'unknown-page', received: received(body) });
  }
  await small.settled();
  assert.deepEqual(
    (await bodies()).map((body) => body[0]),
    ['3', '2'],
  );
});

test('an unwritable folder and a flood of entries cause one warning and no errors', async (t) => {
  const dir = path.join(temporaryFolder(t), 'quarantine');
  writeFileSync(dir, 'a file where the folder should be');
  const warnings: string[] = [];
  let counted = 0;
  const quarantine = openQuarantine({
    dir,
    log: { ...silentLog, warn: (message) => void warnings.push(message) },
    metrics: { count: () => counted++ },
    now: Date.now,
  });
  const received = { status: 200, headers: {}, body: Buffer.alloc(4 * 1024 * 1024), host: 'x.example' };
  for (let n = 0; n < 100; n++) quarantine.add({ source: 'gm', vin: 'V', reason: 'unknown-page', received });
  await quarantine.settled();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(counted, 100);
  assert.deepEqual(warnings, ['quarantine: cannot write an entry']);
});

test(
  'entries that are links, or larger than any of ours, are not listed',
  { skip: process.platform === 'win32' ? 'skipped: Windows has no /dev/zero' : false },
  async (t) => {
    const dir = temporaryFolder(t);
    writeFileSync(path.join(dir, '3.json'), '{"vin":"V"}');
    symlinkSync('/dev/zero', path.join(dir, '2.json'));
    writeFileSync(path.join(dir, '1.json'), '{"vin":"V"}');
    truncateSync(path.join(dir, '1.json'), 2 ** 42);
    assert.deepEqual(await listQuarantine(dir), [{ id: '3', record: { vin: 'V' } }]);
  },
);

test("a label that can't be read or doesn't add up is quarantined; pictures and makes without a reader are not", () => {
  const gm = sources.find(({ id }) => id === 'gm')!;
  const nissan = sources.find(({ picture }) => picture)!;
  const label = (reading: object) =>
    ({ kind: 'label', pdf: Buffer.alloc(0), host: '', read: { make: 'GMC', reading } }) as unknown as Outcome;
  const open = label({ readable: true, proof: { closes: false } });
  assert.equal(quarantineReason(gm, open), 'label-does-not-add-up');
  assert.equal(quarantineReason(gm, label({ readable: true, proof: { closes: true } })), null);
  assert.equal(quarantineReason(gm, label({ readable: false, reason: 'unknown-layout' })), 'label-not-read');
  assert.equal(quarantineReason(nissan, label({ readable: false, reason: 'picture' })), null);
  assert.equal(quarantineReason({ ...gm, makes: ['HONDA'] }, open), null);
});
